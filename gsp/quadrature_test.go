package gsp

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The measure of a signal integrates what its transform sums up.
func TestQuadratureSumsTheTransform(t *testing.T) {
	slow(t)
	graphs := map[string]*Laplacian{
		"space exhausted":  laplacian(t, islands(t), Combinatorial),
		"many frequencies": laplacian(t, grid2(t, 15, 17), Combinatorial),
		"normalised":       laplacian(t, grid2(t, 15, 17), Normalized),
	}
	for name, l := range graphs {
		y := noise(name, l.Vertices(), 20)
		y.SetCol(3, make([]float64, l.Vertices())) // a signal of zeros
		s := must(l.Spectrum())(t)
		waves := must(s.Transform(y))(t)
		for _, tau := range []float64{0.01, 1, 100} {
			f := func(e float64) float64 { return tau * e / (1 + tau*e) / l.MeanFrequency() }
			for m, q := range l.measuresOf(t.Context(), y) {
				var want float64
				for k, e := range s.Values {
					want += f(e) * waves.At(k, m) * waves.At(k, m)
				}
				if got := mean([]measure{q}, f); math.Abs(got-want) > 1e-6*want {
					t.Errorf("%s, τ = %g, signal %d: %g, want %g", name, tau, m, got, want)
				}
			}
		}
	}
}

// With all signals at hand, the estimate differs from GCV only by its trace.
func TestEstimatedGCVIsNearGCV(t *testing.T) {
	slow(t)
	l := laplacian(t, grid2(t, 20, 20), Combinatorial)
	y := mat.NewDense(400, 40, nil)
	y.Add(smoothSignals(t, l, 40), noise("noisy", 400, 40))
	taus := grid(tauLeast/l.MeanFrequency(), tauMost/l.MeanFrequency(), 10)
	exact, estimated := must(l.exactGCV(t.Context(), y, taus))(t), must(l.estimatedGCV(t.Context(), y, taus))(t)
	for k, tau := range taus {
		if math.Abs(estimated[k]-exact[k]) > 0.05*exact[k] {
			t.Errorf("τ = %g: %g, want %g", tau, estimated[k], exact[k])
		}
	}
}
