package xlsx

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// A clock is what the number of a cell says of time.
type clock int

const (
	noClock clock = iota
	date          // with or without a time of day
	daytime       // only a time of day
)

// builtIn is what the formats of cells mean that every workbook has.
func builtIn(id int) clock {
	switch {
	case id >= 14 && id <= 17, id == 22, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54, id == 57, id == 58:
		return date
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return daytime
	}
	return noClock
}

// clockOf tells what a format code means, such as yyyy-mm-dd or 0.00. Time that has passed, such as
// [h]:mm, is a number.
func clockOf(code string) clock {
	var plain strings.Builder
	for k := 0; k < len(code); k++ {
		switch code[k] {
		case ';': // what follows is for other values
			k = len(code)
		case '\\', '_', '*':
			k++
		case '"':
			end := strings.IndexByte(code[k+1:], '"')
			if end < 0 {
				return noClock
			}
			k += end + 1
		case '[':
			end := strings.IndexByte(code[k:], ']')
			if end < 0 {
				return noClock
			}
			if inside := strings.ToLower(code[k+1 : k+end]); strings.Trim(inside, "hms") == "" {
				return noClock
			}
			k += end
		default:
			plain.WriteByte(code[k])
		}
	}
	text := strings.ToLower(plain.String())
	text = strings.NewReplacer("general", "", "am/pm", "h", "a/p", "h").Replace(text)
	if k := strings.Index(text, "s.0"); k >= 0 {
		text = text[:k+1] + strings.TrimLeft(text[k+2:], "0")
	}
	switch {
	case strings.ContainsAny(text, "0#?"):
		return noClock
	case strings.ContainsAny(text, "yd"), strings.Contains(text, "mmm"):
		return date
	case strings.ContainsAny(text, "hs"):
		return daytime
	}
	return noClock
}

const (
	millisecond = 86400 * 1000 // in days
	lastDay     = 2958466      // the year 10000
)

// timed writes the number of a cell as a time.
func (w *Workbook) timed(number string, kind clock) string {
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !(v >= 0 && v < lastDay) {
		return number
	}
	// Spreadsheets count days from the first of 1900, and take that year for a leap year.
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.from1904:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case v < 60:
		start = start.AddDate(0, 0, 1)
	}
	day := math.Floor(v)
	since := time.Duration(math.Round((v-day)*millisecond)) * time.Millisecond
	t := start.AddDate(0, 0, int(day)).Add(since)
	switch {
	case kind == daytime && v < 1:
		return t.Format("15:04:05.999")
	case since == 0:
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04:05.999")
}
