package dataio

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// A table is a text file of numbers with perhaps names along its top row and its
// first column; all other cells are numbers or missing.
type table struct {
	width        int
	firstRow     []string  // the first row
	firstColumn  []string  // the first cell of each row
	line         []int     // where each row starts
	value        []float64 // row by row, NaN if missing or text
	decimalComma bool

	blankLines, firstBlankLine int // blank lines in a table of one column, and the first of them
}

// readTable reads a table of at most limit values.
func readTable(r *rowReader, limit int) (*table, error) {
	t := &table{decimalComma: r.decimalComma()}
	mark := byte(0) // the decimal mark seen so far, where both are allowed
	for end := 0; ; end = r.line {
		row, line, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if t.firstRow == nil {
			t.width, t.firstRow = len(row), slices.Clone(row)
			if isEdgeListHeader(row) {
				return nil, faultAt(line, 0, "the header source,target,weight makes this a graph, not signals: give a table with a column for each vertex")
			}
		}
		if len(row) != t.width {
			return nil, faultAt(line, 0, "this row has %s where line %d has %d: give every row the same number of cells",
				words.Plural(len(row), "cell"), t.line[0], t.width)
		}
		if len(t.value)+len(row) > limit {
			return nil, faultAt(line, 0, "there are more than the %d values that can be read: take fewer observations", limit)
		}
		if t.width == 1 && len(t.line) > 0 && line > end+1 {
			if t.blankLines == 0 {
				t.firstBlankLine = end + 1
			}
			t.blankLines += line - end - 1
		}
		for c, cell := range row {
			v, k := parseNumber(cell, t.decimalComma)
			if c > 0 && len(t.line) > 0 {
				if k == isText {
					return nil, t.textFault(cell, line, c)
				}
				if t.decimalComma {
					if i := strings.IndexAny(cell, ",."); i >= 0 && mark != 0 && mark != cell[i] {
						return nil, faultAt(line, c+1, "%s mixes decimal points with decimal commas: use one of them throughout", quote(cell))
					} else if i >= 0 {
						mark = cell[i]
					}
				}
			}
			t.value = append(t.value, v)
		}
		t.firstColumn = append(t.firstColumn, strings.Clone(row[0])) // the rest of the row may go
		t.line = append(t.line, line)
	}
	if t.firstRow == nil {
		return nil, fault("the file is empty")
	}
	return t, nil
}

// textFault says that a cell among the numbers, in column c from 0, is text.
func (t *table) textFault(cell string, line, c int) error {
	return faultAt(line, c+1, "%s is not a number: %s", quote(cell), t.adviceOn(cell))
}

// adviceOn says how to make a number of a cell that is text.
func (t *table) adviceOn(cell string) string {
	isNumberAs := func(other string) bool { return other != cell && other != "" && !t.isText(other) }
	fields := strings.Fields(cell)
	_, withComma := parseNumber(cell, true)
	switch {
	case len(fields) > 1 && !slices.ContainsFunc(fields, t.isText):
		return "separate cells by commas, semicolons or tabs, not by spaces"
	case withComma == isNumber:
		return "write decimals with a point, or separate cells by semicolons"
	case isNumberAs(strings.Trim(cell, "%$€£¥ ")):
		return "write the number alone, without a sign for percent or money"
	case isNumberAs(strings.ReplaceAll(cell, ",", "")):
		return "write numbers without commas between thousands"
	case !strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "leave the cell empty if the value is missing"
	}
	return "only the first row and the first column may hold text"
}

func (t *table) isText(cell string) bool {
	_, k := parseNumber(cell, t.decimalComma)
	return k == isText
}

// verticesInColumns reads the table as signals with vertices in columns.
func (t *table) verticesInColumns(o ReadOptions) (*signals.Set, error) {
	framed := t.isDataFrame()
	header := framed || slices.ContainsFunc(t.firstRow, t.isText)
	r0, c0 := 0, 0
	if header {
		r0 = 1
	}
	if len(t.line) == r0 {
		return nil, faultAt(t.line[0], 0, "there is a header but no row of numbers below it")
	}
	labels, err := t.hasLabels(r0)
	if err != nil {
		return nil, err
	}
	if labels || framed || header && t.width > 1 && t.firstRow[0] == "" {
		c0 = 1
	}
	s := &signals.Set{}
	if c0 == 1 {
		s.Notes = []string{"column 1 is treated as row labels"}
	} else if header && t.width > 2 && t.countsRows(r0) {
		c0 = 1
		s.Notes = []string{fmt.Sprintf("column 1, %s, counts the rows and is treated as row labels", quote(t.firstRow[0]))}
	}
	if header {
		s.Names = t.firstRow[c0:]
		err = distinct(s.Names, func(i int) (string, int, int) {
			return "column " + strconv.Itoa(c0+i+1), t.line[0], c0 + i + 1
		})
	}
	if err == nil {
		s.Names, err = o.vertexNames(s.Names, t.width-c0)
	}
	if err == nil {
		err = t.checkValues(r0, c0, func(_, c int) string { return s.Names[c-c0] })
	}
	if err != nil {
		return nil, err
	}
	s.Y = newDense(t.valuesFrom(r0, c0), len(t.line)-r0, t.width-c0, true)
	if t.blankLines > 0 {
		noteDropped(s, t.blankLines, place(t.firstBlankLine, 0))
	}
	return s, o.dropEmptyObservations(s, func(i int) *input.Error {
		e := noValues("column "+strconv.Itoa(c0+i+1), s.Names[i])
		e.Column = c0 + i + 1
		return e
	}, func(m int) string { return place(t.line[r0+m], 0) })
}

// verticesInRows reads the table as signals with vertices in rows.
func (t *table) verticesInRows(o ReadOptions) (*signals.Set, error) {
	r0, c0 := 0, 0
	switch {
	case t.isDataFrame():
		r0, c0 = 1, 1
	case t.width == 1:
		if t.isText(t.firstRow[0]) {
			r0 = 1
		}
	default:
		if slices.ContainsFunc(t.firstRow[1:], t.isText) {
			r0 = 1
		}
		if slices.ContainsFunc(t.firstColumn[r0:], t.isText) || r0 == 1 && t.firstRow[0] == "" {
			c0 = 1
			if t.firstRow[0] == "" {
				r0 = 1
			}
		}
	}
	if len(t.line) == r0 {
		return nil, faultAt(t.line[0], 0, "there is a header but no row of numbers below it")
	}
	s := &signals.Set{}
	if r0 == 1 {
		s.Notes = []string{place(t.line[0], 0) + " is treated as row labels"}
	}
	var err error
	if c0 == 1 {
		s.Names = t.firstColumn[r0:]
		err = distinct(s.Names, func(i int) (string, int, int) {
			return "line " + strconv.Itoa(t.line[r0+i]), t.line[r0+i], 1
		})
	} else if t.width == 1 {
		if i := slices.IndexFunc(t.firstColumn[r0:], t.isText); i >= 0 {
			err = t.textFault(t.firstColumn[r0+i], t.line[r0+i], 0)
		}
	}
	if err == nil && t.blankLines > 0 {
		err = faultAt(t.firstBlankLine, 0, "there is no value here: give every vertex at least one, or leave out its line")
	}
	if err == nil {
		s.Names, err = o.vertexNames(s.Names, len(t.line)-r0)
	}
	if err == nil {
		err = t.checkValues(r0, c0, func(r, _ int) string { return s.Names[r-r0] })
	}
	if err != nil {
		return nil, err
	}
	s.Y = newDense(t.valuesFrom(r0, c0), len(t.line)-r0, t.width-c0, false)
	return s, o.dropEmptyObservations(s, func(i int) *input.Error {
		e := noValues(place(t.line[r0+i], 0), s.Names[i])
		e.Line = t.line[r0+i]
		return e
	}, func(m int) string { return "column " + strconv.Itoa(c0+m+1) })
}

// hasLabels tells whether the first column, from row r0 on, is text and so labels
// the rows. Text beside numbers is an error.
func (t *table) hasLabels(r0 int) (bool, error) {
	text, num := -1, -1 // the first row of each kind
	for r := r0; r < len(t.firstColumn); r++ {
		_, k := parseNumber(t.firstColumn[r], t.decimalComma)
		if k == isText && text < 0 {
			text = r
		}
		if k == isNumber && num < 0 {
			num = r
		}
	}
	switch {
	case text < 0:
		return false, nil
	case t.width == 1:
		return false, t.textFault(t.firstColumn[text], t.line[text], 0)
	case num >= 0:
		return false, faultAt(t.line[text], 1, "%s is not a number, but line %d has one in this column: a first column is all labels or all numbers",
			quote(t.firstColumn[text]), t.line[num])
	}
	return true, nil
}

// rowCounters are the names, in lower case, of a column that numbers the rows.
var rowCounters = []string{
	"#", "id", "index", "idx", "no", "no.", "nr", "nr.", "num", "number", "row", "obs", "observation", "sample", "signal", "unnamed: 0",
	"t", "time", "step", "frame", "tick", "year", "day", "hour", "minute", "second", "week", "month",
}

// countsRows tells whether the first column, from row r0 on, rises by one from row
// to row in whole numbers and has the name of a counter. Under another name it may
// be a signal.
func (t *table) countsRows(r0 int) bool {
	const enough = 5 // fewer may count by chance
	if len(t.line)-r0 < enough || !slices.Contains(rowCounters, strings.ToLower(strings.TrimSpace(t.firstRow[0]))) {
		return false
	}
	start := t.value[r0*t.width]
	for r := r0; r < len(t.line); r++ {
		if t.value[r*t.width] != start+float64(r-r0) {
			return false
		}
	}
	return start == math.Trunc(start)
}

// isDataFrame recognises a header and labels by their empty corner even if the
// header is all numbers. pandas writes it above text, and above 0, 1, 2, … for a
// frame whose rows have no labels.
func (t *table) isDataFrame() bool {
	if t.firstRow[0] != "" || t.width == 1 || len(t.firstColumn) == 1 {
		return false
	}
	isNotText := func(cell string) bool { return !t.isText(cell) }
	return !slices.ContainsFunc(t.firstColumn[1:], isNotText) || countsFromZero(t.firstColumn[1:])
}

func countsFromZero(cells []string) bool {
	for i, cell := range cells {
		if cell != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// checkValues refuses infinite values from row r0 and column c0 on.
func (t *table) checkValues(r0, c0 int, name func(r, c int) string) error {
	for r := r0; r < len(t.line); r++ {
		for c := c0; c < t.width; c++ {
			if math.IsInf(t.value[r*t.width+c], 0) {
				return faultAt(t.line[r], c+1, "the value (of %s) is not finite: it must be a number below 1.8e308 in size", quote(name(r, c)))
			}
		}
	}
	return nil
}

// valuesFrom returns the values from row r0 and column c0 on. The table is spent.
func (t *table) valuesFrom(r0, c0 int) []float64 {
	if c0 == 0 {
		return t.value[r0*t.width:]
	}
	b := t.value[:0]
	for r := r0; r < len(t.line); r++ {
		b = append(b, t.value[r*t.width+c0:(r+1)*t.width]...)
	}
	return b
}

// distinct refuses empty names and names given twice; where says for each the
// place in words, its line and its column.
func distinct(names []string, where func(i int) (here string, line, column int)) error {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		here, line, column := where(i)
		if name == "" {
			return faultAt(line, column, "a vertex has no name here: name it, or leave it out")
		}
		if first, twice := seen[name]; twice {
			before, _, _ := where(first)
			e := fault("the vertex name %s is given twice, in %s and %s: names must differ", quote(name), before, here)
			e.Line, e.Column = line, column
			return e
		}
		seen[name] = i
	}
	return nil
}
