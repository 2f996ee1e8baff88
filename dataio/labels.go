package dataio

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/signals"
)

// labelColumns are the columns of a table that are not vertices: they say when a row was
// observed, or label it otherwise.
type labelColumns struct {
	columns []int
	times   []time.Time // one for each row below the header; nil if they are not known
	named   bool        // the first labels rows by text that says nothing of times
	notes   []string
}

// others returns the columns that are not labels.
func (l labelColumns) others(width int) []int {
	var list []int
	for c := range width {
		if !slices.Contains(l.columns, c) {
			list = append(list, c)
		}
	}
	return list
}

// timeColumns returns the columns, but for the first, whose names say that they are
// times, with room for their cells.
func timeColumns(header []string) map[int][]string {
	text := map[int][]string{}
	for c, name := range header {
		if c > 0 && parse.SaysTime(name) {
			text[c] = nil
		}
	}
	return text
}

// askFor makes labels of columns of these names; the first row is a header then.
func (t *table) askFor(labels []string, line int) error {
	for _, name := range labels {
		c := slices.Index(t.firstRow, name)
		if c < 0 {
			return t.faultAt(line, 0, "there is no column %s: the columns are %s", quote(name), someNames(t.firstRow))
		}
		if !slices.Contains(t.asked, c) {
			t.asked = append(t.asked, c)
			t.text[c] = nil
		}
	}
	return nil
}

// someNames lists the first few names, as many as a sentence has room for.
func someNames(names []string) string {
	const few, letters = 8, 80
	list := ""
	for k, name := range names {
		next := quote(name)
		if k > 0 {
			next = list + ", " + next
		}
		if k == few || k > 0 && utf8.RuneCountInString(next) > letters {
			return fmt.Sprintf("%s and %d more", list, len(names)-k)
		}
		list = next
	}
	return list
}

// setLabels keeps the columns that were asked for.
func (t *table) setLabels(s *signals.Set, r0 int) {
	for _, c := range t.asked {
		if s.Labels == nil {
			s.Labels = map[string][]string{}
		}
		cells := slices.Clone(t.text[c][r0:])
		for k := range cells {
			cells[k] = strings.TrimSpace(cells[k])
		}
		s.Labels[t.firstRow[c]] = cells
	}
}

// pickLabels takes the labels of some observations.
func pickLabels(s *signals.Set, at []int) {
	for name, all := range s.Labels {
		picked := make([]string, len(at))
		for k, m := range at {
			picked[k] = all[m]
		}
		s.Labels[name] = picked
	}
}

// labels finds the columns that are not vertices. Rows are from r0 on, below a header if
// that is 1.
func (t *table) labels(r0 int) (labelColumns, error) {
	l := &labelling{table: t, r0: r0}
	for _, c := range t.asked {
		l.take(c, "")
	}
	if !slices.Contains(t.asked, 0) {
		if err := l.readFirst(); err != nil && !t.isLeft(0) {
			return l.labelColumns, err
		}
		if t.isLeft(0) && l.times == nil { // it has no times, and nobody asked for it
			l.take(0, "")
		}
	}
	for _, c := range slices.Sorted(maps.Keys(t.text)) {
		if slices.Contains(t.asked, c) || t.isLeft(c) {
			continue
		}
		if err := l.read(c); err != nil {
			return l.labelColumns, err
		}
	}
	l.readWords()
	l.joinClock()
	for c := range t.width {
		if t.isLeft(c) && c > 0 {
			l.take(c, "")
		}
	}
	for _, c := range slices.Sorted(maps.Keys(l.asLabel)) {
		l.columns = append(l.columns, c)
		if note := l.asLabel[c]; note != "" {
			l.labelColumns.notes = append(l.labelColumns.notes, note)
		}
	}
	return l.labelColumns, nil
}

// A labelling looks for the labels of a table.
type labelling struct {
	*table
	labelColumns

	r0      int
	asLabel map[int]string // the labels, with the note on each
	date    int            // the column of dates without a clock that times are from
	clock   int            // a column of times of day
	clocks  []string
}

// take makes a label of a column.
func (l *labelling) take(c int, note string) {
	if l.asLabel == nil {
		l.asLabel = map[int]string{}
	}
	l.asLabel[c] = note
}

// called is a column in a sentence.
func (l *labelling) called(c int) string {
	number := "column " + strconv.Itoa(c+1)
	if l.r0 == 1 && l.firstRow[c] != "" {
		return number + ", " + quote(l.firstRow[c]) + ","
	}
	return number
}

// takeTimes makes the times of a column those of the observations, if they are the
// first that are found, and not the days of what parts of times say more finely.
func (l *labelling) takeTimes(c int, times []time.Time) {
	if l.times != nil || l.parts != nil && !slices.Contains(l.parts, c) && areCoarser(times, l.joined.Times) {
		l.take(c, l.called(c)+" is treated as row labels")
		return
	}
	l.times, l.date = times, c
	if slices.Contains(l.parts, c) {
		l.take(c, columnsRead(l.firstRow, l.parts))
		return
	}
	l.take(c, l.called(c)+" is read as the times of the observations")
}

// readFirst sees what the first column is.
func (l *labelling) readFirst() error {
	isLabel, err := l.hasLabels(l.r0)
	if err != nil {
		return err
	}
	cells, values := l.firstColumn[l.r0:], l.numbers(0)
	framed := l.isDataFrame() || l.r0 == 1 && l.width > 1 && l.firstRow[0] == ""
	switch {
	case isLabel:
		l.named = !l.takeText(0, cells, "column 1 is treated as row labels")
	case framed:
		if times := parse.Epochs(values); times != nil {
			l.takeTimes(0, times)
		} else {
			l.take(0, "column 1 is treated as row labels")
		}
	case l.width == 1:
	case l.r0 == 1 && parse.SaysTime(l.firstRow[0]):
		l.takeNumbers(0)
	case l.r0 == 1 && l.width > 2 && parse.IsRowCounter(l.firstRow[0]) && parse.CountsByOne(values):
		l.take(0, l.called(0)+" counts the rows and is treated as row labels")
	default:
		if times := parse.EpochsByLook(values); times != nil {
			l.takeTimes(0, times)
		}
	}
	return nil
}

// read sees what another column is whose name says that it is one of times.
func (l *labelling) read(c int) error {
	cells := l.text[c][l.r0:]
	text := slices.IndexFunc(cells, l.isText)
	switch {
	case text < 0:
		l.takeNumbers(c)
		return nil
	case slices.ContainsFunc(cells, func(cell string) bool { _, k := l.style.Label(cell); return k == parse.Number }):
		return l.textFault(cells[text], l.line[l.r0+text], c)
	}
	if !l.takeText(c, cells, l.called(c)+" is treated as row labels") {
		return l.textFault(cells[text], l.line[l.r0+text], c)
	}
	return nil
}

// takeText makes labels of a column of text, and reports whether they are times.
func (l *labelling) takeText(c int, cells []string, note string) bool {
	times, why := parse.Times(cells)
	switch {
	case times != nil:
		l.takeTimes(c, times)
		return true
	case why == parse.SomeLack:
		k := slices.IndexFunc(cells, parse.IsMissing)
		l.take(c, fmt.Sprintf("%s: %s has no time", note, l.place(l.line[l.r0+k], 0)))
		return true
	case why == parse.Ambiguous:
		l.take(c, note+": day and month of "+quote(cells[0])+" cannot be told apart, write dates as 2024-01-31")
		return true
	}
	l.take(c, note)
	if areClocks(cells) {
		l.clock, l.clocks = c, cells
		return true
	}
	return false
}

// takeNumbers sees whether numbers, under a name that says time, are times or labels.
func (l *labelling) takeNumbers(c int) {
	values := l.numbers(c)
	times, label := parse.NumbersAsTimes(values)
	switch {
	case times != nil:
		l.takeTimes(c, times)
	case !label || l.width <= 2:
	case parse.CountsByOne(values):
		l.take(c, l.called(c)+" counts the rows and is treated as row labels")
	case values[1] > values[0]:
		l.take(c, l.called(c)+" rises throughout and is treated as row labels")
	default:
		l.take(c, l.called(c)+" falls throughout and is treated as row labels")
	}
}

// joinClock adds the times of day of one column to the dates of another.
func (l *labelling) joinClock() {
	if l.times == nil || l.clocks == nil || !areDays(l.times) {
		return
	}
	l.times = addClocks(l.times, l.clocks)
	from := []int{l.date, l.clock}
	if slices.Contains(l.parts, l.date) {
		from = append(slices.Clone(l.parts), l.clock)
	}
	l.asLabel[l.date], l.asLabel[l.clock] = "", ""
	l.asLabel[min(l.date, l.clock)] = columnsRead(l.firstRow, from)
}

// numbers returns those of a column, NaN where there is none.
func (l *labelling) numbers(c int) []float64 { return l.numbersOf(c, l.r0) }

// numbersOf returns those of a column from row r0 on, NaN where there is none.
func (t *table) numbersOf(c, r0 int) []float64 {
	values := make([]float64, 0, len(t.line)-r0)
	for r := r0; r < len(t.line); r++ {
		values = append(values, t.at(r, c))
	}
	return values
}

// startsWithTime reports whether the first row is one of numbers after a time, as all
// others are, and so no header.
func (t *table) startsWithTime() bool {
	if t.width < 2 || slices.ContainsFunc(t.firstRow[1:], t.isText) || parse.IsMissing(t.firstRow[0]) {
		return false
	}
	_, why := parse.Times(t.firstColumn)
	return why != parse.NotTimes
}

// firstRowIsTime tells, for a table with vertices in rows, whether its first row is
// one of times by name.
func (t *table) firstRowIsTime() bool {
	if t.width < 2 || len(t.line) < 3 || !parse.SaysTime(t.firstColumn[0]) {
		return false
	}
	_, label := parse.NumbersAsTimes(t.value[1:t.width])
	return label
}

// timesInFirstRow reads the first row, in some columns, as times; nil if they are none.
func (t *table) timesInFirstRow(c0 int, columns []int) []time.Time {
	var cells []string
	var values []float64
	for _, c := range columns {
		cells, values = append(cells, t.firstRow[c]), append(values, t.value[c])
	}
	if times, _ := parse.Times(cells); times != nil {
		return times
	}
	if c0 == 1 && parse.SaysTime(t.firstRow[0]) {
		times, _ := parse.NumbersAsTimes(values)
		return times
	}
	return parse.EpochsByLook(values)
}

// hasLabels reports whether the first column, from row r0 on, is text and so labels
// the rows. Text beside numbers is an error.
func (t *table) hasLabels(r0 int) (bool, error) {
	text, num := -1, -1 // the first row of each kind
	for r := r0; r < len(t.firstColumn); r++ {
		_, k := t.style.Label(t.firstColumn[r])
		if k == parse.Text && text < 0 {
			text = r
		}
		if k == parse.Number && num < 0 {
			num = r
		}
	}
	switch {
	case text < 0:
		return false, nil
	case t.width == 1:
		return false, t.textFault(t.firstColumn[text], t.line[text], 0)
	case t.loosen(r0):
		return false, nil
	case num >= 0 && t.style.IsUnclear(t.firstColumn[text]):
		return false, t.textFault(t.firstColumn[text], t.line[text], 0)
	case num >= 0:
		return false, t.faultAt(t.line[text], 1,
			"%s is not a number, but line %d has one in this column: a first column is all labels or all numbers",
			quote(t.firstColumn[text]), t.line[num])
	case !(r0 == 1 && t.firstRow[0] == "") && t.areAmounts(t.firstColumn[r0:]):
		return false, t.textFault(t.firstColumn[text], t.line[text], 0)
	}
	return true, nil
}

// loosen reads a first column of numbers among which some cells are marks of missing values, or have blanks between
// thousands; false if others are text, or none is a number.
func (t *table) loosen(r0 int) bool {
	some := false
	for _, cell := range t.firstColumn[r0:] {
		_, k := t.style.Cell(cell)
		if k == parse.Text {
			return false
		}
		some = some || k == parse.Number
	}
	for r := r0; some && r < len(t.firstColumn); r++ {
		t.value[r*t.width], _ = t.style.Cell(t.firstColumn[r])
	}
	return some
}

// timeHeader is the name of a column of times beside vertices of other names.
func timeHeader(names []string) string {
	name := "time"
	for slices.Contains(names, name) {
		name += " of observation"
	}
	return name
}

// checkVertexColumns refuses signals a vertex of which would be read as times or labels.
func checkVertexColumns(s *signals.Set) error {
	width := len(s.Names)
	if s.Times != nil {
		width++
	}
	for i, name := range s.Names {
		values := s.Y.RawRowView(i)
		times, label := parse.NumbersAsTimes(values)
		byName := parse.SaysTime(name) && (times != nil || label && width > 2)
		first := i == 0 && width == len(s.Names) && width > 1 && !parse.SaysTime(name)
		if byName || first && (parse.EpochsByLook(values) != nil || width > 2 && parse.IsRowCounter(name) && parse.CountsByOne(values)) {
			return fault("vertex %s would be read as the times or labels of the observations: give it another name", quote(name))
		}
	}
	joined := parse.Calendar{Names: s.Names, Column: s.Y.RawRowView, Days: func() []time.Time {
		if s.Times == nil || !areDays(s.Times) {
			return nil
		}
		return s.Times
	}}.Join()
	if of := joined.Columns; width > 2 && (of != nil || joined.Bad != nil) {
		if of == nil {
			of = joined.Bad.Columns
		}
		return fault("vertex %s would be read as part of the times of the observations: give it another name", quote(s.Names[of[0]]))
	}
	if s.Times != nil && width == 3 &&
		(saysOneOf(s.Names[0], keyWords) && saysOneOf(s.Names[1], valueWords) ||
			namesIdentifiers(s.Names[0]) != namesIdentifiers(s.Names[1]) && timesRepeat(s.Times)) {
		return fault(
			"vertices %s and %s would be read as the times or labels of the observations and their values: give them other names",
			quote(s.Names[0]), quote(s.Names[1]))
	}
	return nil
}

// timesRepeat reports whether a time, of those in order, comes twice.
func timesRepeat(times []time.Time) bool {
	return len(slices.CompactFunc(slices.Clone(times), time.Time.Equal)) < len(times)
}
