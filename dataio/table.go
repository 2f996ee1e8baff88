package dataio

import (
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// A table is a text file or a sheet of numbers with perhaps names along its top row and its
// first column, and columns of times and other text; all other cells are numbers or missing.
type table struct {
	width       int
	firstRow    []string         // the first row
	firstColumn []string         // the first cell of each row
	text        map[int][]string // the cells of other columns whose names say that they are times, and of those asked for
	words       map[int][]string // the cells of other columns of text
	asked       []int            // the columns that were asked for as labels
	left        []bool           // the columns that are left out; nil for none
	values      []bool           // the columns that were asked for as values; nil if none were
	line        []int            // where each row starts
	value       []float64        // row by row, NaN if missing or text
	style       parse.Style
	sheet       bool // lines are rows of a sheet
	headerless  bool // the first row is no header although it has text
	quoted      bool // the first row is in quotation marks or text of a sheet, and the second is not
	partColumns partColumns
	joined      parse.Joined // what the parts of times come to
	parts       []int        // the columns of these, which one of them has whole; nil for none
	notes       []string

	blankLines, firstBlankLine int // blank lines in a table of one column, and the first of them
}

// read reads the rows of a table, with no more values than options allow.
func (t *table) read(r rowSource, o ReadOptions) error {
	limit := o.limit()
	mark := byte(0) // the decimal mark seen so far, where both are allowed
	end := 0        // the last line of the row before
	for {
		row, line, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if t.firstRow == nil {
			if err := t.begin(row, line, o); err != nil {
				return err
			}
			t.quoted = r.inQuotes()
		} else if len(t.line) == 1 {
			t.quoted = t.quoted && !r.inQuotes()
		}
		if len(row) != t.width {
			if row, err = t.trimmed(row, line); err != nil {
				return err
			}
		}
		if len(t.value)+len(row) > limit {
			return t.faultAt(line, 0, "there are more than the %d values that can be read: take fewer observations", limit)
		}
		if t.width == 1 && len(t.line) > 0 && line > end+1 {
			if t.blankLines == 0 {
				t.firstBlankLine = end + 1
			}
			t.blankLines += line - end - 1
		}
		for c, cell := range row {
			v, k := t.cell(cell, c == 0 || len(t.line) == 0)
			kept, mayBeText := t.text[c]
			if mayBeText {
				t.text[c] = append(kept, strings.Clone(cell))
			}
			if c > 0 && (len(t.line) > 0 || t.headerless) && !(mayBeText && k == parse.Text) && !t.isLeft(c) {
				if k == parse.Text || t.words != nil {
					if err := t.takeWord(cell, k, line, c); err != nil {
						return err
					}
				}
			}
			if k == parse.Number && t.style.DecimalComma && t.style.Group == 0 && (len(t.line) > 0 || t.headerless) && !t.isLeft(c) {
				if i := strings.IndexAny(cell, ",."); i >= 0 && mark != 0 && mark != cell[i] {
					return t.faultAt(line, c+1,
						"%s mixes decimal points with decimal commas: use one of them throughout, and nothing between thousands",
						quote(cell))
				} else if i >= 0 {
					mark = cell[i]
				}
			}
			t.value = append(t.value, v)
		}
		t.firstColumn = append(t.firstColumn, strings.Clone(row[0])) // the rest of the row may go
		t.line = append(t.line, line)
		end = r.reached()
	}
	if t.firstRow == nil {
		return fault("the file is empty")
	}
	return nil
}

// cell reads a cell, where there may be labels or not.
func (t *table) cell(cell string, label bool) (v float64, k parse.Kind) {
	if t.style.Group == 0 && t.style.Unclear == 0 { // nearly always, and nearly always enough
		if v, k = parse.Cell(cell, t.style.DecimalComma); k != parse.Text {
			return v, k
		}
	}
	if label {
		return t.style.Label(cell)
	}
	return t.style.Cell(cell)
}

// begin sees what the first row says.
func (t *table) begin(row []string, line int, o ReadOptions) error {
	t.width, t.firstRow = len(row), slices.Clone(row)
	t.text = timeColumns(row)
	if err := t.choose(o.Columns, line); err != nil {
		return err
	}
	if err := t.askFor(o.Labels, line); err != nil {
		return err
	}
	if isEdgeListHeader(row) {
		return t.faultAt(line, 0,
			"the header source,target,weight makes this a graph, not signals: give a table with a column for each vertex")
	}
	return nil
}

// trimmed returns a row without cells behind the last column, if they are empty.
func (t *table) trimmed(row []string, line int) ([]string, error) {
	if len(row) > t.width && fits(row, t.width) {
		return row[:t.width], nil
	}
	if len(t.line) == 0 {
		return row, nil
	}
	if markOf(row[0]) != "" {
		return nil, t.faultAt(line, 0, "this looks like a remark, %s, among the rows of the table: leave the line out", quote(row[0]))
	}
	return nil, t.faultAt(line, 0, "this row has %s where line %d has %d: give every row the same number of cells",
		words.Plural(len(row), "cell"), t.line[0], t.width)
}

func (t *table) isText(cell string) bool {
	_, k := t.style.Label(cell)
	return k == parse.Text
}

// signals reads the table as signals.
func (t *table) signals(o ReadOptions) (*signals.Set, error) {
	if o.Transpose {
		return t.verticesInRows(o)
	}
	return t.verticesInColumns(o)
}

// verticesInColumns reads the table as signals with vertices in columns.
func (t *table) verticesInColumns(o ReadOptions) (*signals.Set, error) {
	header := t.hasHeader()
	r0 := count(header)
	if len(t.line) == r0 {
		return nil, t.faultAt(t.line[0], 0, "there is a header but no row of numbers below it")
	}
	t.leaveEmptyColumns(r0, o.KeepEmpty)
	t.dropEmptyRows(r0)
	t.dropFootnotes(r0)
	t.dropSummaries(r0)
	if err := t.joinTimes(r0); err != nil {
		return nil, err
	}
	if s, err := t.long(r0, o); s != nil || err != nil {
		return s, err
	}
	labels, err := t.labels(r0)
	if err != nil {
		return nil, err
	}
	columns := labels.others(t.width)
	if err := t.checkWords(len(columns)); err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, fault("there is no column of numbers")
	}
	s := &signals.Set{Notes: slices.Concat(t.notes, labels.notes)}
	if header && !t.headed() {
		note(&s.Notes, "%s %s and is read as the names of the vertices", t.place(t.line[0], 0), t.numbersAsNames())
	}
	place1 := func(i int) string { return "column " + strconv.Itoa(columns[i]+1) }
	if header {
		for _, c := range columns {
			s.Names = append(s.Names, t.firstRow[c])
		}
		if err := t.refuseTimesAsNames(s, labels.named, o); err != nil {
			return nil, err
		}
		err = t.placed(distinct(s.Names, func(i int) (string, int, int) { return place1(i), t.line[0], columns[i] + 1 }))
		isText := func(name string) bool { return parse.IsText(name, true) }
		if err != nil && labels.named && !slices.ContainsFunc(s.Names, isText) {
			err = t.asking("transpose", t.faultAt(t.line[0], 0, "%s", rowsAreVertices("numbers", s.Names)))
		}
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
	if o.Columns == nil { // else somebody asked for them
		t.noteIdentifiers(s, columns, r0)
	}
	if note := t.partColumns.unread(t.joined, columns); note != "" {
		s.Notes = append(s.Notes, note)
	}
	observation := func(m int) string { return t.place(t.line[r0+m], 0) }
	o.setTimes(s, labels.times, observation)
	s.Y = newDense(t.valuesOf(r0, columns), len(t.line)-r0, len(columns), true)
	if t.blankLines > 0 {
		noteDropped(s, t.blankLines, t.place(t.firstBlankLine, 0))
	}
	return s, o.dropEmptyObservations(s, observation)
}

// heads returns how many rows and columns of a table with vertices in rows stand before its values.
func (t *table) heads() (rows, columns int) {
	if t.isDataFrame() {
		return 1, 1
	}
	if t.width == 1 {
		return count(t.isText(t.firstRow[0])), 0
	}
	rows = count(slices.ContainsFunc(t.firstRow[1:], t.isText) || t.numbersAsNames() != "")
	if !slices.ContainsFunc(t.firstColumn[rows:], t.isText) && (rows == 0 || t.firstRow[0] != "") {
		return rows, 0
	}
	return max(rows, count(t.firstRow[0] == "")), 1
}

// count is 1 for what is there.
func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// verticesInRows reads the table as signals with vertices in rows.
func (t *table) verticesInRows(o ReadOptions) (*signals.Set, error) {
	r0, c0 := t.heads()
	if len(t.line) == r0 {
		return nil, t.faultAt(t.line[0], 0, "there is a header but no row of numbers below it")
	}
	s := &signals.Set{Notes: t.notes}
	if r0 == 0 && t.firstRowIsTime() {
		r0 = 1
	}
	var labels labelColumns
	for c := range t.width {
		if c == 0 && c0 == 1 || t.isLeft(c) {
			labels.columns = append(labels.columns, c)
		} else if t.words[c] != nil && c >= c0 {
			labels.columns = append(labels.columns, c)
			note(&s.Notes, "column %d is text and is left out", c+1)
		}
	}
	columns := labels.others(t.width)
	if err := t.checkWords(len(columns)); err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, fault("there is no column of numbers")
	}
	times := t.timesInFirstRow(c0, columns)
	switch {
	case r0 == 1 && times != nil:
		note(&s.Notes, "%s is read as the times of the observations", t.place(t.line[0], 0))
	case r0 == 1:
		note(&s.Notes, "%s is treated as row labels", t.place(t.line[0], 0))
	}
	var err error
	if c0 == 1 {
		s.Names = t.firstColumn[r0:]
		err = t.placed(distinct(s.Names, func(i int) (string, int, int) {
			return t.lineWord() + " " + strconv.Itoa(t.line[r0+i]), t.line[r0+i], 1
		}))
	} else if t.width == 1 {
		if i := slices.IndexFunc(t.firstColumn[r0:], t.isText); i >= 0 {
			err = t.textFault(t.firstColumn[r0+i], t.line[r0+i], 0)
		}
	}
	if err == nil && t.blankLines > 0 {
		err = t.faultAt(t.firstBlankLine, 0, "there is no value here: give every vertex at least one, or leave out its line")
	}
	if err == nil {
		s.Names, err = o.vertexNames(s.Names, len(t.line)-r0)
	}
	if r0 == 0 {
		times = nil
	}
	if err == nil {
		times, err = o.observationTimes(times, len(columns))
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
	observation := func(m int) string { return "column " + strconv.Itoa(columns[m]+1) }
	o.setTimes(s, times, observation)
	s.Y = newDense(t.valuesOf(r0, columns), len(t.line)-r0, len(columns), false)
	return s, o.dropEmptyObservations(s, observation)
}

// checkValues refuses infinite values of some columns from row r0 on. name is that of the
// vertex of a row and one of the columns.
func (t *table) checkValues(r0 int, columns []int, name func(r, i int) string) error {
	for r := r0; r < len(t.line); r++ {
		for i, c := range columns {
			if math.IsInf(t.value[r*t.width+c], 0) {
				return t.faultAt(t.line[r], c+1,
					"the value (of %s) is not finite: it must be a number below 1.8e308 in size", quote(name(r, i)))
			}
		}
	}
	return nil
}

// at is the value of a cell, NaN if it is missing or text.
func (t *table) at(r, c int) float64 { return t.value[r*t.width+c] }

// valuesOf returns the values of some columns from row r0 on. The table is spent.
func (t *table) valuesOf(r0 int, columns []int) []float64 {
	if len(columns) == t.width {
		return t.value[r0*t.width:]
	}
	b := t.value[:0]
	for r := r0; r < len(t.line); r++ {
		for _, c := range columns {
			b = append(b, t.at(r, c))
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
