package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// With weights a and b the solution is that for θ = 1/√(ab) times √(a/b), so from
// the scaled answer alone the scale c of stationarity follows: 2θ z·w/c + 2‖w‖²/c² = N.
func TestSmoothLogIsAMultipleOfTheMinimiser(t *testing.T) {
	const n = 25
	y := randomSignals(rng.Stream(4, "multiple"), n, 6)
	r := learned(t, SmoothLog{}, y)
	z := squaredDistances(y)
	floats.Scale(r.Method.(SmoothLog).Theta*float64(len(z))/floats.Sum(z), z)
	w := pairWeights(r.Weights)
	if sum := floats.Sum(w); math.Abs(sum-n/2.) > 1e-9 {
		t.Errorf("the degrees sum to %g, want %d", 2*sum, n)
	}
	p, q := 2*floats.Dot(z, w), 2*floats.Dot(w, w)
	floats.Scale((math.Sqrt(p*p+4*q*n)-p)/(2*q), w)
	for e, g := range logSlopes(n, z, w) {
		if g < -1e-6 || w[e] > 0 && g > 1e-6 {
			t.Errorf("pair %d of weight %g has slope %g", e, w[e], g)
		}
	}
}

func TestSmoothLogConnectsEvenAFarVertex(t *testing.T) {
	y := randomSignals(rng.Stream(2, "far"), 30, 5)
	for s := range 5 {
		y.Set(7, s, 1000*y.At(7, s))
	}
	r := learned(t, SmoothLog{Degree: 4}, y)
	if isolated := r.Weights.Isolated(); r.Status != method.Converged || len(isolated) > 0 {
		t.Errorf("%s after %d iterations, isolated: %v", r.Status, r.Rounds, isolated)
	}
}
