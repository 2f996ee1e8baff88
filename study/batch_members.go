package study

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
)

// Members says which group each file of a batch belongs to.
type Members struct {
	Grouping

	// Table has a row for each file: one of its columns has their names, with or without folders and
	// extensions.
	Table *dataio.TextTable
	File  string // that the table is from, for sentences
}

// Rows of a table that a file has not, or that cannot be told.
const (
	noRow   = -1
	manyRow = -2
)

// rowsOf returns the row of each file by the column that names most of them.
func (m *Members) rowsOf(files []string) []int {
	names := fileNames(files)
	best, most := slices.Repeat([]int{noRow}, len(files)), 0
	for c := range m.Table.Header {
		at := map[string]int{}
		for r, row := range m.Table.Rows {
			if _, twice := at[row[c]]; twice {
				r = manyRow
			}
			at[row[c]] = r
		}
		rows, found := slices.Repeat([]int{noRow}, len(files)), 0
		for k := range files {
			for _, name := range names[k] {
				if r, ok := at[name]; ok && rows[k] < 0 {
					rows[k] = r
				}
			}
			if rows[k] >= 0 {
				found++
			}
		}
		if found > most {
			best, most = rows, found
		}
	}
	return best
}

// fileNames returns by which names a table may call each file: its path, what its outputs are called, and its name
// with and without the extension, if no other file has that name.
func fileNames(files []string) [][]string {
	outputs := outputNames(files)
	names, count := make([][]string, len(files)), map[string]int{}
	for k, file := range files {
		base := filepath.Base(file)
		list := []string{file, filepath.ToSlash(file), outputs[k], base, strings.TrimSuffix(base, filepath.Ext(base)), bareName(base)}
		slices.Sort(list)
		names[k] = slices.Compact(list)
		for _, name := range names[k] {
			count[name]++
		}
	}
	for k := range names {
		names[k] = slices.DeleteFunc(names[k], func(name string) bool { return count[name] > 1 })
	}
	return names
}

// A membership is the files that can be compared, and what is known about them.
type membership struct {
	files []int    // places in the batch
	left  []string // what is said of those left out
	cells map[string][]string
}

// of finds out what the table says about files. Columns that are not there, and values that cannot be used, are
// an *input.Error.
func (m *Members) of(files []string) (*membership, error) {
	columns := m.Columns()
	if m.By == "" && m.Covariate == "" {
		return nil, input.Completef(groupsOp, "by", "there is no column to compare by")
	}
	all := map[string][]string{}
	for _, name := range columns {
		if all[name] = m.Table.Column(name); all[name] == nil {
			return nil, &input.Error{File: m.File, Msg: fmt.Sprintf("there is no column %q: the columns are %s", name, words.List(m.Table.Header, "and"))}
		}
	}
	s := &membership{cells: map[string][]string{}}
	for k, row := range m.rowsOf(files) {
		missing := func(name string) bool { return isMissingLabel(all[name][row]) }
		switch {
		case row == noRow:
			s.left = append(s.left, fmt.Sprintf("%s is not in %s and is not compared", files[k], m.File))
			continue
		case row == manyRow:
			s.left = append(s.left, fmt.Sprintf("%s has more than one row in %s and is not compared", files[k], m.File))
			continue
		case slices.ContainsFunc(columns, missing):
			s.left = append(s.left, fmt.Sprintf("%s has no %s in %s and is not compared", files[k], columns[slices.IndexFunc(columns, missing)], m.File))
			continue
		}
		s.files = append(s.files, k)
		for _, name := range columns {
			s.cells[name] = append(s.cells[name], all[name][row])
		}
	}
	if len(s.files) > 0 {
		return s, nil
	}
	if len(s.left) > 0 && !strings.Contains(s.left[0], " is not in ") {
		return nil, &input.Error{File: m.File, Msg: "no file can be compared: " + s.left[0]}
	}
	return nil, &input.Error{File: m.File, Msg: fmt.Sprintf("no column has the names of the files, such as %s or %s", filepath.Base(files[0]), bareName(files[0]))}
}

// designOf returns the design of some of the files that can be compared.
func (m *Members) designOf(s *membership, kept []int, name func(k int) string) (groups.Design, error) {
	d, err := m.design(func(column string) []string {
		cells := make([]string, len(kept))
		for k, at := range kept {
			cells[k] = s.cells[column][at]
		}
		return cells
	}, name)
	d.Unit = fileUnit
	return d, err
}

// check refuses groups that cannot be compared before anything is learned.
func (m *Members) check(ctx context.Context, files []string) error {
	s, err := m.of(files)
	if err != nil {
		return err
	}
	all := make([]int, len(s.files))
	for k := range all {
		all[k] = k
	}
	design, err := m.designOf(s, all, func(k int) string { return files[s.files[k]] })
	if err == nil {
		values := &groups.Values{Pairs: [][2]int{{0, 1}}, Of: mat.NewDense(len(s.files), 1, nil)}
		_, err = groups.Test(ctx, values, design, groups.Options{Permutations: 1})
	}
	if fault := input.Find(err); fault != nil {
		return &input.Error{File: m.File, Msg: fault.Fault() + leftOut(len(s.left), s.left)}
	}
	return err
}

// leftOut adds to a sentence that files were left out.
func leftOut(count int, why []string) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s left out: %s)", words.Plural(count, "file"), why[0])
}
