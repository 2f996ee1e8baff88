package dataio

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
)

func TestPartsOfTimesAreTold(t *testing.T) {
	const times = "a b | 2024-01-31 13:00, 2024-01-31 14:00 | [1 3] | "
	for name, c := range map[string]struct{ text, want string }{
		"all parts":                        {"year,month,day,hour,a,b\n2024,1,31,13,1,2\n2024,1,31,14,3,4\n", times + `columns 1, 2, 3 and 4, "year", "month", "day" and "hour", are read as the times of the observations`},
		"behind the signals":               {"a,b,HH,DD,MM,YYYY\n1,2,13,31,1,2024\n3,4,14,31,1,2024\n", times + `columns 3, 4, 5 and 6, "HH", "DD", "MM" and "YYYY", are read as the times of the observations`},
		"a day and an hour":                {"Datum,a,b,Stunde\n31.01.2024,1,2,13\n31.01.2024,3,4,14\n", times + `columns 1 and 4, "Datum" and "Stunde", are read as the times of the observations`},
		"a day in digits and an hour":      {"date,hour,a,b\n20240131,13,1,2\n20240131,14,3,4\n", times + `columns 1 and 2, "date" and "hour", are read as the times of the observations`},
		"parts and a clock":                {"year,month,day,time,a,b\n2024,1,31,13:00,1,2\n2024,1,31,14:00,3,4\n", times + `columns 1, 2, 3 and 4, "year", "month", "day" and "time", are read as the times of the observations`},
		"minutes twice called MM":          {"YYYY;MM;DD;hh;mm;a;b\n2024;1;31;12;60;1;2\n2024;1;31;14;0;3;4\n", "mm a b | 2024-01-31 12:00, 2024-01-31 14:00 | [60 0] | " + `columns 1, 2, 3 and 4, "YYYY", "MM", "DD" and "hh", are read as the times of the observations`},
		"least and most":                   {"year,month,min,max\n2024,1,1,20\n2024,2,3,40\n", "min max | 2024-01-01 00:00, 2024-02-01 00:00 | [1 3] | " + `columns 1 and 2, "year" and "month", are read as the times of the observations`},
		"a year and rain in mm":            {"year,mm,a\n2001,812.5,1\n2002,640,3\n", "year mm a |  | [2001 2002] | "},
		"a wind direction called dd":       {"year,month,dd,ff\n2024,1,270,3\n2024,2,90,4\n", "dd ff | 2024-01-01 00:00, 2024-02-01 00:00 | [270 90] | " + `columns 1 and 2, "year" and "month", are read as the times of the observations`},
		"parts that repeat another column": {"time,year,month,day,a,b\n2024-01-31 13:00,2024,1,31,1,2\n2024-01-31 14:00,2024,1,31,3,4\n", times + `column 1, "time", is read as the times of the observations; column 2, "year", is treated as row labels`},
		"a row with nothing in it":         {"year,month,day,a,b\n2024,1,30,1,2\n,,,,\n2024,1,31,3,4\n", "a b | 2024-01-30 00:00, 2024-01-31 00:00 | [1 3] | " + `columns 1, 2 and 3, "year", "month" and "day", are read as the times of the observations; an observation without values was ignored: line 3`},
	} {
		s, err := decode(c.text, CSV, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := told(s); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", name, got, c.want)
		}
	}
}

func TestPartsOfTimesInParquetAreThoseOfText(t *testing.T) {
	type parts struct {
		Year  int64   `parquet:"year"`
		Month int64   `parquet:"month"`
		Day   int64   `parquet:"day"`
		Hour  int64   `parquet:"hour"`
		A     float64 `parquet:"a"`
	}
	type days struct {
		Date string  `parquet:"date"`
		Hour int64   `parquet:"hour"`
		A    float64 `parquet:"a"`
	}
	const want = "a | 2024-01-31 13:00, 2024-01-31 14:00 | [1 3] | "
	for file, notes := range map[string]string{
		parquetFile(t, []parts{{2024, 1, 31, 13, 1}, {2024, 1, 31, 14, 3}}):  `columns "year", "month", "day" and "hour" are read as the times of the observations`,
		parquetFile(t, []days{{"2024-01-31", 13, 1}, {"2024-01-31", 14, 3}}): `column "date" is read as the times of the observations; the times of day are those of "hour"`,
	} {
		s, err := decode(file, Parquet, ReadOptions{})
		if err != nil {
			t.Error(err)
		} else if got := told(s); got != want+notes {
			t.Errorf("got %s, want %s", got, want+notes)
		}
	}
}

// What would be read as times is not written as signals.
func TestVerticesNamedAsPartsOfTimesAreNotWritten(t *testing.T) {
	parts := &signals.Set{Names: []string{"a", "year", "month"}, Y: mat.NewDense(3, 2, []float64{1, 2, 2024, 2025, 1, 12})}
	hours := &signals.Set{Names: []string{"a", "b", "hour"}, Y: mat.NewDense(3, 2, []float64{1, 2, 3, 5, 1, 12}), Times: []time.Time{time.Unix(0, 0), time.Unix(86400, 0)}}
	for _, s := range []*signals.Set{parts, hours} {
		err := EncodeSignals(new(strings.Builder), CSV, s)
		if err == nil || !strings.Contains(err.Error(), "would be read as part of the times of the observations: give it another name") {
			t.Errorf("%v: %v", s.Names, err)
		}
		s.Y.Set(2, 0, 0.5)
		if err := EncodeSignals(new(strings.Builder), CSV, s); err != nil {
			t.Errorf("%v: %v", s.Names, err)
		}
	}
}

// The remedies that sentences name do help.
func TestWhatIsRefusedIsReadAfterItsRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		o    ReadOptions
		want []string
	}{
		"panel.csv":            {ReadOptions{Columns: []string{"country", "gdp"}}, []string{"Austria", "Belgium", "Chad"}},
		"influx-annotated.csv": {ReadOptions{Columns: []string{"_field", "_value"}}, []string{"north", "south"}},
		"transposed.csv":       {ReadOptions{Transpose: true}, []string{"north", "south", "west"}},
	} {
		s, err := ReadSignals(everyday+"/"+name, c.o)
		if err != nil || !slices.Equal(s.Names, c.want) || s.Times == nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}
