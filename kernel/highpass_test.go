package kernel

import (
	"math"
	"testing"
)

func TestHighPassIsWhatHeatTakesAway(t *testing.T) {
	for _, tau := range []float64{0.1, 1, 2} {
		for _, by := range []Approximation{Taylor, Chebyshev} {
			low, high := must(t)(Heat(tau, 15, by)), must(t)(HighPass(tau, 15, by))
			for l := 0.0; l <= 2; l += 0.1 {
				if got, want := high.Eval(l), 1-low.Eval(l); math.Abs(got-want) > 1e-13 {
					t.Errorf("τ = %g, %s: p(%g) = %g, want %g", tau, by, l, got, want)
				}
				if got, want := high.ScaleDerivative(l), -low.ScaleDerivative(l); math.Abs(got-want) > 1e-12 {
					t.Errorf("τ = %g, %s: ∂p(%g)/∂τ = %g, want %g", tau, by, l, got, want)
				}
			}
		}
	}
}
