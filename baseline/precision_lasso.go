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
	rho, tolerance float64   // the tolerance is of the derivatives
	inverse        []float64 // of the diagonal of the large matrix
	on             []int     // the vertices that matter
	x              []float64 // where it starts, and the minimum, there
	left           []float64 // b − Ax at all vertices

	a       linalg.Dense // A in a copy or, if few vertices do not matter, amid the whole matrix
	at      []int        // where the rows and columns of A are in a
	b, rest []float64    // b and b − Ax, as long as the rows of a
	copied  []float64    // room for a copy of A, b and b − Ax
	places  []int        // 0, 1, 2, …
	signed  []int        // entries that are not zero
	goal    []float64    // the minimum with the present signs
	small   linalg.SmallSolver
}

// slowDescent is the share of its movement that a pass must fall to, from the one
// before, not to be followed by a jump: a pass costs the square of the number of
// unknowns, a jump a third of the cube.
const slowDescent = 0.5

// wholeShare is how many times as many vertices there are at most as matter when A is
// not copied: the passes then take longer, but nothing comes before and after them.
const wholeShare = 5

// solve moves x to the minimum, where A is w on the given vertices and b is s there,
// and leaves out the vertices where it is zero. In the first solve of a column, left
// is not known.
func (l *columnLasso) solve(w linalg.Dense, s []float64, first bool) {
	const passes = 100 // what is left is for the next sweep
	whole := l.take(w, s)
	if first {
		l.refresh()
	}
	before := 0.0
	for range passes {
		moved, settled := l.pass()
		if moved <= l.tolerance || settled && moved > slowDescent*before && before > 0 && l.jump() {
			break
		}
		before = moved
	}
	l.dropZeros()
	if !whole {
		copy(l.left, s)
		linalg.AddRows(l.left, -1, w, l.on, l.x)
	}
}

// take sets A, b and b − Ax, and reports whether A is not copied.
func (l *columnLasso) take(w linalg.Dense, s []float64) bool {
	n := len(l.on)
	if w.Rows <= wholeShare*n {
		l.a, l.at, l.b, l.rest = w, l.on, s, l.left
		return true
	}
	l.copied = slices.Grow(l.copied[:0], n*n+2*n)[:n*n+2*n]
	l.a = linalg.Dense{Rows: n, Cols: n, Stride: n, Data: l.copied[:n*n]}
	l.b, l.rest = l.copied[n*n:n*n+n], l.copied[n*n+n:]
	l.places = l.places[:0]
	for q, k := range l.on {
		row, to := linalg.Row(w, k), l.copied[q*n:q*n+n]
		for r, j := range l.on {
			to[r] = row[j]
		}
		l.b[q], l.rest[q] = s[k], l.left[k]
		l.places = append(l.places, q)
	}
	l.at = l.places
	return false
}

// dropZeros leaves out the entries of x that are zero.
func (l *columnLasso) dropZeros() {
	kept := 0
	for q, x := range l.x {
		if x != 0 {
			l.on[kept], l.x[kept] = l.on[q], x
			kept++
		}
	}
	l.on, l.x = l.on[:kept], l.x[:kept]
}

// refresh computes b − Ax.
func (l *columnLasso) refresh() {
	copy(l.rest, l.b)
	linalg.AddRows(l.rest, -1, l.a, l.at, l.x)
}

// pass moves each entry to its best value in turn. It returns the most that a
// derivative moved, and whether all signs stayed as they were. Steps are taken off
// b − Ax two at a time, which is faster.
func (l *columnLasso) pass() (moved float64, settled bool) {
	settled = true
	rest, data, stride := l.rest, l.a.Data, l.a.Stride
	row, step := rest, 0.0 // of a step that is not taken off yet, if not zero
	for q, x := range l.x {
		at := l.at[q]
		next := data[at*stride:][:len(rest)]
		slope := rest[at] + next[at]*x - step*row[at]
		to := slope - math.Copysign(l.rho, x)
		if !(to*x > 0) {
			to = shrink(slope, l.rho)
			settled = settled && to == x
		}
		to *= l.inverse[l.on[q]]
		d := to - x
		if d == 0 {
			continue
		}
		l.x[q] = to
		if m := math.Abs(d) * next[at]; m > moved {
			moved = m
		}
		if step == 0 {
			row, step = next, d
			continue
		}
		linalg.Axpy2(-step, row, -d, next, rest)
		step = 0
	}
	if step != 0 {
		linalg.Axpy(-step, row, rest)
	}
	return moved, settled
}

// jump moves x towards the minimum for its signs, as far as they last, and says
// whether it is the minimum.
func (l *columnLasso) jump() bool {
	l.signed, l.goal = l.signed[:0], l.goal[:0]
	for q, x := range l.x {
		if x != 0 {
			l.signed = append(l.signed, q)
			l.goal = append(l.goal, l.b[l.at[q]]-math.Copysign(l.rho, x))
		}
	}
	covered := l.small.Solve(l.goal, func(i int, dst []float64) {
		row := linalg.Row(l.a, l.at[l.signed[i]])
		for k := range dst {
			dst[k] = row[l.at[l.signed[k]]]
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
		if x == 0 && math.Abs(l.rest[l.at[q]]) > l.rho+l.tolerance {
			return false
		}
	}
	return true
}

// shrink moves v towards zero by rho.
func shrink(v, rho float64) float64 {
	if b := math.Abs(v) - rho; b > 0 {
		return math.Copysign(b, v)
	}
	return 0
}
