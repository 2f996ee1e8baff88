package prepare

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/must"
)

// The polynomials are Legendre's: P₂ = (3u² − 1)/2 and P₃ = (5u³ − 3u)/2.
func TestTrendBasisIsLegendres(t *testing.T) {
	at, _ := ticks(nil, 101)
	basis := trendBasis(at)
	for k := range at {
		u := 2*float64(k)/100 - 1
		for d, want := range []float64{u, (3*u*u - 1) / 2, (5*u*u*u - 3*u) / 2} {
			if math.Abs(basis[d][k]-want) > 1e-14 {
				t.Fatalf("P%d(%g) = %g, want %g", d+1, u, basis[d][k], want)
			}
		}
	}
}

// A cubic trend is removed to rounding, gaps or not, and what it had is told.
func TestTrendsAreRemovedExactly(t *testing.T) {
	const m = 400
	y := mat.NewDense(2, m, nil)
	for k := range m {
		u := float64(k) / m
		y.Set(0, k, 5+3*u-4*u*u+2*u*u*u)
		y.Set(1, k, 100*u)
		if k%7 == 3 {
			y.Set(1, k, nan)
		}
	}
	taken, _ := Course{Trend: true}.remove(t.Context(), y, nil, nil)
	if math.Abs(taken.trend-1) > 1e-9 {
		t.Errorf("the trend had %g of the variation", taken.trend)
	}
	for i := range 2 {
		if left := energyAround(y.RawRowView(i), 0); left > 1e-18 {
			t.Errorf("vertex %d has %g left", i, left)
		}
	}
}

// The trend of most is that of most: neither a jump of a third of the recording nor spikes
// change it.
func TestTrendOfMostIsRobust(t *testing.T) {
	const m = 1200
	at, _ := ticks(nil, m)
	basis := trendBasis(at)
	noise := wander(1, m, 0.5, 41).RawRowView(0)
	x := make([]float64, m)
	for k := range x {
		x[k] = noise[k] + 4*basis[0][k] - 2*basis[1][k]
		if k >= 2*m/3 {
			x[k] += 30
		}
		if k%50 == 0 {
			x[k] -= 500
		}
	}
	fit := fitTrendOfMost(x, basis)
	for d, want := range []float64{4, -2, 0} {
		if math.Abs(fit[d]-want) > 1.2 { // over a third of the recording it is extrapolated
			t.Errorf("degree %d: got %g, want %g", d+1, fit[d], want)
		}
	}
	if plain := fitTrend(x, basis); math.Abs(plain[0]-4) < 5 {
		t.Errorf("least squares should have been led astray, but got %v", plain)
	}
}

func TestTrendsAreRemovedWhereTheyAreClear(t *testing.T) {
	ramp := apply(wander(6, 400, 0.5, 42), func(i, k int, v float64) float64 { return v + float64(i+3)*float64(k)/400 })
	flat := wander(6, 400, 0.9, 43)
	for name, c := range map[string]struct {
		y    *mat.Dense
		o    Options
		want bool
	}{
		"in time":                     {ramp, Options{Times: hours(400)}, true},
		"rows that may be sorted":     {ramp, Options{}, false},
		"as requested":                {ramp, Options{Detrend: Yes}, true},
		"to be kept":                  {ramp, Options{Times: hours(400), Detrend: No}, false},
		"none, though it wanders far": {flat, Options{Times: hours(400)}, false},
	} {
		if _, r, err := Signals(t.Context(), c.y, c.o); err != nil || r.Detrend.Done != c.want {
			t.Errorf("%s: got %q, %v", name, r.Detrend.Sentence, err)
		}
	}
}

// What a trend had is the same in all units.
func TestTheShareOfATrendDoesNotDependOnTheUnit(t *testing.T) {
	share := func(unit float64) float64 {
		y := apply(noise(3, 70, 5), func(_, k int, v float64) float64 { return (v + 0.05*float64(k)) * unit })
		taken := must.Get(Course{Trend: true}.remove(t.Context(), y, nil, nil))
		return taken.trend
	}
	want := share(1)
	for _, unit := range []float64{1e-200, 1e160, 1e300} {
		if got := share(unit); !(math.Abs(got-want) < 1e-9) {
			t.Errorf("in units of %g the trend had %g, want %g", unit, got, want)
		}
	}
}
