package figure

import (
	"math"
	"slices"
	"strings"
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
		{-0.3, 0.3, []float64{-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}},
	} {
		got := ticks(c.low, c.high)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("[%g, %g]: %v, want %v", c.low, c.high, got, c.want)
		}
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
	if got := logAxis([]float64{7}, 0, 30).place(7); math.Abs(got-15) > 1e-9 {
		t.Errorf("the only value lies at %g, want the middle", got)
	}
}

func TestLogarithmicChartHasTicksAtItsPoints(t *testing.T) {
	c := charts()[0]
	c.LogX = true
	var b strings.Builder
	if err := WriteCharts(&b, "", 1, c); err != nil {
		t.Fatal(err)
	}
	for _, tick := range []string{`<text x="52.0" y="252.0" text-anchor="middle">50<`, `<text x="217.0" y="252.0" text-anchor="middle">100<`, `<text x="382.0" y="252.0" text-anchor="middle">200<`} {
		if !strings.Contains(b.String(), tick) {
			t.Errorf("no %s…", tick)
		}
	}
}
