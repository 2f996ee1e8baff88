package local

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
)

// A lasso is a regression with a penalty: the minimum of
//
//	½·βᵀGβ − cᵀβ + λ Σ|β_j|   over β, or over β ≥ 0,
//
// found by adding the coefficient that gains most and solving for those that are not zero, as long as one
// gains anything. A coefficient that would change its sign becomes zero on the way ([lee2006], for β ≥ 0
// [lawson1974]).
type lasso struct {
	gram   linalg.Dense // G
	with   []float64    // c
	signed bool

	beta   []float64
	slope  []float64 // c − Gβ
	active []int     // coefficients that are not zero
	side   []float64 // their signs
	next   []float64 // what the active ones would be
	small  linalg.SmallSolver
}

// solve moves β from where it is to the minimum.
func (r *lasso) solve(penalty float64) {
	k := len(r.with)
	if !r.settle(penalty) {
		return
	}
	for range 4 * k { // each step lowers the objective: this only bounds rounding errors
		r.slopes()
		gain, at := 0.0, -1
		for j := range k {
			over := r.slope[j] - penalty
			if r.signed {
				over = math.Abs(r.slope[j]) - penalty
			}
			if r.beta[j] == 0 && over > gain {
				gain, at = over, j
			}
		}
		if gain <= rounding {
			return
		}
		r.active, r.side = append(r.active, at), append(r.side, math.Copysign(1, r.slope[at]))
		if !r.settle(penalty) { // it follows others exactly
			last := len(r.active) - 1
			r.active, r.side = r.active[:last], r.side[:last]
			return
		}
	}
}

// rounding is by how much a slope may exceed the penalty because of rounding errors.
const rounding = 1e-10

// settle moves the active coefficients to where none gains anything, without a change of sign: those that
// become zero on the way leave. It reports false, and moves nothing, if they depend on each other.
func (r *lasso) settle(penalty float64) bool {
	for len(r.active) > 0 {
		r.next = r.next[:0]
		for p, j := range r.active {
			r.next = append(r.next, r.with[j]-penalty*r.side[p])
		}
		if math.IsInf(r.small.Solve(r.next, r.entries), 1) {
			return false
		}
		step, leaves := 1.0, -1
		for p, j := range r.active {
			if r.next[p]*r.side[p] > 0 {
				continue
			}
			t := 0.0
			if r.beta[j] != r.next[p] {
				t = r.beta[j] / (r.beta[j] - r.next[p])
			}
			if leaves < 0 || t < step {
				step, leaves = t, p
			}
		}
		for p, j := range r.active {
			r.beta[j] += step * (r.next[p] - r.beta[j])
		}
		if leaves < 0 {
			return true
		}
		r.beta[r.active[leaves]] = 0
		r.active, r.side = slices.Delete(r.active, leaves, leaves+1), slices.Delete(r.side, leaves, leaves+1)
	}
	return true
}

// entries puts a row of the system of the active coefficients into dst. The diagonal is raised by what
// rounding takes from it.
func (r *lasso) entries(p int, dst []float64) {
	row := linalg.Row(r.gram, r.active[p])
	for q := range dst {
		dst[q] = row[r.active[q]]
	}
	dst[p] *= 1 + 1e-10
}

func (r *lasso) slopes() {
	copy(r.slope, r.with)
	for _, j := range r.active {
		linalg.Axpy(-r.beta[j], linalg.Row(r.gram, j), r.slope)
	}
}

// variance returns that of the residual, of a vertex of variance 1.
func (r *lasso) variance() float64 {
	r.slopes()
	v := 1.0
	for _, j := range r.active {
		v -= float64(r.beta[j] * (r.with[j] + r.slope[j]))
	}
	return max(v, leastVariance)
}

// leastVariance is the variance of a residual that is nothing but rounding errors.
const leastVariance = 1e-12

// reset begins with β = 0.
func (r *lasso) reset(k int) {
	r.beta, r.slope = grown(r.beta, k), grown(r.slope, k)
	clear(r.beta)
	r.active, r.side = r.active[:0], r.side[:0]
}

func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

// solveScaled solves for the penalty that is λ for a residual of size 1 and follows the size of the
// residual ([sun2013]); it returns that of the solution, and the variance of the residual.
func (r *lasso) solveScaled(lambda float64) (penalty, variance float64) {
	variance = 1
	for range 30 {
		penalty = lambda * math.Sqrt(variance)
		r.solve(penalty)
		before := variance
		variance = r.variance()
		if before-variance <= 1e-6*before {
			break
		}
	}
	return penalty, variance
}
