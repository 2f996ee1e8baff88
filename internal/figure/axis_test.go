package figure

import (
	"math"
	"slices"
	"testing"
)

func TestTicksAreRoundAndInside(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{0, 1, []float64{0, 0.2, 0.4, 0.6, 0.8, 1}},
		{0, 2, []float64{0, 0.5, 1, 1.5, 2}},
		{50, 400, []float64{100, 200, 300, 400}},
		{-1e308, 1e308, []float64{-1e308, 0, 1e308}},
		{-0.3, 0.3, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
	} {
		got := ticks(c.low, c.high)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("[%g, %g]: %v, want %v", c.low, c.high, got, c.want)
		}
	}
}

// Values that differ by rounding alone have an axis with a few ticks, not with one for
// each number there is.
func TestAnAxisOfValuesThatHardlyDifferHasFewTicks(t *testing.T) {
	for _, v := range []float64{1, 1e-300, 3, 1e300} {
		if a := decadeAxis([]float64{v, math.Nextafter(v, 0)}, 0, 30); len(a.ticks) > 20 || a.high-a.low < 0.5 {
			t.Errorf("at %g: %d ticks between %g and %g", v, len(a.ticks), a.low, a.high)
		}
	}
	if got := ticks(math.Nextafter(1, 0), 1); len(got) > 20 {
		t.Errorf("%d ticks between two numbers that are next to each other", len(got))
	}
}

func TestLogarithmicAxisHasEqualStepsForEqualFactors(t *testing.T) {
	a := logAxis([]float64{200, 50, 100, 50, 400}, 0, 30)
	if want := []float64{50, 100, 200, 400}; !slices.Equal(a.ticks, want) {
		t.Errorf("ticks %v, want %v", a.ticks, want)
	}
	for k, v := range a.ticks {
		if got := a.place(v); math.Abs(got-10*float64(k)) > 1e-9 {
			t.Errorf("%g lies at %g, want %d", v, got, 10*k)
		}
	}
	if low, high := a.place(1), a.place(1000); low != 0 || high != 30 {
		t.Errorf("beyond the ends: %g and %g, want the ends", low, high)
	}
	if got := logAxis([]float64{7}, 0, 30).place(7); math.Abs(got-15) > 1e-9 {
		t.Errorf("the only value lies at %g, want the middle", got)
	}
}

func TestDecadesHaveTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []float64
	}{
		{0.05, 200, []float64{0.1, 1, 10, 100}},
		{0.9, 1.1, []float64{0.9, 0.95, 1, 1.05, 1.1}},
		{2, 8, []float64{2, 3, 4, 5, 6, 7, 8}},
		{1, 10, []float64{1, 2, 5, 10}},
		{0.02, 0.7, []float64{0.02, 0.05, 0.1, 0.2, 0.5}},
		{1e-12, 1, []float64{1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1}},
	} {
		got := decadeAxis([]float64{c.low, c.high}, 0, 1).ticks
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9*b }) {
			t.Errorf("[%g, %g]: %v, want %v", c.low, c.high, got, c.want)
		}
	}
	if got := decadeAxis([]float64{5e-324, math.MaxFloat64}, 0, 1).ticks; len(got) < 2 || len(got) > 8 {
		t.Errorf("all numbers there are: %v", got)
	}
}

func TestTickLabelsAreShort(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.1 + 0.2: "0.3", -2.5: "-2.5", 1e-5: "1e-5", 2e-7: "2e-7", 1e12: "1e12", -3.25e6: "-3.25e6", 999999: "999999", 0.001: "0.001",
	} {
		if got := tickLabel(v); got != want {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
}

func TestWholeNumbersHaveWholeTicks(t *testing.T) {
	whole := linearAxis(1, 3, 0, 1).wholeTicks([]float64{1, 3, 2})
	if want := []float64{1, 2, 3}; !slices.Equal(whole.ticks, want) {
		t.Errorf("ticks %v, want %v", whole.ticks, want)
	}
	if other := linearAxis(1, 3, 0, 1).wholeTicks([]float64{1, 2.5, 3}); len(other.ticks) <= 3 {
		t.Errorf("ticks %v for numbers that are not whole", other.ticks)
	}
}
