package dataio

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// Which columns of a table are read: those that are chosen, and of these the ones that hold numbers.

// choose marks the columns that are not among those asked for. Columns whose names say that they are times are
// kept, and the first is looked at: it may have the times or the names of rows.
func (t *table) choose(asked []string, line int) error {
	if asked == nil {
		return nil
	}
	t.left, t.values = make([]bool, t.width), make([]bool, t.width)
	for c := range t.left {
		t.left[c] = !parse.SaysTime(t.firstRow[c])
	}
	for _, what := range asked {
		from, to, err := columnsCalled(what, t.firstRow)
		if err != nil {
			return t.faultAt(line, 0, "%s", err)
		}
		for c := from; c <= to; c++ {
			t.left[c], t.values[c] = false, true
		}
	}
	return nil
}

// columnsCalled returns the first and the last column, from 0, that are meant by a name, a number from 1, or a
// range such as 3-10, 3- or a:d. A name comes before a number.
func columnsCalled(what string, names []string) (from, to int, err error) {
	if c := slices.Index(names, what); c >= 0 {
		return c, c, nil
	}
	number := func(text string, without int) int {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		switch {
		case text == "":
			return without
		case err != nil || n < 1:
			return -1
		}
		return n - 1
	}
	first, last, isRange := strings.Cut(what, "-")
	if from, to = number(first, -1), number(first, -1); isRange {
		to = number(last, len(names)-1)
	}
	if a, b, named := strings.Cut(what, ":"); named && from < 0 {
		from, to = slices.Index(names, a), slices.Index(names, b)
	}
	switch {
	case from < 0 || to < 0:
		return 0, 0, fault("there is no column %s: the columns are %s", quote(what), someNames(names))
	case from > to:
		return 0, 0, fault("the columns %s run backwards", quote(what))
	case to >= len(names):
		return 0, 0, fault("there is no column %d: there are %d", to+1, len(names))
	}
	return from, to, nil
}

func (t *table) isLeft(c int) bool { return t.left != nil && t.left[c] }

// leave leaves a column out.
func (t *table) leave(c int) {
	if t.left == nil {
		t.left = make([]bool, t.width)
	}
	t.left[c] = true
}

// takeWord keeps a cell of a column that may be text throughout. Text beside numbers is an error, and so is
// what may be meant for a number.
func (t *table) takeWord(cell string, k parse.Kind, line, c int) error {
	kept, isText := t.words[c]
	switch {
	case k == parse.Text && !isText:
		from := 1
		if t.headerless {
			from = 0
		}
		for r := from; r < len(t.line); r++ {
			if v := t.at(r, c); v == v {
				return t.textFault(cell, line, c)
			}
		}
		if t.words == nil {
			t.words = map[int][]string{}
		}
		kept = make([]string, len(t.line), 2*len(t.line)+1)
		if len(kept) > 0 {
			kept[0] = t.firstRow[c]
		}
	case !isText:
		return nil
	case k == parse.Number:
		from := len(t.words[c]) - 1
		for from > 0 && !t.isWord(t.words[c][from]) {
			from--
		}
		return t.textFault(t.words[c][from], t.line[from], c)
	}
	if k == parse.Text && mayBeNumber(cell) {
		return t.textFault(cell, line, c)
	}
	if n := len(kept); n > 0 && kept[n-1] == cell { // as sites and remarks often are
		cell = kept[n-1]
	} else {
		cell = strings.Clone(cell)
	}
	t.words[c] = append(kept, cell)
	return nil
}

// isWord reports whether a cell is text and nothing that may be a number.
func isWord(cell string) bool { return parse.IsText(cell, true) && !mayBeNumber(cell) }

func (t *table) isWord(cell string) bool {
	_, k := t.style.Cell(cell)
	return k == parse.Text
}

// mayBeNumber reports whether somebody may have meant a number by a text, such as 12 %, < 0.5 or 3,4 kg.
// Dates, times of day and addresses of computers are none.
func mayBeNumber(cell string) bool {
	bare := strings.TrimLeft(cell, "<>=≤≥~≈±+-−–'\"$€£¥ ([")
	first, size := utf8.DecodeRuneInString(bare)
	if !strings.ContainsFunc(cell, unicode.IsLetter) && !unicode.IsDigit(first) { // as ? and ...
		return !parse.IsClock(cell)
	}
	if (first == '.' || first == ',') && len(bare) > size {
		first = rune(bare[size])
	}
	return unicode.IsDigit(first) && !isStamp(cell) && !parse.IsClock(cell) && !parse.IsAddress(cell)
}

// readWords makes labels of the columns of text, or times of one that has them.
func (l *labelling) readWords() {
	for _, c := range slices.Sorted(maps.Keys(l.words)) {
		if cells := l.words[c][l.r0:]; !l.isLeft(c) {
			l.takeText(c, cells, l.called(c)+" is text and is left out")
		}
	}
}

// checkWords refuses a table most columns of which are text: they are what it is about, such as the
// answers of a survey.
func (t *table) checkWords(numbers int) error {
	text, where := 0, ""
	for _, c := range slices.Sorted(maps.Keys(t.words)) {
		cells := t.words[c][1:]
		if times, _ := parse.Times(cells); times != nil || areClocks(cells) || t.isLeft(c) {
			continue
		}
		if text++; text > 1 {
			continue
		}
		where = fmt.Sprintf("column %d", c+1)
		if k := slices.IndexFunc(cells, func(cell string) bool { return cell != "" }); k >= 0 {
			where += ": " + quote(cells[k])
		}
	}
	const fewest = 2 // for a graph
	if text == 0 || numbers >= max(text, fewest) {
		return nil
	}
	return t.asking("columns",
		fault("%s text (%s) and %s numbers: code ordered answers as numbers such as 1 to 5, or choose the columns to read",
			holding(text, "column"), where, holding(numbers, "")))
}

// holding counts things that hold something.
func holding(n int, what string) string {
	verb := " hold"
	if n == 1 {
		verb = " holds"
	}
	if what == "" {
		return strconv.Itoa(n) + verb
	}
	return words.Plural(n, what) + verb
}

// asking says which option of a reader mends a fault.
func (t *table) asking(option string, e *input.Error) *input.Error {
	e.Option = option
	return e
}

// isWhole reports whether a column has nothing but whole numbers from a row on.
func (t *table) isWhole(c, from int) bool {
	for r := from; r < len(t.line); r++ {
		if v := t.at(r, c); v != math.Trunc(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// noteIdentifiers notes which of the columns that become vertices look like identifiers of the rows.
func (t *table) noteIdentifiers(s *signals.Set, columns []int, r0 int) {
	const enough = 3 // rows, to be no chance
	for _, c := range columns {
		if r0 == 0 || len(t.line)-r0 < enough || !namesIdentifiers(t.firstRow[c]) || !t.isWhole(c, r0) {
			continue
		}
		seen := map[float64]bool{}
		for r := r0; r < len(t.line); r++ {
			seen[t.at(r, c)] = true
		}
		if len(seen) == len(t.line)-r0 {
			note(&s.Notes, "column %d, %s, looks like an identifier and is learned as a vertex: "+
				"leave it out by choosing the columns to read", c+1, quote(t.firstRow[c]))
		}
	}
}

// leaveEmptyColumns leaves out columns that neither a name nor a value is in, as separators at the end of
// lines make them.
func (t *table) leaveEmptyColumns(r0 int, keepEmpty bool) {
	if r0 == 0 && keepEmpty {
		return
	}
	for c := t.width - 1; c > 0; c-- {
		switch isEmpty := t.firstRow[c] == "" && !t.hasValues(c, 0); {
		case isEmpty && !t.isLeft(c):
			t.leave(c)
			note(&t.notes, "column %d is empty and is left out", c+1)
		case !isEmpty && r0 == 0: // without names, only at the end
			return
		}
	}
}

// hasValues reports whether there is anything in a column from a row on.
func (t *table) hasValues(c, from int) bool {
	if t.words[c] != nil || t.text[c] != nil && slices.ContainsFunc(t.text[c][from:], func(cell string) bool { return cell != "" }) {
		return true
	}
	for r := from; r < len(t.line); r++ {
		if v := t.at(r, c); v == v {
			return true
		}
	}
	return false
}

// dropEmptyRows drops the rows without anything in them from a table with a column of text, whose times and
// labels they would leave incomplete.
func (t *table) dropEmptyRows(r0 int) {
	if t.words == nil && !slices.ContainsFunc(t.firstColumn[r0:], t.isText) &&
		!slices.ContainsFunc(slices.Collect(maps.Values(t.text)), func(cells []string) bool {
			return slices.ContainsFunc(cells[r0:], t.isText)
		}) {
		return
	}
	t.dropBare(r0)
}

// dropBare drops the rows without anything in them.
func (t *table) dropBare(r0 int) {
	t.keepRows(func(r int) bool {
		if r < r0 || t.firstColumn[r] != "" || !t.isBare(r) {
			return true
		}
		if t.blankLines++; t.blankLines == 1 {
			t.firstBlankLine = t.line[r]
		}
		return false
	})
}

// isBare reports whether a row has nothing behind its first cell.
func (t *table) isBare(r int) bool {
	for c := 1; c < t.width; c++ {
		if v := t.at(r, c); v == v || t.words[c] != nil && t.words[c][r] != "" || t.text[c] != nil && t.text[c][r] != "" {
			return false
		}
	}
	return true
}

// keepRows drops the rows that are not to be kept.
func (t *table) keepRows(keep func(r int) bool) {
	var kept []int
	for r := range t.line {
		if keep(r) {
			kept = append(kept, r)
		}
	}
	if len(kept) == len(t.line) {
		return
	}
	values := t.value[:0]
	for _, r := range kept {
		values = append(values, t.value[r*t.width:(r+1)*t.width]...)
	}
	t.value = values
	pick := func(cells []string) []string {
		var some []string
		for _, r := range kept {
			some = append(some, cells[r])
		}
		return some
	}
	t.firstColumn = pick(t.firstColumn)
	for _, columns := range []map[int][]string{t.text, t.words} {
		for c, cells := range columns {
			columns[c] = pick(cells)
		}
	}
	var lines []int
	for _, r := range kept {
		lines = append(lines, t.line[r])
	}
	t.line = lines
}
