package kernel

import (
	"math"
	"testing"
)

func must(t *testing.T) func(Kernel, error) Kernel {
	return func(k Kernel, err error) Kernel {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
}

func TestEvalMatchesHorner(t *testing.T) {
	coef := []float64{0.3, -1, 2, 0.25, -0.125}
	k := must(t)(Polynomial("poly", coef))
	for l := 0.0; l <= 2; l += 0.1 {
		if got, want := k.Eval(l), horner(coef, l); math.Abs(got-want) > 1e-14 {
			t.Errorf("p(%g) = %g, want %g", l, got, want)
		}
	}
	if k.ApproximationError > 1e-14 || k.Degree() != 4 {
		t.Errorf("error %g, degree %d", k.ApproximationError, k.Degree())
	}
}

func TestCoefChangesBasis(t *testing.T) {
	k := must(t)(Heat(1, 6, Chebyshev))
	for l := 0.0; l <= 2; l += 0.25 {
		if got, want := horner(k.Coef(), l), k.Eval(l); math.Abs(got-want) > 1e-12 {
			t.Errorf("Σ α_k λ^k = %g at λ = %g, want %g", got, l, want)
		}
	}
}

func TestDividedDifference(t *testing.T) {
	k := must(t)(Heat(2, 20, Chebyshev))
	for _, a := range []float64{0, 0.3, 1, 1.7, 2} {
		if got, want := k.DividedDifference(a, a), -2*math.Exp(-2*a); math.Abs(got-want) > 1e-9 {
			t.Errorf("p′(%g) = %g, want %g", a, got, want)
		}
		for _, b := range []float64{0.05, 0.9, 1.95} {
			want := (k.Eval(a) - k.Eval(b)) / (a - b)
			if got := k.DividedDifference(a, b); math.Abs(got-want) > 1e-13 {
				t.Errorf("p[%g, %g] = %g, want %g", a, b, got, want)
			}
		}
		near := a + 1e-9
		if got, want := k.DividedDifference(a, near), k.DividedDifference(a, a); math.Abs(got-want) > 1e-8 {
			t.Errorf("p[%g, %g] = %g jumps from p′ = %g", a, near, got, want)
		}
	}
}

// The figures are those of the closed forms: the Taylor remainder of e^(−4) at
// degree 15, and the super-geometric decay of Chebyshev coefficients.
func TestApproximationErrorIsMeasured(t *testing.T) {
	for _, c := range []struct {
		name     string
		kernel   Kernel
		low, top float64
		warns    bool
	}{
		{"Taylor holds τ = 2 to 2e-4", must(t)(Heat(2, 15, Taylor)), 1e-4, 3e-4, false},
		{"Taylor is wrong at τ = 5", must(t)(Heat(5, 15, Taylor)), 100, 1000, true},
		{"Chebyshev holds τ = 5 to 1e-8", must(t)(Heat(5, 15, Chebyshev)), 1e-11, 1e-8, false},
		{"Chebyshev holds a high-pass", must(t)(HighPass(1, 15, Chebyshev)), 0, 1e-13, false},
		{"a wavelet of low degree is poor", must(t)(Wavelet(4, 3)), 0.01, 1, true},
		{"a wavelet of high degree is good", must(t)(Wavelet(2, 60)), 0, 0.01, false},
	} {
		if e := c.kernel.ApproximationError; e < c.low || e > c.top {
			t.Errorf("%s: error %g, want within [%g, %g]", c.name, e, c.low, c.top)
		}
		if warns := c.kernel.Warning() != ""; warns != c.warns {
			t.Errorf("%s: warning %q", c.name, c.kernel.Warning())
		}
	}
}

func TestFromSeriesKeepsItsSeries(t *testing.T) {
	series := []float64{0.5, -0.25, 0.125}
	k := must(t)(FromSeries("learned", series))
	series[0] = 9
	for l := 0.0; l <= 2; l += 0.25 {
		x := l - 1
		if want := 0.5 - 0.25*x + 0.125*(2*x*x-1); math.Abs(k.Eval(l)-want) > 1e-15 {
			t.Errorf("p(%g) = %g, want %g", l, k.Eval(l), want)
		}
	}
	if k.ApproximationError != 0 || k.Degree() != 2 {
		t.Errorf("error %g, degree %d", k.ApproximationError, k.Degree())
	}
	for _, bad := range [][]float64{nil, {0, 0}, {math.NaN()}} {
		if _, err := FromSeries("bad", bad); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}
