package dataio

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/internal/words"
)

// maxTimes bounds a file of times, in bytes: some forty million of them.
const maxTimes = 1 << 30

// DecodeTimes reads the times of observations from a text for [ReadOptions.Times]: one per
// line, in the order of the observations, written as in a column of a table. They are dates,
// perhaps with a clock and a zone, or numbers: seconds since 1970, or dates such as 20240131.
// A time without a zone is UTC. file stands for the text in errors. Times that go back are an
// error, and so is everything else wrong with it: an [input.Error].
func DecodeTimes(r io.Reader, file string) ([]time.Time, error) {
	times, err := decodeTimes(r)
	if err != nil {
		return nil, inFile(file, err)
	}
	return times, nil
}

func decodeTimes(r io.Reader) ([]time.Time, error) {
	lines, err := textLines(r, "time", "give the time of every observation", maxTimes)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	times, err := lineTimes(lines)
	if err != nil {
		return nil, err
	}
	for k := 1; k < len(times); k++ {
		if times[k].Before(times[k-1]) {
			return nil, faultAt(k+1, 0, "%s is before %s in the line above: sort the observations by time", words.Time(times[k]), words.Time(times[k-1]))
		}
	}
	return times, nil
}

// lineTimes understands lines as times: all numbers, or all dates.
func lineTimes(lines []string) ([]time.Time, error) {
	if missing := slices.IndexFunc(lines, MeansMissing); missing >= 0 {
		return nil, faultAt(missing+1, 0, "there is no time here: give the time of every observation, one per line")
	}
	if numbers := lineNumbers(lines); numbers != nil {
		if times, _ := numbersAsTimes(numbers); times != nil {
			return times, nil
		}
		return nil, fault("the numbers in the file are no times: write dates such as 2024-01-31 13:05, or seconds since 1970")
	}
	times, why := parseStamps(lines)
	switch {
	case times != nil:
		return times, nil
	case why == ambiguous:
		return nil, fault("day and month of %s cannot be told apart: write dates as 2024-01-31", quote(lines[0]))
	}
	for k, line := range lines {
		if times, why := parseStamps([]string{line}); times == nil && why == notTimes {
			return nil, faultAt(k+1, 0, "%s is not a time: write it as 2024-01-31 13:05", quote(line))
		}
	}
	return nil, fault("the times are not all written alike: write dates as 2024-01-31")
}

// lineNumbers reads lines as numbers; nil if some are none.
func lineNumbers(lines []string) []float64 {
	numbers := make([]float64, len(lines))
	for k, line := range lines {
		v, kind := parseNumber(line, false)
		if kind != isNumber {
			return nil
		}
		numbers[k] = v
	}
	return numbers
}

// observationTimes returns the times of m observations: the file's own, or those given for
// a file that has none; nil if there are none.
func (o ReadOptions) observationTimes(own []time.Time, m int) ([]time.Time, error) {
	switch {
	case o.Times == nil:
		return own, nil
	case own != nil:
		return nil, fault("the file has times of its own for the observations: leave out those given besides")
	case len(o.Times) != m:
		return nil, fault("there are %d given times for %d observations: check the times, or whether the file has vertices in rows", len(o.Times), m)
	}
	return o.Times, nil
}
