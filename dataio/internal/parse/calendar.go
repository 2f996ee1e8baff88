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
	yearPart part = iota
	monthPart
	dayPart
	dayOfYearPart
	hourPart
	hourMinutePart // 0 to 2400
	minutePart
	secondPart
)

const earliestYear, latestYear = 1500, 2200 // others are no years of signals

// partWords are the names of such columns, in lower case and without what is not a letter.
var partWords = map[string]part{}

func init() {
	for p, names := range map[part]string{
		yearPart:       "year years yyyy yy yr jahr année annee an anno año ano jaar rok år",
		monthPart:      "month months mm mon mo monat mois mese mes mês maand",
		dayPart:        "day days dd dy dayofmonth dom tag jour giorno día dia dag",
		dayOfYearPart:  "doy dayofyear yday jday julian julianday yearday",
		hourPart:       "hour hours hh hr hrs stunde std heure ora hora uur hourending",
		hourMinutePart: "hhmm hrmn hourmin hourminute",
		minutePart:     "minute minutes min mn mi minuto minuut",
		secondPart:     "second seconds ss sec sekunde seconde secondo segundo",
	} {
		for name := range strings.FieldsSeq(names) {
			partWords[name] = p
		}
	}
}

// partsOf returns the column of each part that names have.
func partsOf(names []string) map[part]int {
	parts := map[part]int{}
	for c, name := range names {
		name, _, _ = strings.Cut(strings.ToLower(name), "(")
		name, _, _ = strings.Cut(name, "[")
		name = strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, name)
		for _, zone := range [...]string{"utc", "gmt", "lst"} {
			name = strings.TrimSuffix(name, zone)
		}
		p, is := partWords[name]
		if _, twice := parts[p]; twice && name == "mm" { // as in YYYY MM DD hh mm
			p = minutePart
		}
		if _, twice := parts[p]; is && !twice {
			parts[p] = c
		}
	}
	return parts
}

// A Calendar finds the columns that hold parts of times. Column returns the numbers of one, NaN where there are none.
type Calendar struct {
	Names  []string
	Column func(c int) []float64
}

// Times returns the times of the rows from columns of years, months or days of the year, days and what Clocks finds, and which columns
// these are, in order; nil without a year or a month. Parts that are none by their numbers are passed over, with all finer ones.
func (k Calendar) Times() (times []time.Time, columns []int) {
	parts := partsOf(k.Names)
	years, ok := k.part(parts, yearPart, earliestYear, latestYear)
	if !ok {
		return nil, nil
	}
	columns = []int{parts[yearPart]}
	months, monthly := k.part(parts, monthPart, 1, 12)
	first, daily := k.part(parts, dayPart, 1, 31)
	if monthly {
		columns = append(columns, parts[monthPart])
	} else {
		p := dayOfYearPart
		if first, daily = k.part(parts, p, 1, 366); !daily {
			p = dayPart
			first, daily = k.part(parts, p, 1, 366)
			daily = daily && slices.ContainsFunc(first, func(day int) bool { return day > 31 })
		}
		if !daily {
			return nil, nil
		}
		parts[dayPart] = parts[p]
	}
	if daily {
		columns = append(columns, parts[dayPart])
	}
	for r, year := range years {
		month, day := 1, 1
		if monthly {
			month = months[r]
		}
		if daily {
			day = first[r]
		}
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if monthly && t.Day() != day || t.Year() != year {
			return nil, nil
		}
		times = append(times, t)
	}
	if daily {
		if since, of := k.Clocks(); since != nil {
			for r := range times {
				times[r] = times[r].Add(since[r])
			}
			columns = append(columns, of...)
		}
	}
	slices.Sort(columns)
	return times, columns
}

// Wrong returns the first row whose year, month and day are no date although those of most rows are, and which columns
// these stand in; -1 if there is none.
func (k Calendar) Wrong() (row int, columns []int) {
	parts, values := partsOf(k.Names), [][]float64{}
	for _, p := range []part{yearPart, monthPart, dayPart} {
		c, is := parts[p]
		if !is {
			return -1, nil
		}
		columns, values = append(columns, c), append(values, k.Column(c))
	}
	row = -1
	wrong := 0
	for r := range values[0] {
		y, m, d := values[0][r], values[1][r], values[2][r]
		_, ok := calendarDay(int(y), int(m), int(d))
		if ok && y == math.Trunc(y) && m == math.Trunc(m) && d == math.Trunc(d) && y >= earliestYear && y <= latestYear {
			continue
		}
		if wrong++; row < 0 {
			row = r
		}
	}
	if 2*wrong >= len(values[0]) {
		return -1, nil
	}
	return row, columns
}

// Clocks returns the times of day of the rows from a column of hours, and those of minutes and seconds if there are any,
// and which columns these are; nil without hours.
func (k Calendar) Clocks() (since []time.Duration, columns []int) {
	parts := partsOf(k.Names)
	add := func(values []int, unit time.Duration, p part) {
		for r, v := range values {
			since[r] += time.Duration(v) * unit
		}
		columns = append(columns, parts[p])
	}
	if both, ok := k.part(parts, hourMinutePart, 0, 2400); ok && !slices.ContainsFunc(both, func(v int) bool { return v%100 > 59 }) {
		since = make([]time.Duration, len(both))
		for r, v := range both {
			since[r] = time.Duration(v/100)*time.Hour + time.Duration(v%100)*time.Minute
		}
		return since, []int{parts[hourMinutePart]}
	}
	hours, ok := k.part(parts, hourPart, 0, 24)
	if !ok {
		return nil, nil
	}
	since = make([]time.Duration, len(hours))
	add(hours, time.Hour, hourPart)
	if minutes, ok := k.part(parts, minutePart, 0, 59); ok {
		add(minutes, time.Minute, minutePart)
		if seconds, ok := k.part(parts, secondPart, 0, 60); ok {
			add(seconds, time.Second, secondPart)
		}
	}
	slices.Sort(columns)
	return since, columns
}

// part returns the numbers of a part if all are whole and within bounds.
func (k Calendar) part(parts map[part]int, p part, least, most float64) ([]int, bool) {
	c, is := parts[p]
	if !is {
		return nil, false
	}
	values := k.Column(c)
	whole := make([]int, len(values))
	for r, v := range values {
		if !(v == math.Trunc(v) && v >= least && v <= most) {
			return nil, false
		}
		whole[r] = int(v)
	}
	return whole, len(whole) > 0
}

// IsYears reports whether a column is one of years by its name and its numbers.
func IsYears(name string, values []float64) bool {
	_, ok := Calendar{[]string{name}, func(int) []float64 { return values }}.part(partsOf([]string{name}), yearPart, earliestYear, latestYear)
	return ok
}

// Months reads the names of months, or their first three letters, as numbers; NaN for other text.
func Months(cells []string) []float64 {
	numbers := make([]float64, len(cells))
	for k, cell := range cells {
		if numbers[k] = float64(monthNamed(strings.TrimSpace(cell))); numbers[k] == 0 {
			numbers[k] = math.NaN()
		}
	}
	return numbers
}
