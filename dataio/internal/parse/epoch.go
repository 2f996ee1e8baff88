package parse

import (
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Which column of a file says when its rows were observed. Such a column is not a
// vertex: one of times, whatever its name, if it is text and comes first, and wherever
// it stands if its name says what it is. Numbers are times if they count from 1970, or
// are dates such as 20240131; other numbers that only rise or only fall are labels if the name
// says that they are times.

// timeWords are words of which the name of a column of times consists, in lower case;
// those that are true are enough by themselves.
var timeWords = lexicon(map[bool]string{
	true: `time times timestamp timestamps date datetime dates epoch ts t unix unixtime posix posixtime
		epochtime zeit datum zeitstempel uhrzeit localtime messdatum messzeit messzeitpunkt zeitpunkt
		horodatage fecha tijd dato yyyymmdd yyyymmddhh yyyymmddhhmm`,
	false: `utc gmt cet local stamp since 1970 s sec secs second seconds ms msec milliseconds us µs usec ns min
		minutes h hours days of at recorded measured measurement observation sampling sample mess beginn
		hora heure start begin index`,
})

// SaysTime reports whether a name is that of a column of times, such as "time",
// "Timestamp (UTC)" or "date_time"; "travel time" is not.
func SaysTime(name string) bool {
	enough := false
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		sure, known := timeWords[word]
		if !known {
			return false
		}
		enough = enough || sure
	}
	return enough
}

const (
	leastLabels       = 5  // fewer numbers may count up by equal steps by chance
	leastUnevenLabels = 10 // fewer may rise by chance
)

// Units of epochs, from 1980 to 2100 each: the ranges do not meet.
var epochUnits = []time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond}

var (
	firstEpoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	lastEpoch  = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Epochs reads numbers as times since 1970, all in one unit.
func Epochs(values []float64) []time.Time {
	for _, unit := range epochUnits {
		perSecond := float64(time.Second / unit)
		low, high := float64(firstEpoch.Unix())*perSecond, float64(lastEpoch.Unix())*perSecond
		if len(values) == 0 || slices.ContainsFunc(values, func(v float64) bool { return !(v >= low && v < high) }) {
			continue
		}
		times := make([]time.Time, len(values))
		for k, v := range values {
			seconds := math.Floor(v / perSecond)
			// Microseconds are what a float64 tells apart.
			rest := time.Duration(math.Round((v-seconds*perSecond)/perSecond*1e6)) * time.Microsecond
			times[k] = time.Unix(int64(seconds), 0).Add(rest).UTC()
		}
		return times
	}
	return nil
}

// compactDates reads whole numbers such as 20240131, 2024013113, 202401311305 or
// 20240131130559 as times, all of one length.
func compactDates(values []float64) []time.Time {
	const year, month, day, hour = 1e10, 1e8, 1e6, 1e4
	for _, missing := range []float64{1e6, 1e4, 1e2, 1} { // of the digits down to the second
		times := make([]time.Time, 0, len(values))
		for _, v := range values {
			if v != math.Trunc(v) || !(v*missing >= 1800*year && v*missing < 2200*year) {
				break
			}
			n := int64(v * missing)
			t, ok := calendarDay(int(n/year), int(n/month%100), int(n/day%100))
			h, m, s := n/hour%100, n/100%100, n%100
			if !ok || h > 24 || m > 59 || s > 60 {
				break
			}
			times = append(times, t.Add(time.Duration(h)*time.Hour+time.Duration(m)*time.Minute+time.Duration(s)*time.Second))
		}
		if len(times) == len(values) {
			return times
		}
	}
	return nil
}

// NumbersAsTimes tells what a column of numbers is whose name says that it is one of
// times: times, labels, or neither.
func NumbersAsTimes(values []float64) (times []time.Time, label bool) {
	if times = compactDates(values); times == nil {
		times = Epochs(values)
	}
	return times, times != nil || isMonotone(values)
}

// isMonotone reports whether numbers only rise, or only fall, and are enough for that
// not to be by chance. A missing one is neither.
func isMonotone(values []float64) bool {
	if len(values) < leastLabels {
		return false
	}
	step, even := values[1]-values[0], true
	for k, v := range values[1:] {
		d := v - values[k]
		if !(d*step > 0) {
			return false
		}
		even = even && math.Abs(d-step) <= 1e-3*math.Abs(step)
	}
	return even || len(values) >= leastUnevenLabels
}

// EpochsByLook reads a column without a telling name as epochs or dates such as 20240131 and 2024013113: whole numbers that only
// rise, epochs between 2000 and 2040, dates after 1900.
func EpochsByLook(values []float64) []time.Time {
	if len(values) < leastLabels || !isMonotone(values) || values[1] < values[0] {
		return nil
	}
	if times := compactDates(values); times != nil && times[0].Year() >= 1900 && times[len(times)-1].Year() < 2100 {
		return times
	}
	times := Epochs(values)
	if times == nil || times[0].Year() < 2000 || times[len(times)-1].Year() >= 2040 ||
		slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
		return nil
	}
	return times
}

// CountsByOne reports whether numbers are whole and each is one more than the one before.
func CountsByOne(values []float64) bool {
	for k, v := range values {
		if v != values[0]+float64(k) {
			return false
		}
	}
	return len(values) >= leastLabels && values[0] == math.Trunc(values[0])
}

// rowCounters are the names, in lower case, of a first column that numbers the rows if it
// counts by one. Under another name it may be a signal.
var rowCounters = append(strings.Fields(`# id index idx no no. nr nr. num number row obs observation sample signal step frame tick year day
		hour minute second week month`), "unnamed: 0")

// IsRowCounter reports whether a name is that of a column that numbers the rows.
func IsRowCounter(name string) bool {
	return slices.Contains(rowCounters, strings.ToLower(strings.TrimSpace(name)))
}
