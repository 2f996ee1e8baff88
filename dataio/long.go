package dataio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// A long table has a row for each value: when or of what it was observed, by which sensor, and the value. It is
// recognised by its columns: one of values, one of names that come again and again, and at least one that tells
// observations apart, so that no name comes twice in an observation.

// Words of headers that say what a column of a long table holds, in lower case.
var (
	keyWords = strings.Fields(`sensor station site variable channel name key parameter param metric item symbol ticker stock id
		node entity gauge detector electrode gene region roi country location loc tag series signal device
		point measure attribute messstelle capteur code`)
	valueWords = strings.Fields(`value values val reading readings measurement y x obs observation level amount price close count
		wert messwert valeur valor valore`)
)

// saysOneOf reports whether a header consists of such words, numbers and units aside.
func saysOneOf(header string, list []string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(header), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if slices.Contains(list, word) {
			return true
		}
	}
	return false
}

// namesIdentifiers reports whether a header says that its column identifies what a row is of, such as id, station_id,
// SensorID or No.
func namesIdentifiers(header string) bool {
	for _, word := range []string{"id", "no", "nr"} {
		if strings.EqualFold(header, word) {
			return true
		}
	}
	rest := len(header) - len("id")
	if rest < 1 || !strings.EqualFold(header[rest:], "id") {
		return false
	}
	before := rune(header[rest-1])
	return strings.ContainsRune("_-. ", before) || header[rest] == 'I' && unicode.IsLower(before) ||
		slices.Contains(keyWords, strings.ToLower(header[:rest]))
}

// A longTable says which columns of a table hold what.
type longTable struct {
	*table
	r0      int
	when    []int // what tells observations apart: times, or what labels or counts them
	name    int
	value   int
	names   []string // of the vertices
	times   []string // of the observations, or what they are called
	atName  []int    // of each row, which vertex it is
	atTime  []int
	numbers []int // the columns of numbers but for those that count
	others  []int // the other columns of text
}

// long reads a long table; nil if it is none.
func (t *table) long(r0 int, o ReadOptions) (*signals.Set, error) {
	if t.asked != nil || t.width < 3 || len(t.line)-r0 < 4 {
		return nil, nil
	}
	l := &longTable{table: t, r0: r0, name: -1, value: -1}
	if !l.sort() {
		return nil, nil
	}
	if err := l.locate(o); err != nil || l.names == nil {
		return nil, err
	}
	return l.signals(o)
}

// cellsOf returns the cells of a column as text, from row r0 on.
func (l *longTable) cellsOf(c int) []string {
	switch {
	case c == 0:
		return l.firstColumn[l.r0:]
	case l.text[c] != nil:
		return l.text[c][l.r0:]
	case l.words[c] != nil:
		return l.words[c][l.r0:]
	}
	cells := make([]string, len(l.line)-l.r0)
	for k := range cells {
		cells[k] = formatNumber(l.at(l.r0+k, c))
	}
	return cells
}

// header is the name of a column, empty if there is none.
func (l *longTable) header(c int) string {
	if l.r0 == 0 {
		return ""
	}
	return l.firstRow[c]
}

// sort sees what the columns hold, and reports whether they are those of a long table.
func (l *longTable) sort() bool {
	var texts []int
	for c := range l.width {
		if l.isLeft(c) && (c > 0 || !l.isTime(0)) && !l.isYears(c) {
			continue
		}
		switch {
		case l.isTime(c) || l.isYears(c) || c == 0 && l.r0 == 1 && (parse.IsRowCounter(l.header(0)) || l.header(0) == ""):
			l.when = append(l.when, c)
		case l.isTextColumn(c):
			texts = append(texts, c)
		default:
			l.numbers = append(l.numbers, c)
		}
	}
	if len(texts) > 0 && len(l.numbers) == 0 || len(l.numbers) == 0 {
		return false
	}
	byName := slices.DeleteFunc(slices.Clone(texts), func(c int) bool { return !saysOneOf(l.header(c), keyWords) })
	switch {
	case len(texts) == 0: // numbers for names
		if len(l.when) == 0 || len(l.numbers) != 2 {
			return false
		}
		a, b := l.numbers[0], l.numbers[1]
		switch {
		case saysOneOf(l.header(a), keyWords) && saysOneOf(l.header(b), valueWords):
		case l.hasIdentifiers(a) && !l.hasIdentifiers(b):
		case l.hasIdentifiers(b) && !l.hasIdentifiers(a):
			a, b = b, a
		default:
			return false
		}
		l.name, l.numbers = a, []int{b}
	case len(texts) > 0 && len(l.when) > 0 && l.namedBy(texts) >= 0:
		l.name = l.namedBy(texts)
	case len(texts) == 2 && len(l.when) == 0 && len(l.numbers) == 1: // of what, and by what
		if len(byName) == 2 {
			byName = byName[1:] // such as id, variable, value
		}
		if len(byName) != 1 {
			return false
		}
		l.name = byName[0]
		l.when = slices.DeleteFunc(texts, func(c int) bool { return c == l.name })
	case len(l.when) > 0 && len(byName) == 1:
		l.name = byName[0]
	default:
		return false
	}
	l.value = l.numbers[0]
	l.others = slices.DeleteFunc(texts, func(c int) bool { return c == l.name || slices.Contains(l.when, c) })
	return true
}

// namedBy returns the first of the columns of text that says what the others hold, such as country beside its code; -1
// if there is none.
func (l *longTable) namedBy(texts []int) int {
	k := slices.IndexFunc(texts, func(c int) bool {
		of, names := numbered(l.cellsOf(c))
		return len(texts) == 1 || !slices.Contains(names, "") && !slices.ContainsFunc(texts, func(other int) bool {
			held := make(map[int]string, len(names))
			for k, cell := range l.cellsOf(other) {
				if before, is := held[of[k]]; is && before != cell {
					return true
				}
				held[of[k]] = cell
			}
			return false
		})
	})
	if k < 0 {
		return -1
	}
	return texts[k]
}

// isYears reports whether a column has years.
func (l *longTable) isYears(c int) bool {
	return l.r0 == 1 && parse.SaysYear(l.header(c)) && !l.isTextColumn(c) && parse.AreYears(l.numbersOf(c, l.r0))
}

// hasIdentifiers reports whether a table of times and two columns of numbers has a row for each value by this one: it says
// that it identifies what the values are of, its numbers are whole and come again at other times, and most have a value at each.
func (l *longTable) hasIdentifiers(c int) bool {
	if len(l.numbers) != 2 || len(l.when) != 1 || !namesIdentifiers(l.header(c)) || !l.isWhole(c, l.r0) {
		return false
	}
	_, names := numbered(l.cellsOf(c))
	_, times := numbered(l.cellsOf(l.when[0]))
	rows := len(l.line) - l.r0
	return len(names) < rows && len(times) < rows && isHalfFull(names, times, rows)
}

// isHalfFull reports whether at least half of all names and times have a row.
func isHalfFull(names, times []string, rows int) bool { return len(names)*len(times) <= 2*rows }

// isTime reports whether a column has times of observations.
func (l *longTable) isTime(c int) bool {
	if l.r0 == 1 && parse.SaysTime(l.header(c)) {
		return true
	}
	if !l.isTextColumn(c) {
		return false
	}
	cells := l.cellsOf(c)
	_, why := parse.Times(cells)
	return why != parse.NotTimes || !slices.ContainsFunc(cells, func(cell string) bool { return !parse.IsClock(cell) })
}

// isTextColumn reports whether a column has text and no numbers.
func (l *longTable) isTextColumn(c int) bool {
	if c > 0 {
		return l.words[c] != nil
	}
	some := false
	for _, cell := range l.firstColumn[l.r0:] {
		_, k := l.style.Label(cell)
		if k == parse.Number {
			return false
		}
		some = some || k == parse.Text
	}
	return some
}

// locate finds the vertex and the observation of every row. There are no names if the table is a wide one.
func (l *longTable) locate(o ReadOptions) error {
	var keys []string
	for _, c := range l.when {
		for k, cell := range l.cellsOf(c) {
			if len(keys) <= k {
				keys = append(keys, cell)
			} else {
				keys[k] += " " + cell
			}
		}
	}
	cells := l.cellsOf(l.name)
	var names, times []string
	l.atName, names = numbered(cells)
	l.atTime, times = numbered(keys)
	rows := len(cells)
	named, text := saysOneOf(l.header(l.name), keyWords), l.isTextColumn(l.name)
	yearOnly := len(l.when) == 1 && l.isYears(l.when[0]) && !named // which may be a property, such as that of a car
	switch {
	case len(names) == rows || len(names) < 2 || slices.Contains(names, ""):
		return nil
	case len(times) == rows: // no two values belong together: a remark is no name
		return nil
	case yearOnly && !isHalfFull(names, times, rows):
		return nil
	}
	seen := make(map[[2]int]int, rows)
	for k := range rows {
		at := [2]int{l.atTime[k], l.atName[k]}
		first, twice := seen[at]
		seen[at] = k
		if !twice {
			continue
		}
		if !text || len(l.numbers) > 1 || yearOnly {
			return nil
		}
		remedy := "a table with a row for each value needs one of each at a time"
		if len(l.others) > 0 && named {
			other := quote(l.header(l.others[0]))
			remedy = fmt.Sprintf("keep the rows of one %s, or join it and %s in one column", other, quote(l.header(l.name)))
		}
		return l.faultAt(l.line[l.r0+k], 0, "this row has a second value of %s at %s, after %s %d: %s",
			quote(names[l.atName[k]]), quote(times[l.atTime[k]]), l.lineWord(), l.line[l.r0+first], remedy)
	}
	if len(l.numbers) > 1 {
		return l.asking(
			"columns",
			fault(
				"the table has a row for each %s and time, but %d columns of values (%s): choose %s and one of them as the columns to read",
				quote(l.header(l.name)), len(l.numbers), l.headers(l.numbers), quote(l.header(l.name))),
		)
	}
	if err := o.checkSize(len(times), len(names), fmt.Sprintf("%d×%d", len(times), len(names))); err != nil {
		return err
	}
	l.names, l.times = names, times
	return nil
}

// headers lists the names of columns.
func (l *longTable) headers(columns []int) string {
	var list []string
	for _, c := range columns {
		list = append(list, l.header(c))
	}
	return someNames(list)
}

// numbered gives texts numbers in the order in which they first come.
func numbered(texts []string) (number []int, list []string) {
	known := map[string]int{}
	for _, text := range texts {
		k, is := known[text]
		if !is {
			k = len(list)
			known[text] = k
			list = append(list, text)
		}
		number = append(number, k)
	}
	return number, list
}

// signals makes a table with a column for each name.
func (l *longTable) signals(o ReadOptions) (*signals.Set, error) {
	s := &signals.Set{Y: mat.NewDense(len(l.names), len(l.times), nil)}
	for i := range l.names {
		for k := range l.times {
			s.Y.Set(i, k, math.NaN())
		}
	}
	firstLine := make([]int, len(l.times))
	for k := range l.atName {
		r := l.r0 + k
		v := l.at(r, l.value)
		if math.IsInf(v, 0) {
			return nil, l.faultAt(l.line[r], l.value+1, "the value is not finite: it must be a number below 1.8e308 in size")
		}
		if firstLine[l.atTime[k]] == 0 {
			firstLine[l.atTime[k]] = l.line[r]
		}
		s.Y.Set(l.atName[k], l.atTime[k], v)
	}
	names := l.names
	if !l.isTextColumn(l.name) { // numbers alone would not read back
		names = slices.Clone(names)
		for i, name := range names {
			names[i] = l.header(l.name) + " " + name
		}
	}
	var err error
	if s.Names, err = o.vertexNames(names, len(names)); err != nil {
		return nil, err
	}
	times, err := o.observationTimes(l.observed(), len(l.times))
	if err != nil {
		return nil, err
	}
	s.Notes = slices.Clone(l.notes)
	if l.parts != nil {
		s.Notes = append(s.Notes, columnsRead(l.firstRow, l.parts))
	}
	note(&s.Notes, "the table has a row for each value: column %d%s names the vertices and column %d%s has their values, %s of %s",
		l.name+1, called(l.header(l.name)), l.value+1, called(l.header(l.value)),
		words.Plural(len(l.times), "observation"), words.Plural(len(names), "vertex"))
	observation := func(m int) string { return l.place(firstLine[m], 0) }
	o.setTimes(s, times, observation)
	return s, o.dropEmptyObservations(s, observation)
}

// called is the name of a column in brackets, if it has one.
func called(header string) string {
	if header == "" {
		return ""
	}
	return " (" + plainly(header) + ")"
}

// observed returns the times of the observations; nil if what tells them apart are none.
func (l *longTable) observed() []time.Time {
	if times, _ := parse.Times(l.times); times != nil {
		return times
	}
	if numbers := lineNumbers(l.times); numbers != nil && l.r0 == 1 && parse.SaysTime(l.header(l.when[0])) {
		times, _ := parse.NumbersAsTimes(numbers)
		return times
	} else if numbers != nil && len(l.when) == 1 && l.isYears(l.when[0]) {
		var times []time.Time
		for _, year := range numbers {
			times = append(times, time.Date(int(year), 1, 1, 0, 0, 0, 0, time.UTC))
		}
		return times
	}
	return nil
}
