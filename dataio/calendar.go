package dataio

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/internal/words"
)

// Times whose parts stand in columns of their own, such as year, month, day and hour, become one column of times before
// a table is looked at any further.

// partColumns are the columns of a table, of whatever format, in which there may be parts of times.
type partColumns struct {
	names   []string
	numbers func(c int) []float64 // nil if it has none
	texts   func(c int) []string  // nil if it is none of text
	days    func() []time.Time    // the dates of the rows where they are in no parts
	values  []bool                // the columns that were asked for as values; nil if none were
	labels  []int                 // those that were asked for as labels
}

// join joins the parts. What was asked for as a value is none, and what was left out or asked for as a label need not be right.
func (p partColumns) join() parse.Joined {
	names := slices.Clone(p.names)
	for c := range names {
		if p.values != nil && p.values[c] {
			names[c] = ""
		}
	}
	joined := parse.Calendar{Names: names, Days: p.days, Column: func(c int) []float64 {
		if cells := p.texts(c); cells != nil {
			return parse.Months(cells)
		}
		return p.numbers(c)
	}}.Join()
	if b := joined.Bad; b != nil &&
		slices.ContainsFunc(b.Columns, func(c int) bool { return p.values != nil || slices.Contains(p.labels, c) }) {
		joined.Bad = nil
	}
	return joined
}

// whyBad says what is wrong with a row of which the parts are no time.
func (p partColumns) whyBad(b *parse.BadPart) string {
	under, what := namesOf(p.names, b.Columns), "the number under %s is no time of day"
	switch {
	case b.Lacking:
		what = "there is no number under %s to tell the time of the row by"
	case len(b.Columns) > 1:
		what = "the numbers under %s are no date"
	}
	return fmt.Sprintf(what+": mend the row or leave it out, or choose the columns to read", under)
}

// unread says which of the columns that become vertices are called like parts of times; empty if none are.
func (p partColumns) unread(joined parse.Joined, vertices []int) string {
	var list []int
	for _, c := range joined.Called {
		if slices.Contains(vertices, c) {
			list = append(list, c)
		}
	}
	if p.values != nil || list == nil {
		return ""
	}
	verb, noun := "is called like a part of a time and is", "a vertex"
	if len(list) > 1 {
		verb, noun = "are called like parts of times and are", "vertices"
	}
	return fmt.Sprintf("%s %s learned as %s", columnsOfNames(p.names, list), verb, noun)
}

// namesOf lists the names of columns.
func namesOf(names []string, columns []int) string {
	var list []string
	for _, c := range columns {
		list = append(list, quote(names[c]))
	}
	return words.List(list, "and")
}

// columnsOfNames are columns in a sentence, by their numbers and names.
func columnsOfNames(names []string, columns []int) string {
	columns = slices.Sorted(slices.Values(columns))
	var numbers []string
	for _, c := range columns {
		numbers = append(numbers, strconv.Itoa(c+1))
	}
	noun := "column"
	if len(columns) > 1 {
		noun = "columns"
	}
	return fmt.Sprintf("%s %s, %s,", noun, words.List(numbers, "and"), namesOf(names, columns))
}

// columnsRead says that columns are read as the times of the observations.
func columnsRead(names []string, columns []int) string {
	return columnsOfNames(names, columns) + " are read as the times of the observations"
}

// joinTimes joins the columns of the parts of times below a header into the first of them.
func (t *table) joinTimes(r0 int) error {
	if r0 == 0 || t.width < 3 {
		return nil
	}
	date := -1
	t.partColumns = partColumns{
		names: t.firstRow, values: t.values, labels: t.asked,
		numbers: func(c int) []float64 { return t.numbersOf(c, r0) },
		texts:   func(c int) []string { return t.textsOf(c, r0) },
		days: func() (days []time.Time) {
			date, days = t.datesOf(r0)
			return days
		},
	}
	t.joined = t.partColumns.join()
	if b := t.joined.Bad; b != nil && t.firstColumn[r0+b.Row] == "" && t.isBare(r0+b.Row) {
		t.dropBare(r0)
		t.joined = t.partColumns.join()
	}
	if b := t.joined.Bad; b != nil {
		return t.asking("columns", t.faultAt(t.line[r0+b.Row], 0, "%s", t.partColumns.whyBad(b)))
	}
	columns := t.joined.Columns
	if columns != nil && date >= 0 {
		columns = slices.Sorted(slices.Values(append(columns, date)))
	}
	at := slices.IndexFunc(columns, func(c int) bool { return !slices.Contains(t.asked, c) })
	if at < 0 {
		return nil
	}
	t.parts = columns
	for k, c := range columns {
		switch {
		case k == at:
			t.setTimes(c, r0, t.joined.Times)
		case !slices.Contains(t.asked, c):
			t.leave(c)
		}
	}
	return nil
}

// textsOf returns the cells of a column of text from row r0 on; nil if it is one of numbers.
func (t *table) textsOf(c, r0 int) []string {
	switch {
	case t.words[c] != nil:
		return t.words[c][r0:]
	case c == 0 && slices.ContainsFunc(t.firstColumn[r0:], t.isText):
		return t.firstColumn[r0:]
	}
	return nil
}

// datesOf returns the first column of days without a clock; no days if there is none.
func (t *table) datesOf(r0 int) (c int, days []time.Time) {
	for c := range t.width {
		cells := t.textsOf(c, r0)
		if cells == nil && t.text[c] != nil {
			cells = t.text[c][r0:]
		}
		times, _ := parse.Times(cells)
		if times == nil && parse.SaysTime(t.firstRow[c]) {
			times, _ = parse.NumbersAsTimes(t.numbersOf(c, r0))
		}
		if times != nil && areDays(times) {
			return c, times
		}
	}
	return -1, nil
}

// setTimes makes a column one of times.
func (t *table) setTimes(c, r0 int, times []time.Time) {
	cells := append(make([]string, 0, r0+len(times)), t.firstRow[c])
	for k, at := range times {
		cells = append(cells, words.Time(at))
		t.value[(r0+k)*t.width+c] = math.NaN()
	}
	if t.left != nil {
		t.left[c] = false
	}
	if c == 0 {
		t.firstColumn = cells
		return
	}
	delete(t.text, c)
	if t.words == nil {
		t.words = map[int][]string{}
	}
	t.words[c] = cells
}

// areDays reports whether no time has a clock.
func areDays(times []time.Time) bool {
	return !slices.ContainsFunc(times, func(t time.Time) bool { return !t.Equal(t.Truncate(24 * time.Hour)) })
}

// areCoarser reports whether times are days, where others have clocks.
func areCoarser(times, others []time.Time) bool {
	return others != nil && areDays(times) && !areDays(others)
}

// addClocks adds times of day to days.
func addClocks(days []time.Time, clocks []string) []time.Time {
	times := slices.Clone(days)
	for k, clock := range clocks {
		since, _ := parse.Clock(clock)
		times[k] = times[k].Add(since)
	}
	return times
}

// areClocks reports whether all cells are times of day.
func areClocks(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool { return !parse.IsClock(cell) })
}
