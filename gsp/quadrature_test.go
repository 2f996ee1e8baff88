package gsp

import (
	"math"
	"testing"
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
