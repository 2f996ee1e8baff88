package dataio

import (
	"math"
	"slices"
	"strconv"
)

// For returns the table with a row for each of names, in that order, and how
// many of them it does not know. If it knows none of them, but another column
// that names vertices does, such as id beside name, that one counts; if there is
// none either, the error is an [input.Error]. t is not changed.
func (t *VertexTable) For(names []string) (of *VertexTable, missing int, err error) {
	by := t
	if !by.knowsAny(names) {
		if by = t.namedByOtherColumn(names); by == nil {
			if t.duplicate != nil {
				return nil, 0, inFile(t.file, t.duplicate)
			}
			e := fault("it knows none of the %d vertices (%s, …): its vertices are called %s, …", len(names), quote(first(names)), quote(first(t.Names)))
			e.File = t.file
			return nil, 0, e
		}
	}
	row := make(map[string]int, len(by.Names))
	for i, name := range by.Names {
		row[name] = i
	}
	of = &VertexTable{Names: slices.Clone(names), file: t.file}
	for _, c := range by.Columns {
		one := VertexColumn{Name: c.Name, Text: make([]string, len(names))}
		if c.Numbers != nil {
			one.Numbers = make([]float64, len(names))
		}
		for i, name := range names {
			from, ok := row[name]
			if ok {
				one.Text[i] = c.Text[from]
			}
			if c.Numbers != nil {
				one.Numbers[i] = math.NaN()
				if ok {
					one.Numbers[i] = c.Numbers[from]
				}
			}
		}
		of.Columns = append(of.Columns, one)
	}
	for _, name := range names {
		if _, ok := row[name]; !ok {
			missing++
		}
	}
	return of, missing, nil
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

func (t *VertexTable) knowsAny(names []string) bool {
	known := make(map[string]bool, len(t.Names))
	for _, name := range t.Names {
		known[name] = true
	}
	return slices.ContainsFunc(names, func(name string) bool { return known[name] })
}

// namedByOtherColumn returns the table with its vertices named by another column
// with a usual name, one that knows some of names and does not name two vertices
// alike; nil if there is none.
func (t *VertexTable) namedByOtherColumn(names []string) *VertexTable {
	for _, word := range nameWords {
		c := t.find(word)
		if c < 0 {
			continue
		}
		other := &VertexTable{Columns: t.Columns, file: t.file}
		if other.nameBy(c); t.nameColumn != "" {
			other.Columns = append([]VertexColumn{newVertexColumn(t.nameColumn, t.Names, false)}, other.Columns...)
		}
		alike := distinct(other.Names, func(i int) (string, int, int) { return strconv.Itoa(i), 0, 0 }) != nil
		if !alike && other.knowsAny(names) {
			return other
		}
	}
	return nil
}
