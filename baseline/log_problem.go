package baseline

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/method"
)

// A logProblem is min 2 z·w − Σ log (S·w) + ‖w‖² over w ≥ 0, by its dual
//
//	max over y > 0 of −‖u(y)‖² + Σ (1 + log y),   u(y) = max(0, Sᵀy/2 − z),
//
// whose solution is y = 1/(S·w), w = u(y).
type logProblem struct {
	n         int
	z         []float64 // over the pairs
	y, before []float64 // multipliers now and one iteration ago
	ahead     []float64 // extrapolated, and where the degrees are taken
	d         []float64 // S·u(ahead)
}

const (
	logTolerance = 1e-9
	logMost      = 50000
)

// newLogProblem starts from a few sweeps of coordinate ascent. It keeps z.
func newLogProblem(n int, z []float64) *logProblem {
	q := &logProblem{n: n, z: z, y: make([]float64, n), d: make([]float64, n)}
	rows := sortedDistances(n, z)
	for i, row := range rows {
		// As if all others had the same multiplier.
		q.y[i] = risingRoot(row, 1)
	}
	for range logSweeps {
		for i, row := range rows {
			for j := range n {
				switch {
				case j < i:
					row[j] = 2*z[pairIndex(n, j, i)] - q.y[j]
				case j > i:
					row[j-1] = 2*z[pairIndex(n, i, j)] - q.y[j]
				}
			}
			slices.Sort(row)
			q.y[i] = risingRoot(row, 2)
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
// The smooth part ‖u(y)‖² of the dual has the gradient S·u(y) and the curvature
// at most N−1; the proximal step of the rest has a closed form. The momentum is
// dropped whenever it points uphill.
func (q *logProblem) solve(ctx context.Context) smoothEnding {
	t := 1.0
	for k := range logMost {
		if ctx.Err() != nil {
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
	e := 0
	for i, yi := range q.ahead {
		rest := q.ahead[i+1:]
		z, d := q.z[e:e+len(rest)], q.d[i+1:]
		var sum float64
		for k, yj := range rest {
			if u := (yi+yj)/2 - z[k]; u > 0 {
				sum += u
				d[k] += u
			}
		}
		q.d[i] += sum
		e += len(rest)
	}
}

// stationary allows for rounding: a change of y below its last digit is lost, and
// N−1 times that is what a step can still see of d.
func (q *logProblem) stationary() bool {
	lost := 0x1p-51 * float64(q.n-1) * slices.Max(q.ahead)
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
	curvature := float64(q.n - 1) // of ‖u(y)‖²: ‖S‖²/2
	q.y, q.before = q.before, q.y
	var uphill float64
	for i, y := range q.ahead {
		x := q.d[i] - curvature*y
		root := math.Sqrt(x*x + 4*curvature)
		if x > 0 { // (root − x)/2, without cancellation
			q.y[i] = 2 / (root + x)
		} else {
			q.y[i] = (root - x) / (2 * curvature)
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
	eachPair(q.n, func(e, i, j int) { w[e] = max(0, (q.ahead[i]+q.ahead[j])/2-q.z[e]) })
	return w
}
