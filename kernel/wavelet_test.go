package kernel

import (
	"math"
	"testing"
)

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
