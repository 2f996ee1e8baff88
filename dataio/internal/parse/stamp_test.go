package parse

import (
	"strings"
	"testing"
	"time"
)

// Each way of writing a time is the time that it says.
func TestStampsAreTheTimesTheySay(t *testing.T) {
	for cell, want := range map[string]string{
		"2024-01-31":                    "2024-01-31T00:00:00Z",
		"2024-1-31":                     "2024-01-31T00:00:00Z",
		"2024/01/31 13:05":              "2024-01-31T13:05:00Z",
		"2024-01":                       "2024-01-01T00:00:00Z",
		"2024-01-31T13:05:07Z":          "2024-01-31T13:05:07Z",
		"2024-01-31T13:05:07.25+01:00":  "2024-01-31T12:05:07.25Z",
		"2024-01-31 13:05:07,5":         "2024-01-31T13:05:07.5Z",
		"2024-01-31 13:05:07 -0530":     "2024-01-31T18:35:07Z",
		"2024-01-31 13:05 UTC":          "2024-01-31T13:05:00Z",
		"2024-01-31 13":                 "2024-01-31T13:00:00Z",
		"2024-01-31T1305":               "2024-01-31T13:05:00Z",
		"2024-01-31T130507+02":          "2024-01-31T11:05:07Z",
		"2024-01-31 24:00":              "2024-02-01T00:00:00Z",
		"2024-02-29 00:00:00.000000001": "2024-02-29T00:00:00.000000001Z",
		"31.01.2024 13:05":              "2024-01-31T13:05:00Z",
		"31.1.24":                       "2024-01-31T00:00:00Z",
		"31.01.1970":                    "1970-01-31T00:00:00Z",
		"31/01/99":                      "1999-01-31T00:00:00Z",
		"01/31/2024 1:05 PM":            "2024-01-31T13:05:00Z",
		"01/31/2024 12:05:01 am":        "2024-01-31T00:05:01Z",
		"31-Jan-2024 13:05:07":          "2024-01-31T13:05:07Z",
		"31 January 2024":               "2024-01-31T00:00:00Z",
		"Jan 31, 2024 13:05":            "2024-01-31T13:05:00Z",
	} {
		times, why := Times([]string{cell})
		if why != "" {
			t.Errorf("%q: %s", cell, why)
		} else if got := times[0].Format(time.RFC3339Nano); got != want {
			t.Errorf("%q: got %s, want %s", cell, got, want)
		}
	}
	for _, cell := range []string{
		"", "x", "2024", "1.2.3", "2024-13-01", "2024-02-30", "2023-02-29", "31.31.2024", "2024-01-31 25:00", "2024-01-31 13:60", "2024-01-31 13:05:99",
		"2024-01-31 13:05 MEZ", "2024-01-31 +", "2024-01-31 13 PM", "2024-01-31 0 AM", "0000-01-01", "2024-01-31-1", "Foo 31, 2024", "31-Jan", "Mo", "T", "13:05", "2024-01-31 13:5",
	} {
		if times, why := Times([]string{cell}); why == "" {
			t.Errorf("%q is read as %v", cell, times)
		}
	}
}

// Day and month are told apart by the whole column: by a day above 12, by the order and
// by the steps; else they are not.
func TestDayAndMonthAreToldApartByTheColumn(t *testing.T) {
	for cells, want := range map[string]string{
		"01/12/2024 01/13/2024":            "01-12 01-13",
		"12/01/2024 13/01/2024":            "01-12 01-13",
		"02/01/2024 03/01/2024 01/02/2024": "01-02 01-03 02-01", // only so they ascend
		"01/02/2024 02/02/2024 03/02/2024": "02-01 02-02 02-03", // only so the steps are equal
		"05/05/2024":                       "05-05",
		"01/02/2024 05/03/2024":            Ambiguous,
		"2024-01-02 03.01.2024":            NotTimes,
		"2024-01-02 NA":                    SomeLack,
	} {
		times, why := Times(strings.Fields(cells))
		var words []string
		for _, at := range times {
			words = append(words, at.Format("01-02"))
		}
		if got := strings.Join(words, " ") + why; got != want {
			t.Errorf("%s: got %s, want %s", cells, got, want)
		}
	}
}

func TestNamesSayTime(t *testing.T) {
	for name, want := range map[string]bool{
		"time": true, "Timestamp (UTC)": true, "date_time": true, "DATE": true, "t": true, "t [s]": true, "unix_ms": true, "epoch": true, "time of measurement": true,
		"travel time": false, "T1": false, "s": false, "": false, "utc": false, "temperature": false, "update": false, "index": false,
	} {
		if SaysTime(name) != want {
			t.Errorf("%q: got %t", name, !want)
		}
	}
}

func FuzzParseStamp(f *testing.F) {
	for _, cell := range []string{"2024-01-31T13:05:07.25+01:00", "31.01.2024 13:00", "01/31/24 1:00 PM", "Jan 31, 2024", "2024-01", "24:00", "+", " T:", "9999-12-31 24:00:60 -23:59"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		times, why := Times([]string{cell})
		if (why == "") != (len(times) == 1) {
			t.Fatalf("%q: %v, %q", cell, times, why)
		}
		if why != "" {
			return
		}
		// What is written as ISO 8601 is read as the same time.
		if again, why := Times([]string{times[0].Format("2006-01-02T15:04:05.999999999Z")}); times[0].Year() >= 1 && times[0].Year() <= 9999 && (why != "" || !again[0].Equal(times[0])) {
			t.Errorf("%q: %v, but again %v %s", cell, times, again, why)
		}
	})
}
