package dataio

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// A table is a text file of numbers with perhaps names along its top row and its
// first column, and columns of times; all other cells are numbers or missing.
type table struct {
	width        int
	firstRow     []string         // the first row
	firstColumn  []string         // the first cell of each row
	text         map[int][]string // the cells of other columns whose names say that they are times, and of those asked for
	asked        []int            // the columns that were asked for as labels
	line         []int            // where each row starts
	value        []float64        // row by row, NaN if missing or text
	decimalComma bool

	blankLines, firstBlankLine int // blank lines in a table of one column, and the first of them
}

// readTable reads a table of at most limit values, with columns of labels by their names.
func readTable(r *rowReader, limit int, labels []string) (*table, error) {
	t := &table{decimalComma: r.decimalComma()}
	mark := byte(0) // the decimal mark seen so far, where both are allowed
	end := 0        // the last line of the row before
	err := r.each(func(row []string, line int) error {
		if t.firstRow == nil {
			t.width, t.firstRow = len(row), slices.Clone(row)
			t.text = timeColumns(row)
			if err := t.askFor(labels, line); err != nil {
				return err
			}
			if isEdgeListHeader(row) {
				return faultAt(line, 0, "the header source,target,weight makes this a graph, not signals: give a table with a column for each vertex")
			}
		}
		if len(row) != t.width {
			return faultAt(line, 0, "this row has %s where line %d has %d: give every row the same number of cells",
				words.Plural(len(row), "cell"), t.line[0], t.width)
		}
		if len(t.value)+len(row) > limit {
			return faultAt(line, 0, "there are more than the %d values that can be read: take fewer observations", limit)
		}
		if t.width == 1 && len(t.line) > 0 && line > end+1 {
			if t.blankLines == 0 {
				t.firstBlankLine = end + 1
			}
			t.blankLines += line - end - 1
		}
		for c, cell := range row {
			v, k := parse.Cell(cell, t.decimalComma)
			kept, mayBeText := t.text[c]
			if mayBeText {
				t.text[c] = append(kept, strings.Clone(cell))
			}
			if c > 0 && len(t.line) > 0 && !(mayBeText && k == parse.Text) {
				if k == parse.Text {
					return t.textFault(cell, line, c)
				}
				if t.decimalComma {
					if i := strings.IndexAny(cell, ",."); i >= 0 && mark != 0 && mark != cell[i] {
						return faultAt(line, c+1, "%s mixes decimal points with decimal commas: use one of them throughout", quote(cell))
					} else if i >= 0 {
						mark = cell[i]
					}
				}
			}
			t.value = append(t.value, v)
		}
		t.firstColumn = append(t.firstColumn, strings.Clone(row[0])) // the rest of the row may go
		t.line = append(t.line, line)
		end = r.line
		return nil
	})
	if err != nil {
		return nil, err
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
	_, withComma := parse.Cell(cell, true)
	switch {
	case len(fields) > 1 && !slices.ContainsFunc(fields, t.isText):
		return "separate cells by commas, semicolons or tabs, not by spaces"
	case withComma == parse.Number:
		return "write decimals with a point, or separate cells by semicolons"
	case isNumberAs(strings.Trim(cell, "%$€£¥ ")):
		return "write the number alone, without a sign for percent or money"
	case isNumberAs(strings.ReplaceAll(cell, ",", "")):
		return "write numbers without commas between thousands"
	case t.hasUnit(cell):
		return "write the number alone, without its unit"
	case !strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "leave the cell empty if the value is missing"
	}
	return "only the first row and the first column may hold text; code ordered answers as numbers such as 1 to 5, and leave out other columns of text"
}

// hasUnit reports whether a cell is a number with a unit behind it, such as 21.5 °C or 3kg.
func (t *table) hasUnit(cell string) bool {
	end := strings.LastIndexFunc(cell, unicode.IsDigit) + 1
	if unit := strings.TrimSpace(cell[end:]); end == 0 || unit == "" {
		return false
	}
	return !t.isText(cell[:end])
}

func (t *table) isText(cell string) bool { return parse.IsText(cell, t.decimalComma) }

// verticesInColumns reads the table as signals with vertices in columns.
func (t *table) verticesInColumns(o ReadOptions) (*signals.Set, error) {
	header := t.asked != nil || t.isDataFrame() || slices.ContainsFunc(t.firstRow, t.isText) && !t.startsWithTime()
	r0 := 0
	if header {
		r0 = 1
	}
	if len(t.line) == r0 {
		return nil, faultAt(t.line[0], 0, "there is a header but no row of numbers below it")
	}
	labels, err := t.labels(r0)
	if err != nil {
		return nil, err
	}
	columns := labels.others(t.width)
	if len(columns) == 0 {
		return nil, fault("there is no column of numbers")
	}
	s := &signals.Set{Notes: labels.notes}
	place1 := func(i int) string { return "column " + strconv.Itoa(columns[i]+1) }
	if header {
		for _, c := range columns {
			s.Names = append(s.Names, t.firstRow[c])
		}
		err = distinct(s.Names, func(i int) (string, int, int) { return place1(i), t.line[0], columns[i] + 1 })
	}
	if err == nil {
		s.Names, err = o.vertexNames(s.Names, len(columns))
	}
	if err == nil {
		labels.times, err = o.observationTimes(labels.times, len(t.line)-r0)
	}
	if err == nil {
		err = t.checkValues(r0, columns, func(_, i int) string { return s.Names[i] })
	}
	if err != nil {
		return nil, err
	}
	t.setLabels(s, r0)
	observation := func(m int) string { return place(t.line[r0+m], 0) }
	o.setTimes(s, labels.times, observation)
	s.Y = newDense(t.valuesOf(r0, columns), len(t.line)-r0, len(columns), true)
	if t.blankLines > 0 {
		noteDropped(s, t.blankLines, place(t.firstBlankLine, 0))
	}
	return s, o.dropEmptyObservations(s, func(i int) *input.Error {
		e := noValues(place1(i), s.Names[i])
		e.Column = columns[i] + 1
		return e
	}, observation)
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
	if r0 == 0 && t.firstRowIsTime() {
		r0 = 1
	}
	times := t.timesInFirstRow(c0)
	switch {
	case r0 == 1 && times != nil:
		s.Notes = []string{place(t.line[0], 0) + " is read as the times of the observations"}
	case r0 == 1:
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
	var labels labelColumns
	if c0 == 1 {
		labels.columns = []int{0}
	}
	columns := labels.others(t.width)
	if r0 == 0 {
		times = nil
	}
	if err == nil {
		times, err = o.observationTimes(times, t.width-c0)
	}
	if err == nil {
		err = t.refuseText(r0)
	}
	if err == nil {
		err = t.checkValues(r0, columns, func(r, _ int) string { return s.Names[r-r0] })
	}
	if err != nil {
		return nil, err
	}
	observation := func(m int) string { return "column " + strconv.Itoa(c0+m+1) }
	o.setTimes(s, times, observation)
	s.Y = newDense(t.valuesOf(r0, columns), len(t.line)-r0, t.width-c0, false)
	return s, o.dropEmptyObservations(s, func(i int) *input.Error {
		e := noValues(place(t.line[r0+i], 0), s.Names[i])
		e.Line = t.line[r0+i]
		return e
	}, observation)
}

// refuseText refuses text in columns whose names would allow it if vertices were in
// columns.
func (t *table) refuseText(r0 int) error {
	for _, c := range slices.Sorted(maps.Keys(t.text)) {
		if i := slices.IndexFunc(t.text[c][r0:], t.isText); i >= 0 {
			return t.textFault(t.text[c][r0+i], t.line[r0+i], c)
		}
	}
	return nil
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

// checkValues refuses infinite values of some columns from row r0 on. name is that of the
// vertex of a row and one of the columns.
func (t *table) checkValues(r0 int, columns []int, name func(r, i int) string) error {
	for r := r0; r < len(t.line); r++ {
		for i, c := range columns {
			if math.IsInf(t.value[r*t.width+c], 0) {
				return faultAt(t.line[r], c+1, "the value (of %s) is not finite: it must be a number below 1.8e308 in size", quote(name(r, i)))
			}
		}
	}
	return nil
}

// valuesOf returns the values of some columns from row r0 on. The table is spent.
func (t *table) valuesOf(r0 int, columns []int) []float64 {
	if len(columns) == t.width {
		return t.value[r0*t.width:]
	}
	b := t.value[:0]
	for r := r0; r < len(t.line); r++ {
		for _, c := range columns {
			b = append(b, t.value[r*t.width+c])
		}
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
