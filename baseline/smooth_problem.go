package baseline

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
)

// A logProblem is min 2 z·w − Σ log (S·w) + ‖w‖² over w ≥ 0, by its dual
//
//	max over y > 0 of −‖u(y)‖² + Σ (1 + log y),   u(y) = max(0, Sᵀy/2 − z),
//
// whose solution is y = 1/(S·w), w = u(y).
type logProblem struct {
	pairs     pairSet
	z         []float64 // over the pairs
	y, before []float64 // multipliers now and one iteration ago
	ahead     []float64 // extrapolated, and where the degrees are taken
	d         []float64 // S·u(ahead)
	curvature float64   // of ‖u(y)‖², at most: ‖S‖²/2, and so the most pairs of a vertex
}

const (
	logTolerance = 1e-9
	logMost      = 50000
)

// newLogProblem starts from a few sweeps of coordinate ascent. It keeps z.
func newLogProblem(pairs pairSet, z []float64) *logProblem {
	n, rows := pairs.vertices(), pairs.rows()
	q := &logProblem{pairs: pairs, z: z, y: make([]float64, n), d: make([]float64, n)}
	var sorted []float64
	for i, row := range rows {
		// As if all others had the same multiplier.
		sorted = sorted[:0]
		for _, of := range row {
			sorted = append(sorted, z[of.pair])
		}
		slices.Sort(sorted)
		q.y[i] = risingRoot(sorted, 1)
		q.curvature = max(q.curvature, float64(len(row)))
	}
	for range logSweeps {
		for i, row := range rows {
			sorted = sorted[:0]
			for _, of := range row {
				sorted = append(sorted, 2*z[of.pair]-q.y[of.vertex])
			}
			slices.Sort(sorted)
			q.y[i] = risingRoot(sorted, 2)
		}
	}
	q.before, q.ahead = slices.Clone(q.y), slices.Clone(q.y)
	return q
}

// logSweeps are enough to give a vertex far from all others its first edge, for
// which proximal steps alone would take forever.
const logSweeps = 3

// risingRoot returns the y > 0 with y·Σ_j max(0, y − t_j) = c, for t in rising order.
func risingRoot(t []float64, c float64) float64 {
	var sum, y float64
	for k, v := range t {
		// With the first k+1 terms: (k+1)y² − sum·y = c.
		sum += v
		count := float64(k + 1)
		root := math.Sqrt(sum*sum + 4*c*count)
		if sum > 0 {
			y = (sum + root) / (2 * count)
		} else { // the same without cancellation
			y = 2 * c / (root - sum)
		}
		if k+1 == len(t) || y <= t[k+1] {
			break
		}
	}
	return y
}

// solve iterates until |y_i d_i − 1| ≤ 1e-9 at every vertex, which bounds the
// duality gap Σ (t − 1 − log t), t = y_i d_i, and with it ‖w − w*‖².
//
// The smooth part ‖u(y)‖² of the dual has the gradient S·u(y) and a curvature of at
// most the number of pairs of a vertex, N−1 if there are all; the proximal step of the rest has a closed form. The momentum is
// dropped whenever it points uphill.
func (q *logProblem) solve(ctx context.Context) smoothEnding {
	t := 1.0
	for k := range logMost {
		if run.Ended(ctx) != nil {
			return smoothEnding{k, method.Interrupted}
		}
		q.degreesAhead()
		if q.stationary() {
			return smoothEnding{k, method.Converged}
		}
		next := (1 + math.Sqrt(1+4*t*t)) / 2
		if q.step((t - 1) / next) {
			t = next
		} else {
			t = 1
		}
	}
	return smoothEnding{logMost, method.MaxRounds}
}

// degreesAhead sets d = S·u(ahead).
func (q *logProblem) degreesAhead() {
	clear(q.d)
	for i, yi := range q.ahead {
		first, end := q.pairs.first[i], q.pairs.first[i+1]
		z := q.z[first:end]
		var sum float64
		for k, j := range q.pairs.j[first:end] {
			if u := (yi+q.ahead[j])/2 - z[k]; u > 0 {
				sum += u
				q.d[j] += u
			}
		}
		q.d[i] += sum
	}
}

// stationary allows for rounding: a change of y below its last digit is lost, and
// the curvature times that is what a step can still see of d.
func (q *logProblem) stationary() bool {
	lost := 0x1p-51 * q.curvature * slices.Max(q.ahead)
	for i, y := range q.ahead {
		if !(math.Abs(y*q.d[i]-1) <= logTolerance+lost*y) {
			return false
		}
	}
	return true
}

// step makes a proximal gradient step from ahead and extrapolates from there. It
// reports false if it dropped the momentum instead.
func (q *logProblem) step(momentum float64) bool {
	q.y, q.before = q.before, q.y
	var uphill float64
	for i, y := range q.ahead {
		x := q.d[i] - q.curvature*y
		root := math.Sqrt(x*x + 4*q.curvature)
		if x > 0 { // (root − x)/2, without cancellation
			q.y[i] = 2 / (root + x)
		} else {
			q.y[i] = (root - x) / (2 * q.curvature)
		}
		uphill += (y - q.y[i]) * (q.y[i] - q.before[i])
	}
	if uphill > 0 {
		copy(q.ahead, q.y)
		return false
	}
	for i, y := range q.y {
		q.ahead[i] = y + momentum*(y-q.before[i])
	}
	return true
}

// weights returns u(ahead).
func (q *logProblem) weights() []float64 {
	w := make([]float64, len(q.z))
	q.pairs.each(func(e, i, j int) { w[e] = max(0, (q.ahead[i]+q.ahead[j])/2-q.z[e]) })
	return w
}

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
		if run.Ended(ctx) != nil {
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
