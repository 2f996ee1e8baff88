package dataio

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// told writes what was read: names, times, the values of the first vertex and notes.
func told(s *signals.Set) string {
	var times []string
	for _, t := range s.Times {
		times = append(times, words.Time(t))
	}
	return fmt.Sprintf("%s | %s | %v | %s", strings.Join(s.Names, " "), strings.Join(times, ", "), s.Y.RawRowView(0), strings.Join(s.Notes, "; "))
}

func TestColumnsOfTimesAreNotVertices(t *testing.T) {
	const first, times = "2024-01-31 13:00", " | 2024-01-31 13:00, 2024-01-31 14:00 | [1 3] | "
	for name, c := range map[string]struct {
		text string
		want string
	}{
		"text first":                  {"when,a,b\n2024-01-31 13:00,1,2\n2024-01-31 14:00,3,4\n", "a b" + times + `column 1, "when", is read as the times of the observations`},
		"without a header":            {"2024-01-31 13:00,1,2\n2024-01-31 14:00,3,4\n", "v0 v1" + times + "column 1 is read as the times of the observations"},
		"pandas' index":               {",a,b\n2024-01-31 13:00:00,1,2\n2024-01-31 14:00:00,3,4\n", "a b" + times + "column 1 is read as the times of the observations"},
		"text last":                   {"a,b,Timestamp\n1,2,2024-01-31T13:00Z\n3,4,2024-01-31T15:00+01:00\n", "a b" + times + `column 3, "Timestamp", is read as the times of the observations`},
		"semicolons, decimal commas":  {"datum;a;b\n31.01.2024 13:00;1,0;2,5\n31.01.2024 14:00;3;4\n", "a b" + times + `column 1, "datum", is read as the times of the observations`},
		"seconds since 1970":          {"a,time,b\n1,1706706000,2\n3,1706709600,4\n", "a b" + times + `column 2, "time", is read as the times of the observations`},
		"milliseconds":                {"t,a,b\n1706706000000,1,2\n1706709600000,3,4\n", "a b" + times + `column 1, "t", is read as the times of the observations`},
		"nanoseconds":                 {"ts,a,b\n1706706000000000000,1,2\n1706709600000000000,3,4\n", "a b" + times + `column 1, "ts", is read as the times of the observations`},
		"digits":                      {"date,a,b\n2024013113,1,2\n2024013114,3,4\n", "a b" + times + `column 1, "date", is read as the times of the observations`},
		"date and time of day":        {"date,time,a,b\n2024-01-31,13:00,1,2\n2024-01-31,14:00,3,4\n", "a b" + times + `columns 1 and 2, "date" and "time", are read as the times of the observations`},
		"one vertex":                  {"time,a\n2024-01-31 13:00,1\n2024-01-31 14:00,3\n", "a" + times + `column 1, "time", is read as the times of the observations`},
		"out of order":                {"time,a\n2024-01-31 14:00,3\n2024-01-31 13:00,1\n", "a" + times + `column 1, "time", is read as the times of the observations; the observations are not in the order of time and were sorted`},
		"an empty row":                {"time,a\n2024-01-31 14:00,3\n2024-01-31 13:30,\n2024-01-31 13:00,1\n", "a" + times + `column 1, "time", is read as the times of the observations; an observation without values was ignored: line 3; the observations are not in the order of time and were sorted`},
		"two of the same time":        {"time,a\n2024-01-31 13:00,1\n2024-01-31 13:00,2\n2024-01-31 14:00,3\n", "a | 2024-01-31 13:00, 2024-01-31 13:00, 2024-01-31 14:00 | [1 2 3] | " + `column 1, "time", is read as the times of the observations; line 2 and line 3 have the same time, ` + first},
		"a second column of times":    {"time,date,a\n2024-01-31 13:00,2024-01-31,1\n2024-01-31 14:00,2024-01-31,3\n", "a" + times + `column 1, "time", is read as the times of the observations; column 2, "date", is treated as row labels`},
		"a time that is missing":      {"time,a\n2024-01-31 13:00,1\nNA,3\n", "a |  | [1 3] | column 1 is treated as row labels: line 3 has no time"},
		"day or month first":          {"time,a\n01/02/2024,1\n05/03/2024,3\n", `a |  | [1 3] | column 1 is treated as row labels: day and month of "01/02/2024" cannot be told apart, write dates as 2024-01-31`},
		"times of day":                {"a,time\n1,13:00\n3,14:00\n", `a |  | [1 3] | column 2, "time", is treated as row labels`},
		"a counter":                   {"a,t,b\n1,0,5\n3,1,4\n2,2,4\n7,3,4\n6,4,4\n", `a b |  | [1 3 2 7 6] | column 2, "t", counts the rows and is treated as row labels`},
		"a clock that runs":           {"time (s),a,b\n0.5,1,5\n1,3,4\n1.5,2,4\n2,7,4\n2.5,6,4\n", `a b |  | [1 3 2 7 6] | column 1, "time (s)", rises throughout and is treated as row labels`},
		"a clock that runs backwards": {"time,a,b\n5,1,5\n4,3,4\n3,2,4\n2,7,4\n1,6,4\n", `a b |  | [1 3 2 7 6] | column 1, "time", falls throughout and is treated as row labels`},
		"temperatures":                {"t,a,b\n5,1,5\n4,3,4\n5,2,4\n2,7,4\n1,6,4\n", "t a b |  | [5 4 5 2 1] | "},
		"uneven steps, a few":         {"t,a,b\n5,1,5\n6,3,4\n8,2,4\n9,7,4\n11,6,4\n", "t a b |  | [5 6 8 9 11] | "},
		"an epoch under another name": {"x,a,b\n1706706000,1,5\n1706709600,3,4\n1706713200,2,4\n1706716800,7,4\n1706720400,6,4\n", `a b | 2024-01-31 13:00, 2024-01-31 14:00, 2024-01-31 15:00, 2024-01-31 16:00, 2024-01-31 17:00 | [1 3 2 7 6] | column 1, "x", is read as the times of the observations`},
	} {
		s, err := decode(c.text, CSV, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := told(s); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, c.want)
		}
	}
}

func TestTimesAlongTheTopOfVerticesInRows(t *testing.T) {
	const want = "a b | 2024-01-31 13:00, 2024-01-31 14:00 | [1 2] | line 1 is read as the times of the observations"
	for name, text := range map[string]string{
		"names":    "x,2024-01-31 13:00,2024-01-31 14:00\na,1,2\nb,3,4\n",
		"no names": "2024-01-31 13:00,2024-01-31 14:00\n1,2\n3,4\n",
		"epochs":   "time,1706706000,1706709600\na,1,2\nb,3,4\n",
		"sorted":   "x,2024-01-31 14:00,2024-01-31 13:00\na,2,1\nb,4,3\n",
	} {
		s, err := decode(text, CSV, ReadOptions{Transpose: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := strings.Replace(told(s), "v0 v1", "a b", 1)
		if got = strings.TrimSuffix(got, "; the observations are not in the order of time and were sorted"); got != want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, want)
		}
	}
	_, err := decode("x,time\na,1\nb,soon\n", CSV, ReadOptions{Transpose: true})
	wantFault(t, err, 3, 2, `stdin: line 3, column 2: "soon" is not a number: a column holds numbers or text and not both; code ordered answers as numbers such as 1 to 5, or leave the column out`)
}

func TestTextUnderTheNameOfATimeIsAnError(t *testing.T) {
	_, err := decode("a,t\n1,hot\n2,cold\n", CSV, ReadOptions{})
	wantFault(t, err, 2, 2, `stdin: line 2, column 2: "hot" is not a number: a column holds numbers or text and not both; code ordered answers as numbers such as 1 to 5, or leave the column out`)
	_, err = decode("a,t\n1,2024-01-01\n2,7\n", CSV, ReadOptions{})
	wantFault(t, err, 2, 2, `stdin: line 2, column 2: "2024-01-01" is not a number: a column holds numbers or text and not both; code ordered answers as numbers such as 1 to 5, or leave the column out`)
	_, err = decode("date,time\n2024-01-31,13:00\n", CSV, ReadOptions{})
	wantFault(t, err, 0, 0, "stdin: there is no column of numbers")
}

// Columns of times of a Parquet file are read in every type, and not as vertices.
func TestParquetTimesAreThoseOfTheObservations(t *testing.T) {
	at := []time.Time{time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)}
	type stamps struct {
		A    float64   `parquet:"a"`
		When time.Time `parquet:"when,timestamp(microsecond)"`
	}
	type dates struct {
		A    float64 `parquet:"a"`
		When int32   `parquet:"when,date"`
	}
	type old struct {
		A    float64          `parquet:"a"`
		When deprecated.Int96 `parquet:"when"`
	}
	type epoch struct {
		A    float64 `parquet:"a"`
		When int64   `parquet:"time"`
	}
	type text struct {
		A    float64 `parquet:"a"`
		When string  `parquet:"date"`
	}
	const julian = 2440588 // of 1970-01-01
	day := func(k int) int32 { return int32(at[k].Unix() / 86400) }
	days := func(k int) uint32 { return julian + uint32(day(k)) }
	for name, file := range map[string]string{
		"when": parquetFile(t, []stamps{{1, at[0]}, {3, at[1]}}), "when, as dates": parquetFile(t, []dates{{1, day(0)}, {3, day(1)}}),
		"when, as Int96": parquetFile(t, []old{{1, deprecated.Int96{2: days(0)}}, {3, deprecated.Int96{2: days(1)}}}),
		"time":           parquetFile(t, []epoch{{1, at[0].Unix()}, {3, at[1].Unix()}}), "date": parquetFile(t, []text{{1, "31.01.2024"}, {3, "01.02.2024"}}),
	} {
		s, err := decode(file, Parquet, ReadOptions{})
		column, _, _ := strings.Cut(name, ",")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := told(s); got != `a | 2024-01-31 00:00, 2024-02-01 00:00 | [1 3] | column "`+column+`" is read as the times of the observations` {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// A sample of a file keeps the times of what was sampled, and drops them if the file is
// not in their order.
func TestSamplesKeepTheirTimes(t *testing.T) {
	type row struct {
		When time.Time `parquet:"when,timestamp"`
		A    float64   `parquet:"a"`
	}
	start := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC)
	for _, backwards := range []bool{false, true} {
		rows := make([]row, 400)
		for k := range rows {
			h := k
			if backwards {
				h = len(rows) - k
			}
			rows[k] = row{start.Add(time.Duration(h) * time.Hour), float64(k)}
		}
		path := filepath.Join(t.TempDir(), "f.parquet")
		if err := os.WriteFile(path, []byte(parquetFile(t, rows)), 0o600); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := openParquetBlocks(bytes.NewReader(content), int64(len(content)), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := b.sample(ReadOptions{Sample: 20})
		if err != nil {
			t.Fatal(err)
		}
		if backwards {
			if s.Times != nil {
				t.Errorf("times of a sample out of order: %v", s.Times)
			}
			continue
		}
		for k, m := range s.Whole.Chosen {
			if !s.Times[k].Equal(rows[m].When) || s.Y.At(0, k) != rows[m].A {
				t.Errorf("signal %d is %g at %v, want %g at %v", m, s.Y.At(0, k), s.Times[k], rows[m].A, rows[m].When)
			}
		}
		all, err := b.all(ReadOptions{})
		if err != nil || !slices.EqualFunc(all.Times, rows, func(at time.Time, r row) bool { return at.Equal(r.When) }) {
			t.Errorf("%v, %d times", err, len(all.Times))
		}
	}
}
