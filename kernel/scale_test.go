package kernel

import (
	"math"
	"strings"
	"testing"
)

// The derivative is that of the polynomial in use, however poor a stand-in for
// its function it is.
func TestScaleDerivativeMatchesFiniteDifference(t *testing.T) {
	for _, k := range []Kernel{
		must(t)(Heat(2, 15, Taylor)), must(t)(Heat(5, 4, Taylor)), must(t)(Heat(0.3, 3, Chebyshev)), must(t)(Heat(7, 12, Chebyshev)),
		must(t)(HighPass(1, 15, Taylor)), must(t)(HighPass(4, 5, Chebyshev)), must(t)(HighPass(3, 2, Taylor)),
		must(t)(Wavelet(1.7, 9)),
	} {
		const h = 1e-5
		tau := k.Scale()
		up, down := must(t)(k.WithScale(tau+h)), must(t)(k.WithScale(tau-h))
		for l := 0.0; l <= 2; l += 0.05 {
			want := (up.Eval(l) - down.Eval(l)) / (2 * h)
			if got := k.ScaleDerivative(l); math.Abs(got-want) > 1e-7*max(1, math.Abs(want)) {
				t.Errorf("%s, degree %d: ∂p/∂τ = %g at λ = %g, want %g", k.Name, k.Degree(), got, l, want)
			}
		}
	}
}

func TestScaleDerivativeApproachesThatOfTheFunction(t *testing.T) {
	low, high := must(t)(Heat(2, 25, Chebyshev)), must(t)(HighPass(2, 25, Chebyshev))
	for l := 0.0; l <= 2; l += 0.1 {
		want := -l * math.Exp(-2*l)
		if a, b := low.ScaleDerivative(l), high.ScaleDerivative(l); math.Abs(a-want) > 1e-12 || math.Abs(b+want) > 1e-12 {
			t.Errorf("λ = %g: %g and %g, want ±%g", l, a, b, want)
		}
	}
}

func TestWithScaleKeepsTheRest(t *testing.T) {
	for _, k := range []Kernel{must(t)(Heat(1, 7, Taylor)), must(t)(HighPass(3, 9, Chebyshev)), must(t)(Wavelet(2, 11))} {
		other := must(t)(must(t)(k.WithScale(0.7)).WithScale(k.Scale()))
		if other.Name != k.Name || other.Family() != k.Family() || other.Degree() != k.Degree() || other.Eval(0.4) != k.Eval(0.4) {
			t.Errorf("%+v came back as %+v", k, other)
		}
	}
	if _, err := must(t)(Heat(1, 7, Taylor)).WithScale(-1); err == nil {
		t.Error("a negative scale was accepted")
	}
	poly := must(t)(Polynomial("poly:1,2", []float64{1, 2}))
	if _, err := poly.WithScale(2); err == nil || !strings.Contains(err.Error(), "no scale") {
		t.Errorf("a polynomial was given a scale: %v", err)
	}
	if poly.Family() != "" || poly.Scale() != 0 || poly.ScaleDerivative(1) != 0 {
		t.Error("a polynomial has a scale")
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

func TestInPowersReadsBackToTheLastBit(t *testing.T) {
	k := must(t)(FromSeries("learned", []float64{1. / 3, -0.2, 1. / 7, 1e-9, -0.01, 0.003}))
	p := must(t)(k.InPowers())
	again := must(t)(Parse(p.Name, 15, Taylor))
	for l := 0.0; l <= 2; l += 0.01 {
		if math.Abs(p.Eval(l)-k.Eval(l)) > 1e-13 {
			t.Errorf("p(%g) = %g in powers, %g before", l, p.Eval(l), k.Eval(l))
		}
		if again.Eval(l) != p.Eval(l) {
			t.Errorf("%s reads back with p(%g) = %g, want %g", p.Name, l, again.Eval(l), p.Eval(l))
		}
	}
}
