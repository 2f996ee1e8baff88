package baseline

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// A spreadProblem is the quadratic programme on a simplex that the graph steps
// of SigRep and SmoothL2 share:
//
//	f(w) = cost·w + b(2‖w‖² + ‖S·w‖²)   over w ≥ 0, Σw = N/2,
//
// where S sums the weights at each vertex. With the combinatorial Laplacian L of
// w, 2‖w‖² + ‖S·w‖² = ‖L‖²_F and 2Σw = tr L.
type spreadProblem struct {
	n    int
	cost []float64 // over the pairs, ≥ 0
	b    float64   // > 0

	w, before  []float64 // weights now and one iteration ago, over the pairs
	d, dBefore []float64 // their degrees
	dAhead     []float64 // degrees of the extrapolated point
	level      float64   // of the last projection
}

// newSpreadProblem starts from equal weights. It keeps cost.
func newSpreadProblem(n int, cost []float64, b float64) *spreadProblem {
	q := &spreadProblem{n: n, cost: cost, b: b, w: make([]float64, len(cost)), d: make([]float64, n)}
	for e := range q.w {
		q.w[e] = q.total() / float64(len(q.w))
	}
	for i := range q.d {
		q.d[i] = 1
	}
	q.before, q.dBefore, q.dAhead = slices.Clone(q.w), slices.Clone(q.d), slices.Clone(q.d)
	return q
}

// total is the sum of the weights.
func (q *spreadProblem) total() float64 { return float64(q.n) / 2 }

const (
	// spreadTolerance is the bound on f(w) − min f, in shares of f(w), that ends solve.
	spreadTolerance = 1e-13
	spreadCheck     = 8 // iterations between two checks of it
	spreadMost      = 20000
)

// solve improves q.w from where it stands until it is optimal to rounding: the
// gap that bounds f(w) − min f is below 1e-13·f(w). f is strongly convex, so this
// also bounds the distance to the one minimiser.
//
// It is the accelerated projected gradient method with the constant momentum
// that fits the condition number. The Hessian 4b·I + 2b·SᵀS has eigenvalues
// between 4b and 4bN, as ‖S‖² = 2(N−1): hence the step 1/(4bN), and
// (√N − 1)/(√N + 1).
func (q *spreadProblem) solve(ctx context.Context) smoothEnding {
	root := math.Sqrt(float64(q.n))
	momentum, step := (root-1)/(root+1), 1/(4*q.b*float64(q.n))
	copy(q.before, q.w)
	copy(q.dBefore, q.d)
	for k := range spreadMost {
		if ctx.Err() != nil {
			return smoothEnding{k, method.Interrupted}
		}
		if k%spreadCheck == 0 && q.optimal() {
			return smoothEnding{k, method.Converged}
		}
		q.iterate(momentum, step)
	}
	return smoothEnding{spreadMost, method.MaxRounds}
}

// iterate makes one projected gradient step from w + momentum·(w − before).
func (q *spreadProblem) iterate(momentum, step float64) {
	for i, d := range q.d {
		q.dAhead[i] = d + momentum*(d-q.dBefore[i])
	}
	e := 0
	for i, di := range q.dAhead {
		for _, dj := range q.dAhead[i+1:] {
			v := q.w[e] + momentum*(q.w[e]-q.before[e])
			q.before[e] = v - step*(q.cost[e]+q.b*(4*v+2*(di+dj)))
			e++
		}
	}
	q.w, q.before = q.before, q.w
	q.level = projectSimplex(q.w, q.total(), q.level)
	q.d, q.dBefore = q.dBefore, q.d
	pairDegrees(q.d, q.w)
}

// optimal reports whether the gap max over v of ∇f(w)·(w − v), which is at least
// f(w) − min f because f is convex, is small.
func (q *spreadProblem) optimal() bool {
	var slope, value float64
	least := math.Inf(1)
	e := 0
	for i, di := range q.d {
		for _, dj := range q.d[i+1:] {
			w := q.w[e]
			g := q.cost[e] + q.b*(4*w+2*(di+dj))
			slope += g * w
			value += w * (q.cost[e] + 2*q.b*w)
			least = min(least, g)
			e++
		}
	}
	return slope-least*q.total() <= spreadTolerance*(value+q.b*portable.Dot(q.d, q.d))
}

// pairDegrees sets d = S·w, the sum of the weights at each vertex.
func pairDegrees(d, w []float64) {
	clear(d)
	e := 0
	for i := range d {
		var sum float64
		rest := d[i+1:]
		row := w[e : e+len(rest)]
		for k, v := range row {
			sum += v
			rest[k] += v
		}
		d[i] += sum
		e += len(rest)
	}
}

// projectSimplex replaces w by the nearest vector with entries ≥ 0 that sum to
// total > 0, and returns the level ℓ with w ← max(0, w − ℓ).
//
// The sum of max(0, w − ℓ) is convex, decreasing and piecewise linear in ℓ, so
// Newton's method ends at the root after finitely many passes: few, if guess is
// the level of a vector near by. Any guess gives the same projection.
func projectSimplex(w []float64, total, guess float64) float64 {
	lowest := (portable.Sum(w) - total) / float64(len(w)) // the level if all entries stay positive: none is lower
	level := max(guess, lowest)
	last := -1 // entries above the level one step ago
	for {
		var sum float64
		above := 0
		for _, v := range w {
			if v > level {
				sum += v
				above++
			}
		}
		if above == 0 { // the guess was above all entries
			if level == lowest { // all entries equal, but for rounding
				break
			}
			level, last = lowest, -1
			continue
		}
		next := (sum - total) / float64(above)
		if above == last || next == level {
			level = next
			break
		}
		level, last = next, above
	}
	for e, v := range w {
		w[e] = max(0, v-level)
	}
	return level
}
