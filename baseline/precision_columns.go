package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
)

// A columnSolver minimises f on one block through its dual problem,
//
//	max log det W   over   W_ii = S_ii, |W_ij − S_ij| ≤ ρ,
//
// a column (and row) of W = Θ⁻¹ at a time ([friedman2008]). With column j last,
// W = (W₁₁ w; wᵀ S_jj) and W₁₁ held fixed, the best w is W₁₁β, where β minimises
//
//	½ βᵀW₁₁β − S_jᵀβ + ρ‖β‖₁
//
// and column j of Θ is (−β, 1)/(S_jj − wᵀβ). Few entries of β are not zero. Only
// these are worked with (see columnLasso); the others are looked at once in every
// round. If W is positive definite and feasible, it stays so, and log det W never falls.
type columnSolver struct {
	p     int
	rho   float64
	s     linalg.Dense
	w     linalg.Dense
	near  [][]int     // of each column, where β is not zero, in the order in which they came in
	beta  [][]float64 // β there
	lasso columnLasso

	theta   linalg.Dense
	scratch linalg.Dense
}

// newColumnSolver starts from the W and Θ of the members of a block. W must be
// feasible and positive definite.
func newColumnSolver(s, w, theta linalg.Dense, rho float64) *columnSolver {
	n := s.Rows
	c := &columnSolver{
		p: n, rho: rho, s: s, w: w, theta: theta,
		near: make([][]int, n), beta: make([][]float64, n),
		lasso:   columnLasso{rho: rho, inverse: make([]float64, n), left: make([]float64, n)},
		scratch: linalg.NewDense(n, n),
	}
	for j := range n {
		c.lasso.inverse[j] = 1 / s.Data[j*n+j]
		row := linalg.Row(theta, j)
		for k, v := range row {
			if k != j && v != 0 {
				c.near[j] = append(c.near[j], k)
				c.beta[j] = append(c.beta[j], -v/row[j])
			}
		}
	}
	return c
}

const (
	// innerShare is how exactly each lasso is solved: up to this share of how far the
	// entries of W moved in the sweep before.
	innerShare = 0.01
	// farFromEnd is how many times ρ takes that place in the first sweep from a diagonal
	// Θ, which later sweeps change most of.
	farFromEnd = 10
	// leastInner is the exactness beyond which rounding rules.
	leastInner = 1e-14
	// exactness is how far, in units of the duality gap allowed for each vertex, entries of W may
	// be from where they go. The gap is the square of that, and at 1e-10 leaves so much open that
	// an edge near zero would depend on the order of the vertices.
	exactness = 1e3
)

// run sweeps over the columns until the duality gap is at most tolerance and W is as exact, or
// the gap has not halved in stallSweeps sweeps. How far W has to go is told by how far it went,
// and by how much less that was than in the sweep before.
func (c *columnSolver) run(ctx context.Context, tolerance float64, maxSweeps int) (end ending) {
	const stallSweeps = 200
	earlier := math.Inf(1)                      // the gap at the last multiple of stallSweeps
	look := math.Sqrt(tolerance / float64(c.p)) // the movement below which the gap may be small enough
	exact := exactness * tolerance / float64(c.p)
	moved := c.rho
	if !slices.ContainsFunc(c.near, func(near []int) bool { return len(near) > 0 }) {
		moved *= farFromEnd
	}
	for end.sweeps < maxSweeps {
		c.lasso.tolerance = max(innerShare*moved, leastInner)
		if finest := exact / 4; c.lasso.tolerance < 10*finest { // this sweep may be the last one
			c.lasso.tolerance = max(min(c.lasso.tolerance, finest), leastInner)
		}
		before := moved
		moved = 0
		for j := range c.p {
			if run.Ended(ctx) != nil {
				end.gap, end.status = c.gap(), method.Interrupted
				return end
			}
			moved = max(moved, c.update(j))
		}
		end.sweeps++
		near := moved < before && moved*moved/(before-moved)+c.lasso.tolerance <= exact
		final := end.sweeps%stallSweeps == 0 || end.sweeps == maxSweeps || moved <= leastInner
		if !final && (moved > look || !near) {
			continue
		}
		end.gap = c.gap()
		stalled := moved <= leastInner || end.sweeps%stallSweeps == 0 && end.gap > earlier/2
		switch {
		case end.gap <= tolerance && (near || stalled || end.sweeps == maxSweeps):
			end.status = method.Converged
			return end
		case stalled:
			end.status = method.Stalled
			return end
		case end.sweeps%stallSweeps == 0:
			earlier = end.gap
		}
		look = min(look, moved*min(max(math.Sqrt(tolerance/end.gap), 0.1), 1))
	}
	end.status = method.MaxRounds
	return end
}

// update sets column j of W and returns the most that any entry moved.
func (c *columnSolver) update(j int) float64 {
	const rounds = 50 // what is left is for the next sweep
	s, l := linalg.Row(c.s, j), &c.lasso
	l.on, l.x = append(l.on[:0], c.near[j]...), append(l.x[:0], c.beta[j]...)
	for r := range rounds {
		l.solve(c.w, s, r == 0)
		if !c.join(j) {
			break
		}
	}
	c.near[j], c.beta[j] = append(c.near[j][:0], l.on...), append(c.beta[j][:0], l.x...)
	l.left[j] = 0
	row, column, moved := linalg.Row(c.w, j), c.w.Data[j:], 0.0
	for k, left := range l.left {
		v := s[k] - left
		if d := math.Abs(row[k] - v); d > moved {
			moved = d
		}
		row[k], column[k*len(s)] = v, v
	}
	return moved
}

// join adds the vertices where β is zero and should not be, and reports whether there are
// any. Each is set to its best value, given those before, so that few come in that will
// leave again.
func (c *columnSolver) join(j int) bool {
	l := &c.lasso
	known, limit := l.on, l.rho+2*l.tolerance
	for k, left := 0, l.left; k < len(left); k++ {
		if math.Abs(left[k]) > limit && k != j && !slices.Contains(known, k) {
			b := shrink(left[k], l.rho) * l.inverse[k]
			linalg.Axpy(-b, linalg.Row(c.w, k), left)
			l.on, l.x = append(l.on, k), append(l.x, b)
		}
	}
	return len(l.on) > len(known)
}

// gap sets Θ from β and returns the duality gap: f(Θ) less log det U + p, where U is W
// brought to U_ij = S_ij + ρ sign Θ_ij where Θ_ij is not zero, as at the minimum, and elsewhere
// to |U_ij − S_ij| ≤ ρ. Columns of Θ agree with rows only at the minimum; on the way Θ is
// their mean. The gap is +Inf where one of the two is not positive definite.
//
// tr ΘU is then what f has besides its determinant, so that the gap is tr ΘU − p − log det ΘU:
// the square of how far U is from Θ⁻¹. With W itself in the place of U it would fall only
// as fast as W comes to the bounds.
func (c *columnSolver) gap() float64 {
	n := c.p
	clear(c.theta.Data)
	for j, near := range c.near {
		row, left := linalg.Row(c.w, j), c.s.Data[j*n+j]
		for q, k := range near {
			left -= row[k] * c.beta[j][q]
		}
		left = max(left, unexplainedShare*c.s.Data[j*n+j]) // W may have moved away from β
		for q, k := range near {
			half := -c.beta[j][q] / left / 2
			c.theta.Data[j*n+k] += half
			c.theta.Data[k*n+j] += half
		}
		c.theta.Data[j*n+j] = 1 / left
	}
	f := objective(c.s, c.theta, c.rho, c.scratch)
	for i := range n {
		u, w, theta := linalg.Row(c.scratch, i), linalg.Row(c.w, i), linalg.Row(c.theta, i)
		for j, s := range linalg.Row(c.s, i)[:i] {
			if t := theta[j]; t != 0 {
				u[j] = s + math.Copysign(c.rho, t)
			} else {
				u[j] = min(max(w[j], s-c.rho), s+c.rho)
			}
		}
		u[i] = c.s.Data[i*n+i]
	}
	bound, ok := linalg.Threads(1).LogDet(c.scratch)
	if !ok || math.IsNaN(f) {
		return math.Inf(1)
	}
	return f - bound - float64(n)
}

// objective returns f, or NaN where Θ is not positive definite. scratch is as large.
func objective(s, theta linalg.Dense, rho float64, scratch linalg.Dense) float64 {
	copy(scratch.Data, theta.Data)
	logDet, ok := linalg.Threads(1).LogDet(scratch)
	if !ok {
		return math.NaN()
	}
	f := linalg.Dot(s.Data, theta.Data) - logDet
	for i := range s.Rows {
		row := linalg.Row(theta, i)
		f += rho * (floats.Norm(row, 1) - math.Abs(row[i]))
	}
	return f
}
