package parse

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Times in parts: a column for the year, one for the month, and so on, as loggers and weather services write them.

// A part is what one of these columns says of a time.
type part int

const (
	noPart part = iota
	yearPart
	monthPart
	dayPart
	dayOfYearPart
	hourPart
	hourMinutePart // 0 to 2400
	minutePart
	secondPart
	monthBesideDay // month, but only beside a day or YYYY: mo is an element, too
	monthOrMinute  // month beside one of these, minute beside another month, and else millimetres
)

// partWords are the names of such columns, in lower case and without what is not a letter.
var partWords = lexicon(map[part]string{
	yearPart:       "year years yyyy yy yr jahr année annee an anno año ano jaar rok år",
	monthPart:      "month months mon monat mois mese mes mês maand",
	dayPart:        "day days dd dy dayofmonth dom tag jour giorno día dia dag",
	dayOfYearPart:  "doy dayofyear yday jday julian julianday yearday",
	hourPart:       "hour hours hh hr hrs stunde heure ora hora uur hourending",
	hourMinutePart: "hhmm hrmn hourmin hourminute",
	minutePart:     "minute minutes min mn mi minuto minuut",
	secondPart:     "second seconds ss sec sekunde seconde secondo segundo",
	monthBesideDay: "mo",
	monthOrMinute:  "mm",
})

// lexicon returns what words mean, from the words of each meaning.
func lexicon[T comparable](words map[T]string) map[string]T {
	meanings := map[string]T{}
	for meaning, list := range words {
		for word := range strings.FieldsSeq(list) {
			meanings[word] = meaning
		}
	}
	return meanings
}

// partWord returns the word that a name is but for its unit, its zone and marks: in lower case, empty if it has digits, as
// one of many columns such as day1, day2.
func partWord(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), "(")
	name, _, _ = strings.Cut(name, "[")
	if strings.ContainsFunc(name, unicode.IsDigit) {
		return ""
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, name)
	for _, zone := range [...]string{"utc", "gmt", "lst"} {
		name = strings.TrimSuffix(name, zone)
	}
	return name
}

// partsOf returns the column of each part that names have.
func partsOf(names []string) map[part]int {
	parts := map[part]int{}
	add := func(p part, c int) bool {
		_, twice := parts[p]
		if !twice {
			parts[p] = c
		}
		return !twice
	}
	for c, name := range names {
		if p := partWords[partWord(name)]; p != noPart {
			if !add(p, c) && p == monthOrMinute { // as in YYYY MM DD hh mm
				add(minutePart, c)
			}
		}
	}
	_, monthly := parts[dayPart]
	if year, yearly := parts[yearPart]; yearly { // as in YYYY MM
		monthly = monthly || strings.HasPrefix(partWord(names[year]), "yy")
	}
	for _, p := range []part{monthBesideDay, monthOrMinute} {
		c, is := parts[p]
		delete(parts, p)
		if is && !(monthly && add(monthPart, c)) && p == monthOrMinute {
			if _, other := parts[monthPart]; other {
				add(minutePart, c)
			}
		}
	}
	return parts
}

// A Calendar is a table in whose columns there may be parts of times. Names are empty for columns that are not to be
// parts. Column returns the numbers of one, NaN where there are none. Days returns the dates of the rows where they are in
// no parts, nil if they are not known.
type Calendar struct {
	Names  []string
	Column func(c int) []float64
	Days   func() []time.Time
}

// Joined is what the parts of times in a table come to.
type Joined struct {
	Times   []time.Time // of the rows; nil if there are none
	Columns []int       // that have them, in order
	Bad     *BadPart    // why there are no times although the columns have those of most rows; else nil
	Called  []int       // all columns that are called like a part, in order
}

// A BadPart is where the parts of a time are none, although most rows have some.
type BadPart struct {
	Row     int
	Columns []int
	Lacking bool // there is no number at all
}

// Join finds the times of the rows in columns of years, months or days of the year, days, hours, minutes and seconds, or
// adds those of the last three to the days. A part that most rows do not have is none, nor are all finer ones; one
// that most rows have must be right in all. Hours and what is finer may be measurements, such as hours of sleep or a
// minimum: they are parts where times come twice without them, or where they are the same throughout.
func (k Calendar) Join() Joined {
	j := &joining{parts: partsOf(k.Names), column: k.Column}
	for _, c := range j.parts {
		j.Called = append(j.Called, c)
	}
	slices.Sort(j.Called)
	year, yearly := j.parts[yearPart]
	_, monthly := j.parts[monthPart]
	_, daily := j.parts[dayPart]
	j.short = monthly && daily || yearly && partWord(k.Names[year]) == "yy"
	dated := j.addDays()
	if len(j.Columns) == 0 && j.Bad == nil && j.hasClock() {
		j.Times = k.Days()
		dated = j.Times != nil
	}
	if dated {
		j.addClock()
	}
	if j.Bad != nil || len(j.Columns) == 0 {
		j.Times, j.Columns = nil, nil
	}
	slices.Sort(j.Columns)
	return j.Joined
}

// joining is how far the parts of a table are joined.
type joining struct {
	Joined
	parts  map[part]int
	column func(c int) []float64
	short  bool // years may have two digits
}

// addDays reads the days of the rows, or their months, and reports whether there are days.
func (j *joining) addDays() bool {
	years, months := j.usual(yearPart, isYear), j.usual(monthPart, whole(1, 12))
	parts := []part{yearPart}
	var days []float64
	switch {
	case years == nil:
		return false
	case months != nil:
		parts = append(parts, monthPart)
		if days = j.usual(dayPart, whole(1, 31)); days != nil {
			parts = append(parts, dayPart)
		}
	default:
		p := dayOfYearPart
		if days = j.usual(p, whole(1, 366)); days == nil {
			p = dayPart
			if days = j.usual(p, whole(1, 366)); !slices.ContainsFunc(days, func(day float64) bool { return day > 31 }) {
				return false
			}
		}
		parts = append(parts, p)
	}
	times := make([]time.Time, len(years))
	isDate := func(r int) bool {
		month, day := 1.0, 1.0
		if months != nil {
			month = months[r]
		}
		if days != nil {
			day = days[r]
		}
		if !isYear(years[r]) || !whole(1, 12)(month) || !whole(1, 366)(day) {
			return false
		}
		times[r] = time.Date(int(years[r]), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
		return times[r].Year() == int(years[r]) && (months == nil || times[r].Day() == int(day))
	}
	if !j.take(parts, len(years), isDate) {
		return false
	}
	j.Times = times
	return days != nil
}

// hasClock reports whether a column is called hour, or hour and minute.
func (j *joining) hasClock() bool {
	_, hours := j.parts[hourPart]
	_, both := j.parts[hourMinutePart]
	return hours || both
}

// addClock adds times of day to the days, as finely as there are parts of them.
func (j *joining) addClock() {
	clock := func(v float64) time.Duration {
		return time.Duration(v/100)*time.Hour + time.Duration(math.Mod(v, 100))*time.Minute
	}
	isClock := func(v float64) bool { return whole(0, 2400)(v) && math.Mod(v, 100) < 60 }
	if j.add(hourMinutePart, isClock, clock) || j.Bad != nil {
		return
	}
	_ = j.add(hourPart, whole(0, 24), func(v float64) time.Duration { return time.Duration(v) * time.Hour }) &&
		j.add(minutePart, whole(0, 59), func(v float64) time.Duration { return time.Duration(v) * time.Minute }) &&
		j.add(secondPart, func(v float64) bool { return v >= 0 && v < 61 },
			func(v float64) time.Duration { return time.Duration(math.Round(v * 1e9)) })
}

// add adds a part of times of day to the times if they need it, and reports whether it did.
func (j *joining) add(p part, is func(v float64) bool, since func(v float64) time.Duration) bool {
	values := j.usual(p, is)
	if values == nil || !comeTwice(j.Times) && slices.ContainsFunc(values, func(v float64) bool { return v != values[0] }) {
		return false
	}
	times := slices.Clone(j.Times)
	taken := j.take([]part{p}, len(times), func(r int) bool {
		times[r] = times[r].Add(since(values[r]))
		return is(values[r])
	})
	if taken {
		j.Times = times
	}
	return taken
}

// usual returns the numbers of a part if most rows have it; else nil.
func (j *joining) usual(p part, is func(v float64) bool) []float64 {
	c, called := j.parts[p]
	if !called {
		return nil
	}
	values := j.column(c)
	if p == yearPart && j.short {
		values = fullYears(values)
	}
	right := 0
	for _, v := range values {
		if is(v) {
			right++
		}
	}
	if 2*right <= len(values) {
		return nil
	}
	return values
}

// take takes the columns of some parts if all rows have them together. If only most have, the first other is bad.
func (j *joining) take(parts []part, rows int, has func(r int) bool) bool {
	wrong, first := 0, 0
	for r := range rows {
		if !has(r) {
			if wrong++; wrong == 1 {
				first = r
			}
		}
	}
	var columns, lacking []int
	for _, p := range parts {
		c := j.parts[p]
		if columns = append(columns, c); wrong > 0 && math.IsNaN(j.column(c)[first]) {
			lacking = append(lacking, c)
		}
	}
	switch {
	case wrong == 0:
		j.Columns = append(j.Columns, columns...)
	case 2*wrong >= rows:
	case lacking != nil:
		j.Bad = &BadPart{first, lacking, true}
	default:
		j.Bad = &BadPart{first, columns, false}
	}
	return wrong == 0
}

// whole returns whether numbers are whole and within bounds.
func whole(least, most float64) func(v float64) bool {
	return func(v float64) bool { return v == math.Trunc(v) && v >= least && v <= most }
}

// isYear reports whether a number is a year of signals.
func isYear(v float64) bool { return whole(1500, 2200)(v) }

// fullYears returns years with their centuries, if all have two digits.
func fullYears(values []float64) []float64 {
	full := make([]float64, len(values))
	for r, v := range values {
		if full[r] = v; v == v {
			if !whole(0, 99)(v) {
				return values
			}
			full[r] = float64(fullYear(int(v)))
		}
	}
	return full
}

// comeTwice reports whether two of some times are equal.
func comeTwice(times []time.Time) bool {
	seen := make(map[time.Time]bool, len(times))
	for _, t := range times {
		seen[t] = true
	}
	return len(seen) < len(times)
}

// SaysYear reports whether a name is that of a column of years.
func SaysYear(name string) bool { return partWords[partWord(name)] == yearPart }

// AreYears reports whether all numbers are years of signals.
func AreYears(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return !isYear(v) })
}

// Months reads the names of months, or short ones, as numbers; NaN for other text.
func Months(cells []string) []float64 {
	numbers := make([]float64, len(cells))
	for k, cell := range cells {
		if numbers[k] = float64(monthNamed(strings.TrimSpace(cell))); numbers[k] == 0 {
			numbers[k] = math.NaN()
		}
	}
	return numbers
}
