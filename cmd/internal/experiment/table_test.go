package experiment

import (
	"math"
	"testing"
)

func TestSummarizeByHand(t *testing.T) {
	var records []Record
	for _, v := range []float64{1, 2, 3, 6} {
		records = append(records, Record{Values: Values{"v": v}})
	}
	records = append(records, Record{Values: Values{"v": "a word"}}, Record{})
	// Mean 3, squares 4 + 1 + 0 + 9 = 14, variance 14/3, of the mean 14/12.
	s := Summarize(records, "v")
	if s.Count != 4 || s.Mean != 3 || math.Abs(s.StandardError-math.Sqrt(14./12)) > 1e-15 {
		t.Errorf("got %+v", s)
	}
	for want, some := range map[string][]Record{"3.0 ± 1.1": records, "1.0": records[:1], none: nil} {
		if got := Summarize(some, "v").text(1); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
