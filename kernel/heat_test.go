package kernel

import (
	"math"
	"testing"
)

func TestHeatIsTheExponential(t *testing.T) {
	const tau = 2.0
	series, nodes := must(t)(Heat(tau, 25, Taylor)), must(t)(Heat(tau, 25, Chebyshev))
	for l := 0.0; l <= 2; l += 0.1 {
		want := math.Exp(-tau * l)
		if a, b := series.Eval(l), nodes.Eval(l); math.Abs(a-want) > 1e-9 || math.Abs(b-want) > 1e-13 {
			t.Errorf("p(%g) = %g by Taylor and %g by Chebyshev, want %g", l, a, b, want)
		}
		if got, want := nodes.ScaleDerivative(l), -l*want; math.Abs(got-want) > 1e-12 {
			t.Errorf("∂p(%g)/∂τ = %g, want %g", l, got, want)
		}
	}
}

func TestHeatKeepsItsTaylorCoefficients(t *testing.T) {
	const tau = 2.0
	factorial := 1.0
	for k, a := range must(t)(Heat(tau, 15, Taylor)).Coef() {
		factorial *= float64(max(k, 1))
		if want := math.Pow(-tau, float64(k)) / factorial; math.Abs(a-want) > 1e-15 {
			t.Errorf("α_%d = %g, want %g", k, a, want)
		}
	}
}
