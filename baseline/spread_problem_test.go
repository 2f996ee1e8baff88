package baseline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
)

// fourPoints are one signal on four vertices, the example of all hand values here.
func fourPoints() *mat.Dense { return mat.NewDense(4, 1, []float64{0, 1, 3, 7}) }

// randomCosts returns squared distances between random points, times a.
func randomCosts(r *rand.Rand, n int, a float64) []float64 {
	z := squaredDistances(randomSignals(r, n, 3))
	floats.Scale(a, z)
	return z
}

// spreadObjective returns cost·w + b(2‖w‖² + ‖S·w‖²) and its gradient.
func spreadObjective(n int, cost, w []float64, b float64) (f float64, g []float64) {
	d := make([]float64, n)
	degrees(d, w)
	g = make([]float64, len(w))
	eachPair(n, func(e, i, j int) { g[e] = cost[e] + b*(4*w[e]+2*(d[i]+d[j])) })
	return floats.Dot(cost, w) + b*(2*floats.Dot(w, w)+floats.Dot(d, d)), g
}

func solveSpread(t *testing.T, n int, cost []float64, b float64) []float64 {
	t.Helper()
	q := newSpreadProblem(n, cost, b)
	if run := q.solve(t.Context()); run.status != method.Converged {
		t.Fatalf("n = %d, b = %g: %s after %d iterations", n, b, run.status, run.iterations)
	}
	return q.w
}

// The values come from trial code independent of this package.
func TestSpreadProblemHasTheKnownSolution(t *testing.T) {
	cost := squaredDistances(fourPoints())
	floats.Scale(0.1, cost)
	w := solveSpread(t, 4, cost, 1)
	want := []float64{.656250, .381250, 0, .450000, .043750, .468750}
	if !floats.EqualApprox(w, want, 1e-9) {
		t.Errorf("got %.9f, want %.6f", w, want)
	}
	if f, _ := spreadObjective(4, cost, w, 1); math.Abs(f-7.848125) > 1e-9 {
		t.Errorf("objective: got %.9f, want 7.848125", f)
	}
}

// At the minimiser the slope is the same on all edges and nowhere lower.
func TestSpreadProblemMeetsItsOptimalityConditions(t *testing.T) {
	for seed := range uint64(1) {
		for _, n := range []int{2, 3, 10, 60} {
			for _, b := range []float64{1e-3, 0.1, 10} {
				cost := randomCosts(rng.Stream(seed, "spread", n), n, 0.3)
				w := solveSpread(t, n, cost, b)
				if sum := floats.Sum(w); math.Abs(sum-float64(n)/2) > 1e-9*float64(n) || slices.Min(w) < 0 {
					t.Fatalf("n = %d, b = %g: weights from %g, their sum %g", n, b, slices.Min(w), sum)
				}
				_, g := spreadObjective(n, cost, w, b)
				level := floats.Dot(g, w) / floats.Sum(w)
				for e, v := range w {
					if g[e] < level-1e-6*level || v > 0 && g[e] > level+1e-6*level {
						t.Errorf("seed %d, n = %d, b = %g: pair %d of weight %g has slope %g, the level is %g", seed, n, b, e, v, g[e], level)
					}
				}
			}
		}
	}
}

// sortedProjection projects on the simplex by sorting.
func sortedProjection(v []float64, total float64) []float64 {
	s := slices.Sorted(slices.Values(v))
	slices.Reverse(s)
	var sum, level float64
	for k, x := range s {
		sum += x
		if l := (sum - total) / float64(k+1); x > l {
			level = l
		}
	}
	w := slices.Clone(v)
	for e := range w {
		w[e] = max(0, w[e]-level)
	}
	return w
}

func TestProjectionAgreesWithSortingWhateverTheGuess(t *testing.T) {
	for seed := range uint64(5) {
		r := rng.Stream(seed, "project")
		v := make([]float64, 1+r.IntN(40))
		for e := range v {
			v[e] = math.Round(4*r.NormFloat64()) / 2 // with ties
		}
		total := math.Exp(r.NormFloat64())
		want := sortedProjection(v, total)
		for _, guess := range []float64{0, -100, 100, slices.Max(v), slices.Max(v) - total, r.NormFloat64()} {
			got := slices.Clone(v)
			level := projectSimplex(got, total, guess)
			if !floats.EqualApprox(got, want, 1e-12) {
				t.Errorf("%v on %g from %g: got %v at level %g, want %v", v, total, guess, got, level, want)
			}
		}
	}
}

func TestSmoothIterationsDoNotAllocate(t *testing.T) {
	cost := randomCosts(rng.Stream(1, "allocate"), 30, 1)
	spread, log := newSpreadProblem(30, slices.Clone(cost), 1), newLogProblem(allPairs(30), cost)
	for name, iterate := range map[string]func(){
		"spread": func() { spread.iterate(0.5, 1e-3); spread.optimal() },
		"log":    func() { log.degreesAhead(); log.stationary(); log.step(0.5) },
	} {
		if got := testing.AllocsPerRun(10, iterate); got != 0 {
			t.Errorf("%s: %g allocations an iteration, want none", name, got)
		}
	}
}
