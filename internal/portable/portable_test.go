package portable

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1},
		{1, math.E},
		{-1, 1 / math.E},
		{math.Ln2, 2},
		{-math.Ln2, 0.5},
		{1e-20, 1},
		{math.Inf(1), math.Inf(1)},
		{math.Inf(-1), 0},
		{-800, 0},
		{800, math.Inf(1)},
	} {
		if got := Exp(c.x); !near(got, c.want) {
			t.Errorf("Exp(%g) = %v, want %v", c.x, got, c.want)
		}
	}
	for x := -700.0; x < 700; x += 0.3717 {
		if got, want := Exp(x), math.Exp(x); !near(got, want) {
			t.Errorf("Exp(%g) = %v, want %v", x, got, want)
		}
	}
	if got := Exp(math.NaN()); !math.IsNaN(got) {
		t.Errorf("Exp(NaN) = %v", got)
	}
}

// near reports whether two numbers are within two units in the last place.
func near(got, want float64) bool {
	return got == want || math.Abs(got-want) <= 2*(math.Nextafter(want, math.Inf(1))-want)
}
