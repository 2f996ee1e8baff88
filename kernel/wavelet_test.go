package kernel

import (
	"math"
	"testing"
)

func TestWaveletIsBandPass(t *testing.T) {
	k := must(t)(Wavelet(2, 80))
	if math.Abs(k.Eval(0)) > 0.01 || k.Eval(0.6) < 0.9 || k.Eval(2) > 0.3 {
		t.Errorf("g(0) = %g, g(0.6) = %g, g(2) = %g", k.Eval(0), k.Eval(0.6), k.Eval(2))
	}
}

// [hammond2011], section 8.1: the cubic joins the two ends without a kink.
func TestWaveletIsSmoothWhereItsPiecesMeet(t *testing.T) {
	const h = 1e-9
	for _, x := range []float64{1, 2} {
		if a, b := waveletValue(x-h), waveletValue(x+h); math.Abs(a-b) > 1e-8 {
			t.Errorf("h jumps from %g to %g at %g", a, b, x)
		}
		if a, b := waveletSlope(x-h), waveletSlope(x+h); math.Abs(a-b) > 1e-7 {
			t.Errorf("h′ jumps from %g to %g at %g", a, b, x)
		}
	}
}

func TestWaveletIgnoresTheApproximation(t *testing.T) {
	want := must(t)(Wavelet(1.5, 9))
	for _, by := range []Approximation{Taylor, Chebyshev} {
		if got := must(t)(Parse("wavelet:1.5", 9, by)); got.Eval(0.7) != want.Eval(0.7) {
			t.Errorf("%s: p(0.7) = %g, want %g", by, got.Eval(0.7), want.Eval(0.7))
		}
	}
}
