package baseline

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/solver"
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
	q := newLogProblem(n, slices.Clone(z))
	if run := q.solve(t.Context()); run.status != solver.Converged {
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
	for seed := range uint64(5) {
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

// The second solver is forward-backward-forward primal-dual: primal step on
// 2z·w + ‖w‖² over w ≥ 0, dual step on −Σ log, each corrected at the point reached.
func TestLogProblemAgreesWithThePrimalDualSolver(t *testing.T) {
	for seed := range uint64(3) {
		const n = 12
		z := randomCosts(rng.Stream(seed, "primal-dual"), n, 0.2)
		w, y, d := make([]float64, len(z)), make([]float64, n), make([]float64, n)
		p, q := make([]float64, len(z)), make([]float64, n)
		step := 0.9 / (2 + math.Sqrt(2*(n-1)))
		up := func(v []float64, i, j int) float64 { return v[i] + v[j] }
		for range 30000 {
			degrees(d, w)
			for i := range q {
				// The proximal point of the conjugate of −log, by its positive root.
				v := y[i] + step*d[i]
				q[i] = (v - math.Sqrt(v*v+4*step)) / 2
			}
			eachPair(n, func(e, i, j int) { p[e] = max(0, w[e]-step*(2*w[e]+up(y, i, j))-2*step*z[e]) })
			change := make([]float64, len(z))
			eachPair(n, func(e, i, j int) {
				change[e] = p[e] - w[e] - step*(2*(p[e]-w[e])+up(q, i, j)-up(y, i, j))
			})
			floats.Sub(p, w) // p − w
			degrees(d, p)
			for i := range y {
				y[i] = q[i] + step*d[i]
			}
			floats.Add(w, change)
		}
		if got := solveLog(t, n, z); !floats.EqualApprox(got, w, 1e-7) {
			t.Errorf("seed %d: apart by %g", seed, floats.Distance(got, w, math.Inf(1)))
		}
	}
}

// With weights a and b the solution is that for θ = 1/√(ab) times √(a/b), so from
// the scaled answer alone the scale c of stationarity follows: 2θ z·w/c + 2‖w‖²/c² = N.
func TestSmoothLogIsAMultipleOfTheMinimiser(t *testing.T) {
	const n = 25
	y := randomSignals(rng.Stream(4, "multiple"), n, 6)
	r, err := SmoothLog(t.Context(), y, SmoothLogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	z := squaredDistances(y)
	floats.Scale(r.Params["theta"]*float64(len(z))/floats.Sum(z), z)
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

// pairWeights returns the weights of g over the pairs.
func pairWeights(g *graph.Graph) []float64 {
	n := g.Vertices()
	w := make([]float64, n*(n-1)/2)
	for _, e := range g.Edges() {
		w[pairIndex(n, e.I, e.J)] = e.Weight
	}
	return w
}

func TestSmoothLogConnectsEvenAFarVertex(t *testing.T) {
	y := randomSignals(rng.Stream(2, "far"), 30, 5)
	for s := range 5 {
		y.Set(7, s, 1000*y.At(7, s))
	}
	r, err := SmoothLog(t.Context(), y, SmoothLogOptions{Degree: 4})
	if err != nil {
		t.Fatal(err)
	}
	if isolated := r.Weights.Isolated(); r.Status != solver.Converged || len(isolated) > 0 {
		t.Errorf("%s after %d iterations, isolated: %v", r.Status, r.Iterations, isolated)
	}
}

func BenchmarkSmoothLog(b *testing.B) {
	y := mat.DenseCopyOf(randomSignals(rng.Stream(1, "bench"), 200, 5))
	for b.Loop() {
		if _, err := SmoothLog(context.Background(), y, SmoothLogOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
