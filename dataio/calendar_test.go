package dataio

import (
	"fmt"
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
		"minutes twice called MM":          {"YYYY;MM;DD;hh;mm;a;b\n2024;1;31;12;60;1;2\n2024;1;31;14;0;3;4\n", "mm a b | 2024-01-31 12:00, 2024-01-31 14:00 | [60 0] | " + `columns 1, 2, 3 and 4, "YYYY", "MM", "DD" and "hh", are read as the times of the observations; column 5, "mm", is called like a part of a time and is learned as a vertex`},
		"least and most":                   {"year,month,min,max\n2024,1,1,20\n2024,2,3,40\n", "min max | 2024-01-01 00:00, 2024-02-01 00:00 | [1 3] | " + `columns 1 and 2, "year" and "month", are read as the times of the observations; column 3, "min", is called like a part of a time and is learned as a vertex`},
		"months called MM":                 {"YYYY;MM;a;b\n2024;1;1;2\n2024;2;3;4\n", "a b | 2024-01-01 00:00, 2024-02-01 00:00 | [1 3] | " + `columns 1 and 2, "YYYY" and "MM", are read as the times of the observations`},
		"a year and rain in mm":            {"year,mm,a\n2001,8,1\n2002,6,3\n", "year mm a |  | [2001 2002] | " + `column 1, "year", is called like a part of a time and is learned as a vertex`},
		"a wind direction called dd":       {"year,month,dd,ff\n2024,1,270,3\n2024,2,90,4\n", "dd ff | 2024-01-01 00:00, 2024-02-01 00:00 | [270 90] | " + `columns 1 and 2, "year" and "month", are read as the times of the observations; column 3, "dd", is called like a part of a time and is learned as a vertex`},
		"parts that repeat another column": {"time,year,month,day,a,b\n2024-01-31 13:00,2024,1,31,1,2\n2024-01-31 14:00,2024,1,31,3,4\n", times + `column 1, "time", is read as the times of the observations; column 2, "year", is treated as row labels`},
		"hours of sleep":                   {"date,hours,mood\n2024-01-31,7,3\n2024-02-01,8,4\n", "hours mood | 2024-01-31 00:00, 2024-02-01 00:00 | [7 8] | " + `column 1, "date", is read as the times of the observations; column 2, "hours", is called like a part of a time and is learned as a vertex`},
		"a deviation, least and most":      {"time,mean,std,min,max\n2024-01-31,21,7,1,41\n2024-01-31,22,8,2,42\n", "mean std min max | 2024-01-31 00:00, 2024-01-31 00:00 | [21 22] | " + `column 1, "time", is read as the times of the observations; column 4, "min", is called like a part of a time and is learned as a vertex; line 2 and line 3 have the same time, 2024-01-31 00:00`},
		"the same hour each day":           {"date,hr,mn,a,b\n2024-01-31,13,0,1,2\n2024-02-01,13,0,3,4\n", "a b | 2024-01-31 13:00, 2024-02-01 13:00 | [1 3] | " + `columns 1, 2 and 3, "date", "hr" and "mn", are read as the times of the observations`},
		"a column for each day":            {"year,month,day1,day2\n2024,1,3,5\n2024,2,4,6\n", "day1 day2 | 2024-01-01 00:00, 2024-02-01 00:00 | [3 4] | " + `columns 1 and 2, "year" and "month", are read as the times of the observations`},
		"a column for each hour":           {"date,hour_0,hour_1\n2024-01-31,3,5\n2024-01-31,4,6\n", "hour_0 hour_1 | 2024-01-31 00:00, 2024-01-31 00:00 | [3 4] | " + `column 1, "date", is read as the times of the observations; line 2 and line 3 have the same time, 2024-01-31 00:00`},
		"molybdenum":                       {"year,Mo,Cd\n2001,3,4\n2002,5,6\n", "year Mo Cd |  | [2001 2002] | " + `column 1, "year", is called like a part of a time and is learned as a vertex`},
		"parts of seconds":                 {"year,month,day,hour,minute,second,a\n2024,1,31,13,0,0.5,1\n2024,1,31,13,0,1.5,3\n", "a | 2024-01-31 13:00:00.5, 2024-01-31 13:00:01.5 | [1 3] | " + `columns 1, 2, 3, 4, 5 and 6, "year", "month", "day", "hour", "minute" and "second", are read as the times of the observations`},
		"years of two digits":              {"month,day,year,a\n1,31,24,1\n2,1,98,3\n", "a | 1998-02-01 00:00, 2024-01-31 00:00 | [3 1] | " + `columns 1, 2 and 3, "month", "day" and "year", are read as the times of the observations; the observations are not in the order of time and were sorted`},
		"a year called yy":                 {"yy,doy,a,b\n97,31,1,2\n97,32,3,4\n", "a b | 1997-01-31 00:00, 1997-02-01 00:00 | [1 3] | " + `columns 1 and 2, "yy" and "doy", are read as the times of the observations`},
		"years of a study":                 {"year,month,a\n1,1,1\n2,2,3\n", "year month a |  | [1 2] | " + `columns 1 and 2, "year" and "month", are called like parts of times and are learned as vertices`},
		"full names of German months":      {"Jahr,Monat,a,b\n2024,Oktober,1,2\n2025,Jänner,3,4\n", "a b | 2024-10-01 00:00, 2025-01-01 00:00 | [1 3] | " + `columns 1 and 2, "Jahr" and "Monat", are read as the times of the observations`},
		"full names of French months":      {"a,b,annee,mois\n1,2,2024,février\n3,4,2024,juillet\n", "a b | 2024-02-01 00:00, 2024-07-01 00:00 | [1 3] | " + `columns 3 and 4, "annee" and "mois", are read as the times of the observations`},
		"days, and parts that say more":    {"date,year,month,day,hour,a,b\n2024-01-31,2024,1,31,13,1,2\n2024-01-31,2024,1,31,14,3,4\n", times + `column 1, "date", is treated as row labels; columns 2, 3, 4 and 5, "year", "month", "day" and "hour", are read as the times of the observations`},
		"hours as clocks beside one value": {"year,month,day,hour,a\n2024,1,31,13:00,1\n2024,1,31,14:00,3\n", "a | 2024-01-31 13:00, 2024-01-31 14:00 | [1 3] | " + `columns 1, 2, 3 and 4, "year", "month", "day" and "hour", are read as the times of the observations`},
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
	type clocks struct {
		Year  int64   `parquet:"year"`
		Month string  `parquet:"month"`
		Day   int64   `parquet:"day"`
		Clock string  `parquet:"time"`
		A     float64 `parquet:"a"`
	}
	const want = "a | 2024-01-31 13:00, 2024-01-31 14:00 | [1 3] | "
	for file, notes := range map[string]string{
		parquetFile(t, []parts{{2024, 1, 31, 13, 1}, {2024, 1, 31, 14, 3}}):                       `columns 1, 2, 3 and 4, "year", "month", "day" and "hour", are read as the times of the observations`,
		parquetFile(t, []days{{"2024-01-31", 13, 1}, {"2024-01-31", 14, 3}}):                      `columns 1 and 2, "date" and "hour", are read as the times of the observations`,
		parquetFile(t, []clocks{{2024, "Jan", 31, "13:00", 1}, {2024, "Januar", 31, "14:00", 3}}): `columns 1, 2 and 3, "year", "month" and "day", are read as the times of the observations; the times of day are those of column "time"`,
	} {
		s, err := decode(file, Parquet, ReadOptions{})
		if err != nil {
			t.Error(err)
		} else if got := told(s); got != want+notes {
			t.Errorf("got %s, want %s", got, want+notes)
		}
	}
	bad := parquetFile(t, []parts{{2024, 2, 28, 1, 1}, {2024, 2, 29, 1, 1}, {2024, 2, 30, 1, 1}})
	_, err := decode(bad, Parquet, ReadOptions{})
	wantFault(t, err, 0, 0, `stdin: row 3: the numbers under "year", "month" and "day" are no date: mend the row or leave it out, or choose the columns to read`)
	s, err := decode(bad, Parquet, ReadOptions{Columns: []string{"a"}})
	if err != nil || s.Times != nil {
		t.Errorf("with columns: %v, %v", s, err)
	}
	s, err = decode(parquetFile(t, []days{{"2024-01-30", 7, 1}, {"2024-01-31", 8, 3}}), Parquet, ReadOptions{})
	if err != nil || told(s) != `hour a | 2024-01-30 00:00, 2024-01-31 00:00 | [7 8] | column "date" is read as the times of the observations; column 2, "hour", is called like a part of a time and is learned as a vertex` {
		t.Errorf("hours of sleep: %v", told(s))
	}
}

// What would be read as times is not written as signals.
func TestVerticesNamedAsPartsOfTimesAreNotWritten(t *testing.T) {
	parts := &signals.Set{Names: []string{"a", "year", "month"}, Y: mat.NewDense(3, 2, []float64{1, 2, 2024, 2025, 1, 12})}
	hours := &signals.Set{Names: []string{"a", "b", "hour"}, Y: mat.NewDense(3, 2, []float64{1, 2, 3, 5, 1, 12}), Times: []time.Time{time.Unix(0, 0), time.Unix(0, 0)}}
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

// Parts that most rows have are right in all, unless the columns are left out by choice or asked for as labels.
func TestPartsOfTimesThatFailInOneRowAreRefused(t *testing.T) {
	const remedy = ": mend the row or leave it out, or choose the columns to read"
	for name, c := range map[string]struct {
		text string
		line int
		want string
	}{
		"a day that is none":    {"year,month,day,a\n2024,2,28,1\n2024,2,29,2\n2024,2,30,3\n", 4, `the numbers under "year", "month" and "day" are no date`},
		"a month that is none":  {"year,month,a\n2024,11,1\n2024,12,2\n2024,13,3\n", 4, `the numbers under "year" and "month" are no date`},
		"a month misspelt":      {"year,month,a,b\n2024,Jan,1,2\n2024,Fbe,2,1\n2024,Mar,3,5\n", 3, `there is no number under "month" to tell the time of the row by`},
		"day 366 of 2023":       {"year,doy,a\n2023,364,1\n2023,365,2\n2023,366,3\n", 4, `the numbers under "year" and "doy" are no date`},
		"no day":                {"year,month,day,a\n2024,2,28,1\n2024,2,,2\n2024,2,26,3\n", 3, `there is no number under "day" to tell the time of the row by`},
		"no hour":               {"date,hour,a\n2024-02-01,1,1\n2024-02-01,,2\n2024-02-01,3,3\n", 3, `there is no number under "hour" to tell the time of the row by`},
		"hour 25":               {"date,hour,a\n2024-02-01,23,1\n2024-02-01,24,2\n2024-02-01,25,3\n", 4, `the number under "hour" is no time of day`},
		"minute 60":             {"date,hour,minute,a\n2024-02-01,23,1,1\n2024-02-01,23,30,2\n2024-02-01,23,60,3\n", 4, `the number under "minute" is no time of day`},
		"hour and minute 12:60": {"date,hhmm,a\n2024-02-01,1230,1\n2024-02-01,1245,2\n2024-02-01,1260,3\n", 4, `the number under "hhmm" is no time of day`},
	} {
		_, err := decode(c.text, CSV, ReadOptions{})
		wantFault(t, err, c.line, 0, fmt.Sprintf("stdin: line %d: %s%s", c.line, c.want, remedy))
		for _, o := range []ReadOptions{{Columns: []string{"a"}}, {Columns: []string{"1-"}}} {
			if s, err := decode(c.text, CSV, o); err != nil || !slices.Contains(s.Names, "a") {
				t.Errorf("%s, with columns %v: %v, %v", name, o.Columns, s, err)
			}
		}
	}
	s, err := decode("year,month,day,a,b\n2024,2,28,1,2\n2024,2,29,2,1\n2024,2,30,3,5\n", CSV, ReadOptions{Labels: []string{"year", "month", "day"}})
	if err != nil || len(s.Names) != 2 || s.Times != nil {
		t.Errorf("labels: %v, %v", s, err)
	}
}

// What is asked for as a value is no part of a time.
func TestColumnsThatAreAskedForAreNoPartsOfTimes(t *testing.T) {
	const text = "date,hour,a\n2024-02-01,1,5\n2024-02-01,2,6\n"
	for _, c := range []struct{ columns, want string }{
		{"a", "a | 2024-02-01 01:00, 2024-02-01 02:00 | [5 6] | " + `columns 1 and 2, "date" and "hour", are read as the times of the observations`},
		{"hour,a", "hour a | 2024-02-01 00:00, 2024-02-01 00:00 | [1 2] | " + `column 1, "date", is read as the times of the observations; line 2 and line 3 have the same time, 2024-02-01 00:00`},
	} {
		s, err := decode(text, CSV, ReadOptions{Columns: strings.Split(c.columns, ",")})
		if err != nil {
			t.Errorf("%s: %v", c.columns, err)
		} else if got := told(s); got != c.want {
			t.Errorf("%s: got\n%s, want\n%s", c.columns, got, c.want)
		}
	}
}
