package dataio

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/dataio/internal/parse"
)

// Times stand one per line, in any form that a column of a table may have.
func TestTimesAreLines(t *testing.T) {
	day := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC)
	at := func(hours ...float64) []time.Time {
		var times []time.Time
		for _, h := range hours {
			times = append(times, day.Add(time.Duration(h*float64(time.Hour))))
		}
		return times
	}
	for name, c := range map[string]struct {
		text string
		want []time.Time
	}{
		"as NumPy writes them":       {"2024-01-31T00:00:00.000000000\n2024-01-31T01:30:00.000000000\n", at(0, 1.5)},
		"a zone, blanks, CRLF":       {"\ufeff2024-01-31 01:00+01:00\r\n 2024-01-31 00:30Z \r\n\r\n", at(0, 0.5)},
		"day first, by what ascends": {"31.01.2024\n01.02.2024\n", at(0, 24)},
		"seconds since 1970":         {"1706659200\n1706662800\n", at(0, 1)},
		"dates as numbers":           {"20240131\n20240201", at(0, 24)},
		"the same twice":             {"2024-01-31\n2024-01-31\n", at(0, 0)},
	} {
		var o ReadOptions
		err := o.DecodeTimes(strings.NewReader(c.text), "times.txt")
		got := o.Times
		if err != nil || !slices.EqualFunc(got, c.want, time.Time.Equal) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                               "there are no times in the file: write one per line",
		"2024-01-31\n\n2024-02-01\n":     "line 2: there is no time here: give the time of every observation, one per line",
		"2024-01-31\nNA\n":               "line 2: there is no time here: give the time of every observation, one per line",
		"2024-01-31\nsoon\n":             `line 2: "soon" is not a time: write it as 2024-01-31 13:05`,
		"2024-01-31\n5\n":                `line 2: "5" is not a time: write it as 2024-01-31 13:05`,
		"1\n2\n":                         "the numbers in the file are no times: write dates such as 2024-01-31 13:05, or seconds since 1970",
		"2024-01-31\n31.01.2024\n":       "the times are not all written alike: write dates as 2024-01-31",
		"01/02/2024\n02/02/2024\n":       `day and month of "01/02/2024" cannot be told apart: write dates as 2024-01-31`,
		"2024-01-31 01:00\n2024-01-31\n": "line 2: 2024-01-31 00:00 is before 2024-01-31 01:00 in the line above: sort the observations by time",
	} {
		if err := new(ReadOptions).DecodeTimes(strings.NewReader(text), "times.txt"); err == nil || err.Error() != "times.txt: "+want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Signals without times take those given, whichever way round they are; signals with times
// do not.
func TestGivenTimesAreForFilesWithout(t *testing.T) {
	times := func(count int) []time.Time {
		var list []time.Time
		for k := range count {
			list = append(list, time.Date(2024, 1, 31, k, 0, 0, 0, time.UTC))
		}
		return list
	}
	numbers := string(numpyFile(5, 3, false, false, func(i, j int) float64 { return float64(i) + float64(j)/4 }))
	const own = "f: the file has times of its own for the observations: leave out those given besides"
	const few = "f: there are 2 given times for 5 observations: check the times, or whether the file has vertices in rows"
	for name, c := range map[string]struct {
		content string
		o       ReadOptions
		count   int
		want    string // of the error; "" for none
	}{
		"an array":               {content: numbers, o: ReadOptions{Format: NPY}, count: 5},
		"an array, transposed":   {content: numbers, o: ReadOptions{Format: NPY, Transpose: true}, count: 3},
		"too few":                {content: numbers, o: ReadOptions{Format: NPY}, count: 2, want: few},
		"a table":                {content: "a,b,c\n1,2,3\n4,5,7\n", o: ReadOptions{Format: CSV}, count: 2},
		"a table with labels":    {content: "id,b,c\nx,2,3\ny,5,7\n", o: ReadOptions{Format: CSV}, count: 2},
		"a table with its times": {content: "time,b,c\n2024-01-31,2,3\n2024-02-01,5,7\n", o: ReadOptions{Format: CSV}, count: 2, want: own},
		"vertices in rows":       {content: "x,2,3\ny,5,7\n", o: ReadOptions{Format: CSV, Transpose: true}, count: 2},
		"vertices in rows with times": {
			content: "when,2024-01-31,2024-02-01\nx,2,3\ny,5,7\n", o: ReadOptions{Format: CSV, Transpose: true}, count: 2, want: own,
		},
	} {
		c.o.Times = times(c.count)
		s, err := DecodeSignals(strings.NewReader(c.content), "f", c.o)
		switch {
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want == "" && !slices.EqualFunc(s.Times, c.o.Times, time.Time.Equal):
			t.Errorf("%s: the times are %v", name, s.Times)
		}
	}

	empty := "a,b\n1,2\n,\n4,5\n"
	s, err := DecodeSignals(strings.NewReader(empty), "f", ReadOptions{Format: CSV, Times: times(3)})
	if err != nil || len(s.Times) != 2 || !s.Times[1].Equal(times(3)[2]) {
		t.Errorf("an observation without values kept its time: %v, %v", s, err)
	}
}

// Whatever the bytes, times ascend, or there is an error.
func FuzzDecodeTimes(f *testing.F) {
	for _, text := range []string{"2024-01-31\n2024-02-01 13:05\n", "\ufeff1706659200\r\n", "", "20240131\n\n20240201", "31/01/24\n1/2/24"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var o ReadOptions
		err := o.DecodeTimes(bytes.NewReader(text[:min(len(text), longestInput)]), "f")
		times := o.Times
		if err != nil {
			checkSentence(t, err)
		}
		if err == nil && (len(times) == 0 || !parse.IsAscending(times)) {
			t.Fatalf("%q: %v", text, times)
		}
	})
}
