package parse

import (
	"slices"
	"strings"
	"time"
)

// Times as files have them. A column has one order of year, month and day; the clock
// may differ from cell to cell. A time without a zone is taken as UTC.

// A dateOrder is in which order the parts of a date stand.
type dateOrder int

const (
	yearFirst   dateOrder = iota // 2024-01-31, 2024/1/31, 2024-01
	dayFirst                     // 31.01.2024, 31/1/24
	monthFirst                   // 01/31/2024
	monthByName                  // 31-Jan-2024, 31 January 2024, Jan 31, 2024
	dateOrders
)

// parseStamp reads a date, perhaps with a clock and a zone after a blank or T.
func parseStamp(cell string, order dateOrder) (time.Time, bool) {
	date, clock := cutDate(cell, order)
	day, ok := parseDate(date, order)
	if !ok {
		return time.Time{}, false
	}
	since, ok := Clock(clock)
	return day.Add(since), ok
}

// cutDate returns the date of a cell and what follows.
func cutDate(cell string, order dateOrder) (date, clock string) {
	if order != monthByName {
		if i := strings.IndexAny(cell, " T"); i >= 0 {
			return cell[:i], cell[i+1:]
		}
		return cell, ""
	}
	words := strings.Fields(strings.ReplaceAll(cell, ",", " "))
	parts := 3
	if len(words) > 0 && strings.Contains(words[0], "-") {
		parts = 1
	}
	parts = min(parts, len(words))
	return strings.Join(words[:parts], "-"), strings.Join(words[parts:], " ")
}

// parseDate reads a date whose parts are separated by one and the same mark.
func parseDate(text string, order dateOrder) (time.Time, bool) {
	none := time.Time{}
	i := strings.IndexAny(text, "-/.")
	if i < 0 || order == monthFirst && text[i] == '.' {
		return none, false
	}
	var part [3]string
	count := 0
	for p := range strings.SplitSeq(text, text[i:i+1]) {
		if count == len(part) {
			return none, false
		}
		part[count] = p
		count++
	}
	var year, month, day string
	switch {
	case order == yearFirst && count == 2:
		year, month, day = part[0], part[1], "1"
	case count < 3:
		return none, false
	case order == yearFirst:
		year, month, day = part[0], part[1], part[2]
	case order == dayFirst:
		day, month, year = part[0], part[1], part[2]
	case order == monthFirst:
		month, day, year = part[0], part[1], part[2]
	case digits(part[0], 1, 2) >= 0:
		day, month, year = part[0], part[1], part[2]
	default:
		month, day, year = part[0], part[1], part[2]
	}
	y, m, d := digits(year, 4, 4), digits(month, 1, 2), digits(day, 1, 2)
	if order == monthByName {
		m = monthNamed(month)
	}
	if y < 0 && order != yearFirst {
		if y = digits(year, 2, 2); y >= 0 {
			y = fullYear(y)
		}
	}
	return calendarDay(y, m, d)
}

// calendarDay returns a day if there is one of that date.
func calendarDay(y, m, d int) (time.Time, bool) {
	if y < 1 || m < 1 || m > 12 || d < 1 {
		return time.Time{}, false
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return t, t.Day() == d
}

// monthNumbers are by what the months are called in English, German, French, Spanish, Italian, Portuguese and Dutch, in
// lower case, and by their short names.
var monthNumbers = lexicon(map[int]string{
	1:  "january januar jänner januari janvier enero gennaio janeiro jan jän janv ene gen",
	2:  "february februar feber februari février fevrier febrero febbraio fevereiro feb fév févr fev",
	3:  "march märz maerz maart mars marzo março marco mar mär mrz mrt",
	4:  "april avril abril aprile apr avr abr",
	5:  "may mai mei mayo maggio maio mag",
	6:  "june juni juin junio giugno junho jun giu",
	7:  "july juli juillet julio luglio julho jul juil lug",
	8:  "august augustus août aout agosto aug ago",
	9:  "september septembre septiembre setiembre settembre setembro sep sept set",
	10: "october oktober octobre octubre ottobre outubro oct okt ott out",
	11: "november novembre noviembre novembro nov",
	12: "december dezember décembre decembre diciembre dicembre dezembro dec dez dic déc", //nolint:misspell // French without its accent
})

// monthNamed returns the month of a name, or 0.
func monthNamed(name string) int {
	return monthNumbers[strings.TrimSuffix(strings.ToLower(name), ".")]
}

// fullYear returns the year that two digits stand for.
func fullYear(y int) int {
	const turn = 70 // as C and Python read two digits, but for one year
	if y < turn {
		y += 100
	}
	return 1900 + y
}

// digits reads a number of that many digits; -1 if the text is none.
func digits(text string, least, most int) int {
	if len(text) < least || len(text) > most {
		return -1
	}
	n := 0
	for i := range len(text) {
		c := text[i]
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// Clock reads what follows a date, and returns the time since midnight UTC:
// nothing, 13, 13:05, 13:05:01.25, 1305, 130501, 1:05 PM, each perhaps with a zone: Z, UTC, GMT,
// +01, +0100, -05:30. 24:00 is the end of the day.
func Clock(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, true
	}
	var east time.Duration
	if i := strings.LastIndexAny(text, "+-"); i > 0 {
		zone, ok := parseZone(text[i+1:])
		if !ok {
			return 0, false
		}
		if east = zone; text[i] == '-' {
			east = -zone
		}
		text = text[:i]
	} else {
		for _, utc := range [...]string{"Z", "UTC", "GMT"} {
			if cut, found := strings.CutSuffix(text, utc); found {
				text = cut
				break
			}
		}
	}
	text = strings.TrimSpace(text)
	half := -1 // the half of the day
	for h, mark := range [...]string{"AM", "PM"} {
		if n := len(text) - len(mark); n > 0 && strings.EqualFold(text[n:], mark) {
			half, text = h, strings.TrimSpace(text[:n])
		}
	}
	hour, minute, second, ok := clockParts(text)
	if !ok {
		return 0, false
	}
	if half >= 0 {
		if hour < 1 || hour > 12 {
			return 0, false
		}
		hour = hour%12 + 12*half
	}
	since := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + second
	return since - east, since <= 24*time.Hour && minute < 60 && second < 61*time.Second
}

// clockParts reads 13, 13:05, 13:05:01.25, 1305 or 130501.
func clockParts(text string) (hour, minute int, second time.Duration, ok bool) {
	h, rest, colon := strings.Cut(text, ":")
	m, s, seconds := strings.Cut(rest, ":")
	if !colon {
		if len(text) == 4 || len(text) == 6 {
			h, m, s = text[:2], text[2:4], text[4:]
			colon, seconds = true, s != ""
		}
	}
	hour = digits(h, 1, 2)
	if colon {
		minute = digits(m, 2, 2)
	}
	ok = true
	if seconds {
		second, ok = parseSeconds(s)
	}
	return hour, minute, second, ok && hour >= 0 && minute >= 0
}

// parseSeconds reads 07 or 07.25, with a point or a comma.
func parseSeconds(text string) (time.Duration, bool) {
	whole, fraction := text, ""
	if i := strings.IndexAny(text, ".,"); i >= 0 {
		whole, fraction = text[:i], text[i+1:]
	}
	const exact = 9 // digits of a nanosecond
	fraction = fraction[:min(len(fraction), exact)]
	s, f := digits(whole, 2, 2), digits(fraction, 0, exact)
	if s < 0 || f < 0 {
		return 0, false
	}
	for range exact - len(fraction) {
		f *= 10
	}
	return time.Duration(s)*time.Second + time.Duration(f), true
}

// parseZone reads 01, 0100 or 01:00 as time.
func parseZone(text string) (time.Duration, bool) {
	hour, minute, _, ok := clockParts(text)
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute, ok && len(text) <= len("01:00") && hour < 24 && minute < 60
}

// IsClock reports whether a cell is a time of day and nothing else.
func IsClock(cell string) bool {
	if !strings.Contains(cell, ":") {
		return false
	}
	_, ok := Clock(cell)
	return ok
}

// Why a column of text is not one of times.
const (
	NotTimes  = "not times"
	SomeLack  = "some are missing"
	Ambiguous = "day or month first"
)

// Times reads a column of times. If it fails it says why.
func Times(cells []string) (times []time.Time, why string) {
	var found [][]time.Time
	lack := false
	for order := range dateOrders {
		list, missing, ok := stampsIn(cells, order)
		if ok {
			found, lack = append(found, list), missing
		}
	}
	switch {
	case len(found) == 0:
		return nil, NotTimes
	case lack:
		return nil, SomeLack
	case len(found) == 1 || slices.EqualFunc(found[0], found[1], time.Time.Equal):
		return found[0], ""
	}
	// Both orders of day and month can be read: one makes more sense.
	for _, sensible := range []func([]time.Time) bool{IsAscending, isEven} {
		if a, b := sensible(found[0]), sensible(found[1]); a != b {
			if a {
				return found[0], ""
			}
			return found[1], ""
		}
	}
	return nil, Ambiguous
}

// stampsIn reads cells whose dates are in one order; missing says that some have none.
func stampsIn(cells []string, order dateOrder) (times []time.Time, missing, ok bool) {
	times = make([]time.Time, 0, len(cells))
	for _, cell := range cells {
		if IsMissing(cell) {
			missing = true
			continue
		}
		t, ok := parseStamp(cell, order)
		if y := t.UTC().Year(); !ok || y < 1 || y > 9999 { // a zone may lead to a year that cannot be written
			return nil, false, false
		}
		times = append(times, t)
	}
	return times, missing, len(times) > 0
}

// IsAscending reports whether no time is before the one before it.
func IsAscending(times []time.Time) bool { return slices.IsSortedFunc(times, time.Time.Compare) }

// isEven reports whether all steps are equal.
func isEven(times []time.Time) bool {
	for k := 2; k < len(times); k++ {
		if times[k].Sub(times[k-1]) != times[1].Sub(times[0]) {
			return false
		}
	}
	return true
}
