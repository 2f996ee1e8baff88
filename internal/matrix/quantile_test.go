package matrix

import "testing"

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
