package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/solver"
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
// these are worked with, in a copy of their part of W (see columnLasso); the others
// are looked at once in every round. If W is positive definite and feasible, it
// stays so, and log det W never falls.
type columnSolver struct {
	p     int
	rho   float64
	s     linalg.Dense
	w     linalg.Dense
	near  [][]int     // of each column, where β is not zero, in the order in which they came in
	beta  [][]float64 // β there
	lasso columnLasso

	column     []float64 // W₁₁β
	candidates []int
	isNear     []bool
	theta      linalg.Dense
	scratch    linalg.Dense
}

// newColumnSolver starts from the W and Θ of the members of a block. W must be
// feasible and positive definite.
func newColumnSolver(s, w, theta linalg.Dense, rho float64) *columnSolver {
	n := s.Rows
	c := &columnSolver{
		p: n, rho: rho, s: s, w: w, theta: theta,
		near: make([][]int, n), beta: make([][]float64, n),
		column: make([]float64, n), isNear: make([]bool, n), scratch: linalg.NewDense(n, n),
	}
	for j := range n {
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

// Sweeps are cheap where Θ is sparse, the duality gap costs as much as inverting a
// matrix. So it is computed only when the entries of W move so little that it may have
// become small enough: it goes with about the square of their movement.
const (
	// innerShare is how exactly each lasso is solved: up to this share of how far the
	// entries of W moved in the sweep before.
	innerShare = 0.01
	// leastInner is the exactness beyond which rounding rules.
	leastInner = 1e-14
)

// run sweeps over the columns until the duality gap is at most tolerance, or has
// not halved in stallSweeps sweeps.
func (c *columnSolver) run(ctx context.Context, tolerance float64, maxSweeps int) (end ending) {
	const stallSweeps = 200
	earlier := math.Inf(1)                      // the gap at the last multiple of stallSweeps
	look := math.Sqrt(tolerance / float64(c.p)) // the movement below which to compute the gap
	moved := c.rho
	for end.sweeps < maxSweeps {
		c.lasso.tolerance = max(innerShare*min(moved, c.rho), leastInner)
		moved = 0
		for j := range c.p {
			if ctx.Err() != nil {
				end.gap, end.status = c.gap(), solver.Interrupted
				return end
			}
			moved = max(moved, c.update(j))
		}
		end.sweeps++
		if moved > look && end.sweeps%stallSweeps != 0 && end.sweeps < maxSweeps {
			continue
		}
		end.gap = c.gap()
		switch {
		case end.gap <= tolerance:
			end.status = solver.Converged
			return end
		case moved <= leastInner || end.sweeps%stallSweeps == 0 && end.gap > earlier/2:
			end.status = solver.Stalled
			return end
		case end.sweeps%stallSweeps == 0:
			earlier = end.gap
		}
		look = min(look, moved*max(math.Sqrt(tolerance/end.gap), 0.1))
	}
	end.status = solver.MaxRounds
	return end
}

// update sets column j of W and returns the most that any entry moved.
func (c *columnSolver) update(j int) float64 {
	const rounds = 50 // what is left is for the next sweep
	s := linalg.Row(c.s, j)
	c.candidates = append(c.candidates[:0], c.near[j]...)
	near := c.candidates
	c.lasso.x = append(c.lasso.x[:0], c.beta[j]...)
	for range rounds {
		c.lasso.solve(c.w, near, s, c.rho)
		near = c.dropZeros(near)
		c.multiply(near)
		known := len(near)
		if near = c.join(near, j); len(near) == known {
			break
		}
	}
	c.candidates = near
	c.column[j] = s[j]
	c.near[j] = append(c.near[j][:0], near...)
	c.beta[j] = append(c.beta[j][:0], c.lasso.x...)
	row, n, moved := linalg.Row(c.w, j), c.p, 0.0
	for k, v := range c.column {
		if d := math.Abs(row[k] - v); d > moved {
			moved = d
		}
		c.w.Data[k*n+j] = v
	}
	copy(row, c.column)
	return moved
}

// dropZeros leaves out the entries of β that are zero.
func (c *columnSolver) dropZeros(near []int) []int {
	kept := 0
	for q, k := range near {
		if b := c.lasso.x[q]; b != 0 {
			near[kept], c.lasso.x[kept] = k, b
			kept++
		}
	}
	c.lasso.x = c.lasso.x[:kept]
	return near[:kept]
}

// multiply sets column to W₁₁β.
func (c *columnSolver) multiply(near []int) {
	clear(c.column)
	for q, k := range near {
		linalg.Axpy(c.lasso.x[q], linalg.Row(c.w, k), c.column)
	}
}

// join adds the entries to near where β is zero and should not be. Each is set to its
// best value, given those before, so that few come in that will leave again.
func (c *columnSolver) join(near []int, j int) []int {
	s := linalg.Row(c.s, j)
	c.isNear[j] = true // as far as that goes
	for _, k := range near {
		c.isNear[k] = true
	}
	known, limit := near, c.rho+2*c.lasso.tolerance
	for k := range c.column {
		if d := s[k] - c.column[k]; (d > limit || d < -limit) && !c.isNear[k] {
			row := linalg.Row(c.w, k)
			b := shrink(d, c.rho) / row[k]
			linalg.Axpy(b, row, c.column)
			near, c.lasso.x = append(near, k), append(c.lasso.x, b)
		}
	}
	c.isNear[j] = false
	for _, k := range known {
		c.isNear[k] = false
	}
	return near
}

// gap sets Θ from β and returns the duality gap: f(Θ) less log det U + p, where U is W
// brought to |U_ij − S_ij| ≤ ρ. Columns of Θ agree with rows only at the minimum; on
// the way Θ is their mean. The gap is +Inf where one of the two is not positive
// definite.
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
		u, w := linalg.Row(c.scratch, i), linalg.Row(c.w, i)
		for j, s := range linalg.Row(c.s, i)[:i] {
			u[j] = min(max(w[j], s-c.rho), s+c.rho)
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
