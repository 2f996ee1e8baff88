package dataio

import (
	"math"
	"slices"
	"strconv"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/signals"
)

// What tells a first row of names from one of numbers, and names from times.

// hasHeader reports whether the first row names the columns.
func (t *table) hasHeader() bool {
	switch {
	case t.asked != nil:
		return true
	case t.headerless:
		return false
	}
	return t.headed() || t.numbersAsNames() != ""
}

// headed reports whether the first row is a header by its text, or by what stands below its corner.
func (t *table) headed() bool {
	return t.asked != nil || t.isDataFrame() || slices.ContainsFunc(t.firstRow, t.isText) && !t.startsWithTime()
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

// numbersAsNames says what makes names of a first row that has nothing but numbers, or "" if nothing does.
func (t *table) numbersAsNames() string {
	switch {
	case len(t.line) < 2:
		return ""
	case t.quoted && t.sheet:
		return "is text"
	case t.quoted: // as R writes names
		return "is in quotation marks"
	case t.hasYears():
		return "has years"
	case t.countsUp():
		return "counts up by one"
	}
	return ""
}

// countsUp reports whether the first row is 0, 1, 2, … or 1, 2, 3, … over values most of which are not whole, as
// pandas writes the columns of a frame that nobody named.
func (t *table) countsUp() bool {
	const fewest = 3
	if t.width < fewest || t.firstRow[0] != "0" && t.firstRow[0] != "1" {
		return false
	}
	for c, cell := range t.firstRow {
		if cell != strconv.Itoa(int(t.value[0])+c) {
			return false
		}
	}
	whole := 0
	for _, v := range t.value[t.width:] {
		if v == math.Trunc(v) {
			whole++
		}
	}
	return 2*whole < len(t.value)-t.width
}

// hasYears reports whether the first row is years that follow each other, over values that are none: such a row
// is a header although it has nothing but numbers, but for its first cell.
func (t *table) hasYears() bool {
	const fewest = 3
	if t.width < fewest+1 && (t.width < fewest || t.firstRow[0] == "") || len(t.line) < 3 {
		return false
	}
	years := t.firstRow
	if !areYears(years[:1]) && len(years[0]) != 4 {
		years = years[1:]
	}
	if len(years) < fewest || !areYears(years) {
		return false
	}
	for r := 1; r < len(t.line); r++ {
		for c := 1; c < t.width; c++ {
			if v := t.at(r, c); v == math.Trunc(v) && v >= 1500 && v <= 2200 {
				return false
			}
		}
	}
	return true
}

// refuseTimesAsNames refuses names of vertices that are times or years above rows that are labelled by text: each row is a
// vertex then, unless the columns were chosen. Other times among names are noted.
func (t *table) refuseTimesAsNames(s *signals.Set, labelled bool, o ReadOptions) error {
	what := timesAmong(s.Names)
	switch {
	case what == "" || o.Names != nil || t.values != nil:
	case labelled:
		return t.asking("transpose", t.faultAt(t.line[0], 0, "%s", rowsAreVertices(what, s.Names)))
	case what == "times":
		note(&s.Notes, "the names of the vertices look like times: if each row is a vertex, say that vertices are in rows")
	}
	return nil
}

// timesAmong says what names are that follow each other in time: times or years; empty if they are none.
func timesAmong(names []string) string {
	const fewest = 3
	times, _ := parse.Times(names)
	switch {
	case len(names) < fewest:
	case times != nil:
		return "times"
	case areYears(names):
		return "years"
	}
	return ""
}

// rowsAreVertices says how to read a file whose columns are called like observations.
func rowsAreVertices(what string, names []string) string {
	return "the names of the vertices would be " + what + " (" + someNames(
		names) + "): each row looks like a vertex, so say that vertices are in rows, or choose the columns to read"
}
