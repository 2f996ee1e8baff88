package kernel

import (
	"math"
	"strings"
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

func TestTaylorKeepsItsCoefficients(t *testing.T) {
	const tau, degree = 2.0, 15
	low := must(t)(Heat(tau, degree, Taylor))
	high := must(t)(HighPass(tau, degree, Taylor))
	factorial := 1.0
	for k, a := range low.Coef() {
		if k > 0 {
			factorial *= float64(k)
		}
		want := math.Pow(-tau, float64(k)) / factorial
		if math.Abs(a-want) > 1e-15 {
			t.Errorf("heat: α_%d = %g, want %g", k, a, want)
		}
		if k == 0 {
			want = 0
		} else {
			want = -want
		}
		if b := high.Coef()[k]; math.Abs(b-want) > 1e-15 {
			t.Errorf("high-pass: α_%d = %g, want %g", k, b, want)
		}
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

func TestConstantPolynomial(t *testing.T) {
	k := must(t)(Polynomial("poly:3", []float64{3}))
	if k.Eval(0.7) != 3 || k.DividedDifference(0.1, 0.9) != 0 || k.Coef()[0] != 3 {
		t.Errorf("a constant kernel is not constant: %+v", k)
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

func TestWaveletIsBandPass(t *testing.T) {
	k := must(t)(Wavelet(2, 80))
	if math.Abs(k.Eval(0)) > 0.01 || k.Eval(0.6) < 0.9 || k.Eval(2) > 0.3 {
		t.Errorf("g(0) = %g, g(0.6) = %g, g(2) = %g", k.Eval(0), k.Eval(0.6), k.Eval(2))
	}
}

func TestParse(t *testing.T) {
	for spec, at := range map[string]float64{ // value at λ = 0.5
		"heat:2":      math.Exp(-1),
		"highpass:1":  1 - math.Exp(-0.5),
		"poly:1,-0.5": 0.75,
		"poly: 2 , 4": 4,
		"wavelet:1":   0.25,
	} {
		k, err := Parse(spec, 40, Chebyshev)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
		} else if got := k.Eval(0.5); math.Abs(got-at) > 1e-3 {
			t.Errorf("%s: value %g at 0.5, want %g", spec, got, at)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"heat":        "is not a number",
		"heat:":       "is not a number",
		"heat:abc":    "is not a number",
		"heat:-1":     "must be a positive number",
		"heat:0":      "must be a positive number",
		"heat:NaN":    "must be a positive number",
		"heat:+Inf":   "must be a positive number",
		"heat:1,2":    "takes one number",
		"cold:1":      "unknown family",
		"poly:0,0":    "generates no atoms",
		"poly:Inf":    "not finite",
		"poly:1e200":  "its largest value",
		"poly:1e-200": "its largest value",
		"poly:1e999":  "is not a number",
	} {
		if _, err := Parse(spec, 15, Taylor); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", spec, err, want)
		}
	}
	if _, err := Parse("heat:1", 0, Taylor); err == nil {
		t.Error("degree 0 was accepted")
	}
	if _, err := Parse("heat:1", 5, "pade"); err == nil {
		t.Error("an unknown approximation was accepted")
	}
}
