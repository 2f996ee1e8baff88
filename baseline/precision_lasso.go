package baseline

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
)

// A columnLasso minimises ½ xᵀAx − bᵀx + ρ‖x‖₁ for the few entries of x that matter,
// A being a small part of a large matrix. It descends along coordinates until no sign
// changes, and then solves for all of them at once: with the signs given, the minimum
// is that of a quadratic function. Where vertices depend on each other strongly, the
// descent alone would take hundreds of passes.
type columnLasso struct {
	tolerance float64   // of the derivatives
	x         []float64 // where it starts, and the minimum

	a, b, left []float64 // A in full, b, and b − Ax
	signed     []int     // entries that are not zero
	goal       []float64 // the minimum with the present signs
	small      linalg.SmallSolver
}

// slowDescent is the share of its movement that a pass must fall to, from the one
// before, not to be followed by a jump: a pass costs the square of the number of
// unknowns, a jump a third of the cube.
const slowDescent = 0.5

// solve moves x to the minimum, where A is w on the given vertices and b is s there.
func (l *columnLasso) solve(w linalg.Dense, on []int, s []float64, rho float64) {
	const passes = 100 // what is left is for the next sweep
	n := len(on)
	l.a, l.b, l.left = slices.Grow(l.a[:0], n*n)[:n*n], slices.Grow(l.b[:0], n)[:n], slices.Grow(l.left[:0], n)[:n]
	for q, k := range on {
		row, to := linalg.Row(w, k), l.a[q*n:q*n+n]
		for r, j := range on {
			to[r] = row[j]
		}
		l.b[q] = s[k]
	}
	l.refresh()
	before := 0.0
	for range passes {
		moved, settled := l.pass(rho)
		if moved <= l.tolerance || settled && moved > slowDescent*before && before > 0 && l.jump(rho) {
			return
		}
		before = moved
	}
}

// refresh computes b − Ax.
func (l *columnLasso) refresh() {
	n := len(l.b)
	copy(l.left, l.b)
	for q, x := range l.x {
		if x != 0 {
			linalg.Axpy(-x, l.a[q*n:q*n+n], l.left)
		}
	}
}

// pass moves each entry to its best value in turn. It returns the most that a
// derivative moved, and whether all signs stayed as they were.
func (l *columnLasso) pass(rho float64) (moved float64, settled bool) {
	n := len(l.b)
	settled = true
	for q, x := range l.x {
		row := l.a[q*n : q*n+n]
		to := shrink(l.left[q]+row[q]*x, rho) / row[q]
		if d := to - x; d != 0 {
			settled = settled && to*x > 0
			l.x[q] = to
			linalg.Axpy(-d, row, l.left)
			moved = max(moved, math.Abs(d)*row[q])
		}
	}
	return moved, settled
}

// jump moves x towards the minimum for its signs, as far as they last, and says
// whether it is the minimum.
func (l *columnLasso) jump(rho float64) bool {
	n := len(l.b)
	l.signed, l.goal = l.signed[:0], l.goal[:0]
	for q, x := range l.x {
		if x != 0 {
			l.signed = append(l.signed, q)
			l.goal = append(l.goal, l.b[q]-math.Copysign(rho, x))
		}
	}
	covered := l.small.Solve(l.goal, func(i int, dst []float64) {
		row := l.a[l.signed[i]*n:]
		for k := range dst {
			dst[k] = row[l.signed[k]]
		}
	})
	if math.IsInf(covered, 1) {
		return false
	}
	step, first := 1.0, -1 // how far to go, and which entry becomes zero there
	for k, q := range l.signed {
		if x := l.x[q]; x*l.goal[k] <= 0 {
			if t := x / (x - l.goal[k]); t < step {
				step, first = t, q
			}
		}
	}
	for k, q := range l.signed {
		l.x[q] += step * (l.goal[k] - l.x[q])
	}
	if first >= 0 {
		l.x[first] = 0
	}
	l.refresh()
	if first >= 0 {
		return false
	}
	for q, x := range l.x {
		if x == 0 && math.Abs(l.left[q]) > rho+l.tolerance {
			return false
		}
	}
	return true
}

// shrink moves v towards zero by rho.
func shrink(v, rho float64) float64 {
	switch {
	case v > rho:
		return v - rho
	case v < -rho:
		return v + rho
	}
	return 0
}
