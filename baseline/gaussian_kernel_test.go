package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestGaussianOfMedianDistance(t *testing.T) {
	// Points 0, 1, 3, 7 on a slope: distances √2·(1, 3, 7, 2, 6, 4), median √2·3.5.
	y := mat.NewDense(4, 2, []float64{1, 0, 2, -1, 4, -3, 8, -7})
	for width, sigma := range map[float64]float64{0: 3.5, 2: 7} {
		r := learned(t, GaussianKernel{Width: width}, y)
		for e, d := range []float64{1, 3, 7, 2, 6, 4} {
			if got, want := pairWeights(r.Weights)[e], math.Exp(-d*d/(2*sigma*sigma)); math.Abs(got-want) > 1e-14 {
				t.Errorf("width %g, pair %d: %g, want %g", width, e, got, want)
			}
		}
	}
}
