package dataio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/words"
)

func TestOddSignalsAreNoted(t *testing.T) {
	const header = "the first observation counts up by one: if it is a header, leave it out, or give the vertices names that are not numbers"
	code := func(code string, times int, first string) string {
		return fmt.Sprintf("the value %s, %s, first at vertex %q, looks like a code for missing values: replace it with empty cells, unless it is set aside below", code, words.Plural(times, "time"), first)
	}
	for name, c := range map[string]struct {
		text      string
		transpose bool
		want      string
	}{
		"a header from 0":             {"0,1,2\n0.5,1.5,2\n0.1,0.3,0.2\n", false, "line 1 counts up by one and is read as the names of the vertices"},
		"a header from 1":             {"1,2,3\n0.5,1.5,2\n0.1,0.3,0.2\n", false, "line 1 counts up by one and is read as the names of the vertices"},
		"a count from 7":              {"7,8,9\n0.5,1.5,2\n0.1,0.3,0.2\n", false, header},
		"names that R wrote":          {"\"8336\",\"8337\",\"8336.5\"\n5,15,2\n1,3,2\n", false, "line 1 is in quotation marks and is read as the names of the vertices"},
		"numbers, all in marks":       {"\"8336\",\"8337\"\n\"5\",\"15\"\n\"1\",\"3\"\n", false, ""},
		"a header of years":           {"2001,2002,2003\n0.5,1.5,2\n0.1,0.3,0.2\n", false, "line 1 has years and is read as the names of the vertices"},
		"years among years":           {"2001,2002,2003\n0.5,1.5,2000\n0.1,0.3,0.2\n", false, header},
		"names by number, transposed": {"0,0.5,0.1\n1,1.5,0.2\n2,2.5,0.3\n", true, header},
		"whole numbers throughout":    {"0,1,2\n5,15,2\n1,3,2\n", false, ""},
		"halves":                      {"0.5,1.5,2.5\n0.5,1.5,2\n0.1,0.3,0.2\n", false, ""},
		"two vertices":                {"0,1\n0.5,1.5\n0.1,0.3\n", false, ""},
		"other numbers":               {"0,1,3\n0.5,1.5,2\n0.1,0.3,0.2\n", false, ""},
		"named vertices":              {"a,b,c\n0,1,2\n0.5,1.5,2\n0.1,0.3,0.2\n", false, ""},
		"−999":                        {"a,b\n1,2\n3,-999\n-2,2.5\n", false, code("-999", 1, "b")},
		"9999 among pressures":        {"a,b\n1013,2\n9999,4\n9999,2.5\n1009,7\n", false, code("9999", 2, "a")},
		"1e20":                        {"a,b\n1,2\n3,1e20\n-2,2.5\n", false, code("1e+20", 1, "b")},
		"two codes":                   {"a,b\n1,2\n-99,-999\n-2,2.5\n4,3\n", false, code("-999", 1, "b") + ";" + code("-99", 1, "a")},
		"within reach of others":      {"a,b\n-900,2\n300,-99\n-999,40\n", false, ""},
		"nothing else":                {"a,b\n-999,2\n-999,3\n-999,2.5\n", false, ""},
		"rare, in all":                {"a,b\n-999,2\n" + strings.Repeat("1.5,2\n2.5,3\n", 60), false, ""},
	} {
		s, err := decode(c.text, CSV, ReadOptions{Transpose: c.transpose})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := strings.Join(s.Notes, ";"); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Codes are no part of the means that resampling takes.
func TestResamplingLeavesOutCodes(t *testing.T) {
	var table strings.Builder
	table.WriteString("time,a,b\n")
	for k := range 60 {
		a := "12.5"
		if k%6 == 1 {
			a = "-999"
		}
		fmt.Fprintf(&table, "2024-01-01 %02d:%02d,%s,%d\n", k/6, 10*(k%6), a, k)
	}
	s, err := DecodeSignals(strings.NewReader(table.String()), "x.csv", ReadOptions{Resample: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range s.Y.RawRowView(0) {
		if v != 12.5 {
			t.Fatalf("a mean is %g", v)
		}
	}
	if !strings.Contains(strings.Join(s.Notes, "; "), "the value -999, 10 times, first at vertex \"a\", is taken for a code for missing values") {
		t.Errorf("notes: %q", s.Notes)
	}
}
