package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// logObjective returns 2 z·w − Σ log(S·w) + ‖w‖².
func logObjective(n int, z, w []float64) float64 {
	d := make([]float64, n)
	degrees(d, w)
	f := 2*floats.Dot(z, w) + floats.Dot(w, w)
	for _, v := range d {
		f -= math.Log(v)
	}
	return f
}

func solveLog(t *testing.T, n int, z []float64) []float64 {
	t.Helper()
	q := newLogProblem(allPairs(n), slices.Clone(z))
	if run := q.solve(t.Context()); run.status != method.Converged {
		t.Fatalf("n = %d: %s after %d iterations", n, run.status, run.iterations)
	}
	return q.weights()
}

// The values are the root of the three stationarity equations on the edges 1–2,
// 2–3 and 3–4, by Newton's method outside this package; the slopes of the other
// pairs are positive there.
func TestLogProblemHasTheKnownSolution(t *testing.T) {
	z := squaredDistances(fourPoints())
	w := solveLog(t, 4, z)
	want := []float64{.58242575, 0, 0, .10823232, 0, .03950937}
	if !floats.EqualApprox(w, want, 1e-8) {
		t.Errorf("got %.9f, want %.8f", w, want)
	}
	if f := logObjective(4, z, w); math.Abs(f-9.70167615) > 5e-9 {
		t.Errorf("objective: got %.9f, want 9.70167615", f)
	}
}

// logSlopes returns 2z + 2w − 1/d_i − 1/d_j.
func logSlopes(n int, z, w []float64) []float64 {
	d := make([]float64, n)
	degrees(d, w)
	g := make([]float64, len(w))
	eachPair(n, func(e, i, j int) { g[e] = 2*z[e] + 2*w[e] - 1/d[i] - 1/d[j] })
	return g
}

func TestLogProblemIsStationaryOnItsEdgesAndRisesElsewhere(t *testing.T) {
	for seed := range uint64(1) {
		for _, n := range []int{2, 3, 10, 60} {
			for _, theta := range []float64{0.01, 0.3, 5} {
				z := randomCosts(rng.Stream(seed, "log", n), n, theta)
				w := solveLog(t, n, z)
				for e, g := range logSlopes(n, z, w) {
					if tolerance := 1e-6 * (1 + z[e]); g < -tolerance || w[e] > 0 && g > tolerance {
						t.Errorf("seed %d, n = %d, θ = %g: pair %d of weight %g has slope %g", seed, n, theta, e, w[e], g)
					}
				}
			}
		}
	}
}
