package study

import (
	"cmp"
	"context"
	"fmt"
	"path"
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
	// Argument is what a command line calls File; default File.
	Argument string
}

// Rows of a table that a file has not, or that cannot be told.
const (
	noRow   = -1
	manyRow = -2
)

// decisive is the name of a column that has the names of files, whatever others have.
const decisive = "file"

// rowsOf returns the row of each file by the column that names most of them, and which that is; -1 if there is none.
// A column without a name, such as the row numbers of R, has a say only if no other names files.
func (m *Members) rowsOf(files []string) ([]int, int, error) {
	names := fileNames(files)
	best, most, column := slices.Repeat([]int{noRow}, len(files)), 0, -1
	rank := func(c int) int {
		switch {
		case m.Table.Header[c] == "":
			return 0
		case strings.EqualFold(m.Table.Header[c], decisive):
			return 2
		}
		return 1
	}
	rival := -1
	for c := range m.Table.Header {
		rows, found := m.rowsBy(c, names)
		if found == 0 {
			continue
		}
		order := 1
		if column >= 0 {
			order = cmp.Or(cmp.Compare(rank(c), rank(column)), cmp.Compare(found, most))
		}
		switch {
		case order > 0:
			best, most, column, rival = rows, found, c, -1
		case order == 0 && !slices.Equal(rows, best):
			rival = c
		}
	}
	if rival < 0 {
		return best, column, nil
	}
	return nil, column, &input.Error{
		File: m.File,
		Msg: fmt.Sprintf("%s and %s both have the names of %s, but in different rows: call the right one %q, or leave the other one out",
			m.columnName(column), m.columnName(rival), words.Plural(most, "file"), decisive),
	}
}

func (m *Members) columnName(c int) string {
	if m.Table.Header[c] == "" {
		return fmt.Sprintf("column %d, which has no name,", c+1)
	}
	return fmt.Sprintf("column %q", m.Table.Header[c])
}

// rowsBy returns the row of each file by a column, and how many have one. Where no cell is the name of a file, the
// last part of a path decides: tables come from other folders and other systems.
func (m *Members) rowsBy(c int, names [][]string) ([]int, int) {
	rows, found := slices.Repeat([]int{noRow}, len(names)), 0
	for _, as := range []func(cell string) string{
		func(cell string) string { return cell },
		func(cell string) string { return path.Base(strings.ReplaceAll(cell, `\`, "/")) },
	} {
		at := map[string]int{}
		for r, row := range m.Table.Rows {
			name := as(row[c])
			if _, twice := at[name]; twice {
				r = manyRow
			}
			at[name] = r
		}
		for k := range rows {
			if rows[k] != noRow {
				continue
			}
			for _, name := range names[k] {
				if r, ok := at[name]; ok && rows[k] < 0 {
					rows[k] = r
				}
			}
			if rows[k] >= 0 {
				found++
			}
		}
	}
	return rows, found
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
	notes []string // what else is said
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
			return nil, &input.Error{
				File: m.File,
				Msg:  fmt.Sprintf("there is no column %q: the columns are %s", name, words.List(m.Table.Header, "and")),
			}
		}
	}
	s := &membership{cells: map[string][]string{}}
	rows, by, err := m.rowsOf(files)
	if err != nil {
		return nil, err
	}
	if by > 0 {
		s.notes = append(s.notes, fmt.Sprintf("files are found in %s by %s", m.File, strings.TrimSuffix(m.columnName(by), ",")))
	}
	for k, row := range rows {
		missing := func(name string) bool { return m.isMissing(name, all[name][row]) }
		switch {
		case row == noRow:
			s.left = append(s.left, fmt.Sprintf("%s is not in %s and is not compared", files[k], m.File))
			continue
		case row == manyRow:
			s.left = append(s.left, fmt.Sprintf("%s has more than one row in %s and is not compared", files[k], m.File))
			continue
		case slices.ContainsFunc(columns, missing):
			s.left = append(
				s.left,
				fmt.Sprintf("%s has no %s in %s and is not compared", files[k], columns[slices.IndexFunc(columns, missing)], m.File),
			)
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
	return nil, &input.Error{
		File: m.File,
		Msg:  fmt.Sprintf("no column has the names of the files, such as %s or %s", filepath.Base(files[0]), bareName(files[0])),
	}
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
