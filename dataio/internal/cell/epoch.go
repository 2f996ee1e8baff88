package dataio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// Which column of a file says when its rows were observed. Such a column is not a
// vertex: one of times, whatever its name, if it is text and comes first, and wherever
// it stands if its name says what it is. Numbers are times if they count from 1970, or
// are dates such as 20240131; other numbers that only rise or only fall are labels if the name
// says that they are times.

// timeWords are words of which the name of a column of times consists, in lower case;
// those that are true are enough by themselves.
var timeWords = map[string]bool{
	"time": true, "times": true, "timestamp": true, "timestamps": true, "date": true, "datetime": true, "dates": true,
	"epoch": true, "ts": true, "t": true, "unix": true, "unixtime": true, "posix": true, "posixtime": true, "epochtime": true,
	"zeit": true, "datum": true, "zeitstempel": true, "uhrzeit": true, "localtime": true,
	"utc": false, "gmt": false, "cet": false, "local": false, "stamp": false, "since": false, "1970": false,
	"s": false, "sec": false, "secs": false, "second": false, "seconds": false, "ms": false, "msec": false, "milliseconds": false,
	"us": false, "µs": false, "usec": false, "ns": false, "min": false, "minutes": false, "h": false, "hours": false, "days": false,
	"of": false, "at": false, "recorded": false, "measured": false, "measurement": false, "observation": false, "sampling": false,
	"sample": false, "start": false, "begin": false, "index": false,
}

// saysTime reports whether a name is that of a column of times, such as "time",
// "Timestamp (UTC)" or "date_time"; "travel time" is not.
func saysTime(name string) bool {
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

// epochs reads numbers as times since 1970, all in one unit.
func epochs(values []float64) []time.Time {
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

// numbersAsTimes tells what a column of numbers is whose name says that it is one of
// times: times, labels, or neither.
func numbersAsTimes(values []float64) (times []time.Time, label bool) {
	if times = compactDates(values); times == nil {
		times = epochs(values)
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

// epochsByLook reads a column without a telling name as epochs: whole numbers that only
// rise, all between 2000 and 2040.
func epochsByLook(values []float64) []time.Time {
	if len(values) < leastLabels || !isMonotone(values) || values[1] < values[0] {
		return nil
	}
	times := epochs(values)
	if times == nil || times[0].Year() < 2000 || times[len(times)-1].Year() >= 2040 || slices.ContainsFunc(values, func(v float64) bool { return v != math.Trunc(v) }) {
		return nil
	}
	return times
}

// setTimes gives signals the times of their observations, in the order of the file, and
// notes where two are the same, unless they are averaged. Nil times are not known.
func (o ReadOptions) setTimes(s *signals.Set, times []time.Time, observation func(m int) string) {
	s.Times = times
	if times == nil || o.Resample > 0 {
		return
	}
	order := byTime(times)
	equal, first := 0, -1
	for k := 1; k < len(order); k++ {
		if times[order[k]].Equal(times[order[k-1]]) {
			if equal++; first < 0 {
				first = k
			}
		}
	}
	if equal > 0 {
		a, b := order[first-1], order[first]
		s.Notes = append(s.Notes, fmt.Sprintf("%s and %s have the same time, %s%s",
			observation(a), observation(b), words.Time(times[a]), others(equal-1)))
	}
}

// others says how many more there are.
func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", and so has one more"
	}
	return fmt.Sprintf(", and so have %d more", n)
}

// byTime returns the places of times in ascending order; equal ones stay in order.
func byTime(times []time.Time) []int {
	order := make([]int, len(times))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return times[a].Compare(times[b]) })
	return order
}

// sortByTime puts the observations into the order of their times, with a note if they
// were not.
func sortByTime(s *signals.Set) {
	if s.Times == nil || isAscending(s.Times) {
		return
	}
	order := byTime(s.Times)
	s.Y = signals.Columns(s.Y, order)
	s.Times = signals.Pick(s.Times, order)
	s.Notes = append(s.Notes, "the observations are not in the order of time and were sorted")
}
