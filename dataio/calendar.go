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

// joinTimes joins the columns of the parts of times below a header into the first of them. Parts that most rows
// have must be right in all.
func (t *table) joinTimes(r0 int) error {
	if r0 == 0 || t.width < 3 {
		return nil
	}
	calendar := parse.Calendar{Names: t.firstRow, Column: func(c int) []float64 { return t.partsIn(c, r0) }}
	wrong, columns := calendar.Wrong()
	if wrong >= 0 && t.firstColumn[r0+wrong] == "" && t.isBare(r0+wrong) {
		t.dropBare(r0)
		wrong, columns = calendar.Wrong()
	}
	if wrong >= 0 {
		var names []string
		for _, c := range columns {
			names = append(names, quote(t.firstRow[c]))
		}
		return t.faultAt(t.line[r0+wrong], 0, "the numbers under %s are no date: mend the row or leave it out", words.List(names, "and"))
	}
	times, columns := calendar.Times()
	if times == nil {
		since, clocks := calendar.Clocks()
		c, dates := t.datesOf(r0)
		if since == nil || dates == nil {
			return nil
		}
		times, columns = addClocks(dates, since), append([]int{c}, clocks...)
	}
	slices.Sort(columns)
	at := slices.IndexFunc(columns, func(c int) bool { return !slices.Contains(t.asked, c) })
	if at < 0 {
		return nil
	}
	t.parts = columns
	for k, c := range columns {
		switch {
		case k == at:
			t.setTimes(c, r0, times)
		case !slices.Contains(t.asked, c):
			t.leave(c)
		}
	}
	return nil
}

// partsIn returns the numbers of a column, or those of the months it names.
func (t *table) partsIn(c, r0 int) []float64 {
	if t.words[c] != nil {
		return parse.Months(t.words[c][r0:])
	}
	if c == 0 && slices.ContainsFunc(t.firstColumn[r0:], t.isText) {
		return parse.Months(t.firstColumn[r0:])
	}
	return t.numbersOf(c, r0)
}

// datesOf returns the first column of days without a clock; no days if there is none.
func (t *table) datesOf(r0 int) (c int, days []time.Time) {
	for c := range t.width {
		cells := t.words[c]
		switch {
		case c == 0:
			cells = t.firstColumn
		case cells == nil:
			cells = t.text[c]
		}
		if cells == nil {
			continue
		}
		times, _ := parse.Times(cells[r0:])
		if times == nil && parse.SaysTime(t.firstRow[c]) {
			times, _ = parse.NumbersAsTimes(t.numbersOf(c, r0))
		}
		if times != nil && areDays(times) {
			return c, times
		}
	}
	return 0, nil
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

// columnsRead says that columns are read as the times of the observations.
func (t *table) columnsRead(columns []int) string {
	var numbers, names []string
	for _, c := range slices.Sorted(slices.Values(columns)) {
		numbers, names = append(numbers, strconv.Itoa(c+1)), append(names, quote(t.firstRow[c]))
	}
	return fmt.Sprintf("columns %s, %s, are read as the times of the observations", words.List(numbers, "and"), words.List(names, "and"))
}

// areDays reports whether no time has a clock.
func areDays(times []time.Time) bool {
	return !slices.ContainsFunc(times, func(t time.Time) bool { return !t.Equal(t.Truncate(24 * time.Hour)) })
}

// addClocks adds times of day to days.
func addClocks(days []time.Time, since []time.Duration) []time.Time {
	times := slices.Clone(days)
	for k := range times {
		times[k] = times[k].Add(since[k])
	}
	return times
}
