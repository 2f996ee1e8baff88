package dataio

import (
	"slices"
	"strconv"
	"strings"

	"github.com/nervure/nervure/dataio/internal/parse"
)

// Where the rows of values begin, and which rows above them are names, units or remarks.

// dataFrom returns from which row on there are numbers, and in which columns: from the last row
// upwards, as long as there is no text where there are numbers below.
func (s *textSample) dataFrom(rows [][]string, width int) (int, columnKinds) {
	kinds := columnKinds{number: make([]bool, width)}
	data := len(rows)
	if k := slices.IndexFunc(rows, func(row []string) bool { return row[0] != "" }); k >= 0 {
		for k = data - 1; rows[k][0] == ""; k-- {
		}
		kinds.stamps = isStamp(rows[k][0])
	}
	for ; data > 0; data-- {
		row := rows[data-1]
		if isBlank(row) {
			continue
		}
		kind := s.kind(row, width, kinds)
		if !kind.fits || kind.texts > 0 || s.remarks[data-1] && kind.numbers == 0 {
			break
		}
		if kind.numbers == 0 && data < len(rows) && !s.isLabelled(row, kinds) {
			break
		}
		if s.describes(rows[:data], width, kinds) {
			break
		}
		for c, cell := range row[:width] {
			if _, is := s.style.Cell(cell); is == parse.Number && !(c == 0 && kinds.stamps) {
				kinds.number[c] = true
			}
		}
	}
	for data < len(rows) && isBlank(rows[data]) {
		data++
	}
	return data, kinds
}

// isLabelled reports whether the first cell of a row without numbers is what it is in other rows.
func (s *textSample) isLabelled(row []string, kinds columnKinds) bool {
	_, is := s.style.Cell(row[0])
	switch {
	case kinds.number[0]:
		return is != parse.Text
	case kinds.stamps:
		return is == parse.Missing || isStamp(row[0])
	}
	return true
}

// describes reports whether the last of some rows has numbers that say more of the columns, such as where stations are,
// below their names: it begins with a word where others have times.
func (s *textSample) describes(rows [][]string, width int, kinds columnKinds) bool {
	row := rows[len(rows)-1]
	_, first := s.style.Label(row[0])
	return kinds.stamps && first == parse.Text && isWord(row[0]) && !isStamp(row[0]) && !parse.IsClock(row[0]) &&
		fits(row, width) && s.kind(row, width, kinds).numbers > 0 && s.hasNames(rows[:len(rows)-1], width, kinds)
}

// hasNames reports whether one of some rows may name the columns of numbers.
func (s *textSample) hasNames(rows [][]string, width int, kinds columnKinds) bool {
	return slices.ContainsFunc(rows, func(row []string) bool {
		kind := s.kind(row, width, kinds)
		return kind.fits && kind.numbers == 0 && kind.texts > 0
	})
}

// isStamp reports whether a cell is a time.
func isStamp(cell string) bool {
	if !parse.IsText(cell, true) {
		return false
	}
	_, why := parse.Times([]string{cell})
	return why != parse.NotTimes
}

// headIsNone reports whether none of the rows above the numbers is one of numbers itself: one with a
// cell that is wrong, or too many or too few of them, is not passed over.
func (s *textSample) headIsNone(head [][]string, width int, kinds columnKinds) bool {
	for k, row := range head {
		if s.remarks[k] || isBlank(row) {
			continue
		}
		_, first := s.style.Label(row[0])
		kind := s.kind(row, width, kinds)
		switch {
		case kind.fits && kind.numbers > 0 && !(kinds.stamps && first == parse.Text && !isStamp(row[0])):
			return false
		case kind.fits || k == len(head)-1 && s.lacksCorner(k, width):
		case first == parse.Number || k == len(head)-1 && kind.filled > 1:
			return false // as a header would be that lacks a name
		}
	}
	return true
}

// lacksCorner reports whether row k may be a header without the cell above the row labels, as R writes it: names that are
// numbers are in quotation marks, and so are the labels.
func (s *textSample) lacksCorner(k, width int) bool {
	row := s.rows[k]
	isQuoted := s.quotes[k] && k+1 < len(s.rows) && s.quoted[k+1]
	return len(row) == width-1 &&
		!slices.ContainsFunc(row, func(cell string) bool { return cell == "" || !isQuoted && !parse.IsText(cell, false) })
}

// placeHeader finds the names of the columns above the numbers.
func (s *textSample) placeHeader(l *layout, rows [][]string, data, width int, kinds columnKinds) bool {
	if data == 0 {
		l.headerless = s.startsWithText(rows, width, kinds)
		return true
	}
	end := data        // of the rows that may hold names, which follow each other
	described := false // by rows such as coordinates
	for end > 0 {
		is := s.describes(rows[:end], width, kinds)
		if described = described || is; !is && !isBlank(rows[end-1]) {
			break
		}
		end--
	}
	from := end
	for from > 0 && !isBlank(rows[from-1]) && fits(rows[from-1], width) && s.kind(rows[from-1], width, kinds).numbers == 0 {
		from--
	}
	if from == end && width > 2 && areYears(rows[data][1:]) && len(rows) > data+1 && !areYears(rows[data+1][1:]) {
		from, data, end = data, data+1, data+1 // numbers, but names all the same
	}
	last := end - 1
	switch {
	case end == 0:
		return true
	case width == 1 && end > 1:
		return false
	case from == last && last == 0 && !s.remarks[0] && !described:
		return true // as most files are
	case from == end && s.lacksCorner(last, width) && (!kinds.stamps || s.quoted[data]):
		if !s.countsRows(rows[data:]) && slices.Contains(s.quoted[data:len(rows)], false) {
			return false
		}
		l.header, l.cornerless = s.lines[last], true
	case from == end && !s.remarks[last] && width > 1 && len(rows[last]) > 1 && !isBlank(rows[last][1:]):
		return false
	case from == end:
		l.headerless = true
	default:
		l.header = s.lines[s.namesAmong(rows, from, end, width, kinds)]
	}
	l.data = s.lines[data]
	if s.remarks[0] {
		l.comment = markOf(rows[0][0])
	}
	if l.header == s.lines[0] && last == 0 && l.comment != "" && (!strings.HasPrefix(rows[0][0], l.comment+" ") || width == 1) {
		// A name may begin so, too.
		l.header, l.data, l.comment = 0, 0, ""
		return true
	}
	l.tell(rows[:data], s.lines)
	return true
}

// startsWithText reports whether the first row is none of names although it has text in a column that is not
// the first: text that comes again below, or a time in the first.
func (s *textSample) startsWithText(rows [][]string, width int, kinds columnKinds) bool {
	for c := 1; c < width; c++ {
		if !kinds.number[c] && parse.IsText(rows[0][c], false) &&
			(kinds.stamps && isStamp(rows[0][0]) ||
				slices.ContainsFunc(rows[1:], func(row []string) bool { return len(row) > c && row[c] == rows[0][c] })) {
			return true
		}
	}
	return false
}

// areYears reports whether cells are years that follow each other, in equal steps.
func areYears(cells []string) bool {
	const earliest, latest = 1500, 2200
	var step, before, n int
	for k, cell := range cells {
		year, err := strconv.Atoi(cell)
		if err != nil && cell == "" && k == len(cells)-1 {
			break // behind a separator too many
		}
		if err != nil || len(cell) != 4 || year < earliest || year > latest {
			return false
		}
		if n == 1 {
			step = year - before
		}
		if n > 0 && (year-before != step || step < 1) {
			return false
		}
		before, n = year, n+1
	}
	return n >= 2
}

// countsRows reports whether the first cells label rows: by text, or by counting.
func (s *textSample) countsRows(rows [][]string) bool {
	var texts, numbers int
	for k, row := range rows {
		v, is := s.style.Label(row[0])
		first, _ := s.style.Label(rows[0][0])
		if is == parse.Text {
			texts++
		} else if is == parse.Number && v == first+float64(k) {
			numbers++
		}
	}
	return texts == len(rows) || numbers == len(rows)
}

// namesAmong returns the row that names the columns, of those above the numbers: the first whose names differ,
// but for remarks, of which the last comes first, and units.
func (s *textSample) namesAmong(rows [][]string, from, to, width int, kinds columnKinds) int {
	best, rank := from, -1
	for k := from; k < to; k++ {
		row := rows[k]
		r := 0
		if areNames(row, width, kinds) {
			r += 4
		}
		if !areUnits(row[1:width]) {
			r += 2
		}
		if !s.remarks[k] {
			r++
		}
		if r > rank || r == rank && s.remarks[k] {
			best, rank = k, r
		}
	}
	return best
}

// areNames reports whether cells can name the columns of numbers.
func areNames(row []string, width int, kinds columnKinds) bool {
	seen := map[string]bool{}
	for c, cell := range row[:width] {
		if !kinds.number[c] {
			continue
		}
		if cell == "" || seen[cell] {
			return false
		}
		seen[cell] = true
	}
	return true
}

// areUnits reports whether cells are units rather than names.
func areUnits(cells []string) bool {
	some := false
	for _, cell := range cells {
		cell = strings.ToLower(cell)
		if inner := strings.Trim(cell, "[](){}"); inner != cell || cell == "" {
			some = some || cell != ""
			continue
		}
		if !slices.Contains(unitWords, cell) {
			return false
		}
		some = true
	}
	return some
}
