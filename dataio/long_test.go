package dataio

import (
	"strings"
	"testing"
	"time"
)

// A year beside a name makes a table with a row for each value only if most names have most years, or if the name says
// what it is of: else it is one of things that have a year.
func TestYearsOfThingsMakeNoLongTable(t *testing.T) {
	const cars = "brand,year,price\nFord,2001,1500\nOpel,2003,2500\nFord,2004,1700\nFiat,2004,2600\nOpel,1999,900\nVW,2010,5000\nFiat,2011,3000\n"
	for name, c := range map[string]struct{ text, want string }{
		"cars":                  {cars, "year price"},
		"cars and their colour": {strings.NewReplacer("brand,", "brand,colour,", "Ford,", "Ford,red,", "Opel,", "Opel,red,", "Fiat,", "Fiat,blue,", "VW,", "VW,blue,").Replace(cars), "year price"},
		"stations, few years":   {strings.Replace(cars, "brand", "station", 1), "Ford Opel Fiat VW"},
		"most years":            {"party,year,share\nleft,2001,3\nright,2001,4\nleft,2005,5\nright,2005,2\n", "left right"},
	} {
		s, err := decode(c.text, CSV, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := strings.Join(s.Names, " "); got != c.want {
			t.Errorf("%s: the vertices are %s, want %s", name, got, c.want)
		}
	}
}

// A Parquet file with a row for each value is read as a table of text.
func TestLongTablesInParquetAreThoseOfText(t *testing.T) {
	type value struct {
		At      time.Time `parquet:"at,timestamp"`
		Station string    `parquet:"station"`
		Value   float64   `parquet:"value"`
	}
	type yearly struct {
		Index   int64   `parquet:"__index_level_0__"`
		Country string  `parquet:"country"`
		Year    int64   `parquet:"year"`
		A       float64 `parquet:"a"`
		B       float64 `parquet:"b"`
	}
	day := time.Date(2024, 1, 31, 0, 0, 0, 0, time.UTC)
	next := day.AddDate(0, 0, 1)
	long := parquetFile(t, []value{{next, "n", 3}, {next, "s", 4}, {day, "n", 1}, {day, "s", 2}})
	panel := parquetFile(t, []yearly{{7, "A", 2001, 1, 5}, {3, "A", 2002, 3, 6}, {8, "B", 2001, 2, 7}, {9, "B", 2002, 4, 8}})
	for name, c := range map[string]struct {
		file string
		o    ReadOptions
		want string
	}{
		"stations":  {long, ReadOptions{}, "n s | 2024-01-31 00:00, 2024-02-01 00:00 | [1 3] | the table has a row for each value: column 2 (station) names the vertices and column 3 (value) has their values, 2 observations of 2 vertices; the observations are not in the order of time and were sorted"},
		"countries": {panel, ReadOptions{Columns: []string{"country", "a"}}, "A B | 2001-01-01 00:00, 2002-01-01 00:00 | [1 3] | the table has a row for each value: column 2 (country) names the vertices and column 4 (a) has their values, 2 observations of 2 vertices"},
	} {
		s, err := decode(c.file, Parquet, c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := told(s); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, c.want)
		}
	}
	_, err := decode(panel, Parquet, ReadOptions{})
	wantFault(t, err, 0, 0, `stdin: the table has a row for each "country" and time, but 2 columns of values ("a", "b"): choose "country" and one of them as the columns to read`)
}
