package matrix

import (
	"math"
	"testing"
)

func TestQuantileInterpolates(t *testing.T) {
	for q, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 1: 4} {
		if got := Quantile([]float64{3, 1, 4, 2}, q); got != want {
			t.Errorf("%g: got %g, want %g", q, got, want)
		}
	}
	if got := Quantile(nil, 0.5); got != 0 {
		t.Errorf("of none: got %g", got)
	}
}

// The example of four chances among five tests, by hand.
func TestQValuesByHand(t *testing.T) {
	want := []float64{0.04 * 5 / 3, 0.005 * 5 / 1, 0.04 * 5 / 3, 0.5 * 5 / 4} // 0.03·5/2 is more than 0.04·5/3
	for k, got := range QValues([]float64{0.03, 0.005, 0.04, 0.5}, 5) {
		if math.Abs(got-want[k]) > 1e-12 {
			t.Errorf("chance %d: got %g, want %g", k, got, want[k])
		}
	}
	if got := QValues([]float64{0.9}, 5); got[0] != 1 {
		t.Errorf("got %g, want 1", got[0])
	}
}
