package baseline

import (
	"math"

	"github.com/nervure/nervure/internal/linalg"
)

// A nearestPoint is the point of a polyhedron nearest to a given one, on its way
// there: the minimum of ½‖x − p‖² under a_iᵀx ≥ b_i. It is found by the dual method
// of [goldfarb1983]: x is always the nearest point under the constraints taken in so
// far, so that constraints may be many, and are shown one by one when x violates them.
type nearestPoint struct {
	x      []float64
	active []halfspace
	u      []float64   // multipliers of the active constraints, at least 0
	q      [][]float64 // orthonormal basis of their normals, in order
	r      [][]float64 // column k: the normal of the k-th in that basis; k+1 entries
}

// A halfspace is a constraint aᵀx ≥ b.
type halfspace struct {
	a []float64
	b float64
}

// excess returns aᵀx − b, which is negative where x violates the constraint.
func (h halfspace) excess(x []float64) float64 { return linalg.Dot(h.a, x) - h.b }

// dependent is the share of a normal outside the span of others, below which there is
// none.
const dependent = 1e-10

// takeIn moves x to the nearest point under h as well, and under those taken in before
// as far as these still bind. It says no if there is no such point.
func (n *nearestPoint) takeIn(h halfspace) bool {
	multiplier := 0.0
	for {
		inside, outside := n.split(h.a)
		along := linalg.Dot(outside, outside)
		if along <= dependent*dependent*linalg.Dot(h.a, h.a) {
			along = 0
		}
		by := n.solveUpper(inside) // the change of the multipliers
		step, full, leaves := math.Inf(1), math.Inf(1), -1
		for k, v := range by {
			if v > 0 && n.u[k]/v < step {
				step, leaves = n.u[k]/v, k
			}
		}
		if along > 0 {
			full = max(-h.excess(n.x)/along, 0)
		}
		if step = min(step, full); math.IsInf(step, 0) {
			return false
		}
		if along > 0 {
			linalg.Axpy(step, outside, n.x)
		}
		for k, v := range by {
			n.u[k] = max(n.u[k]-step*v, 0)
		}
		multiplier += step
		if step == full {
			n.add(h, multiplier, inside, outside)
			return true
		}
		n.drop(leaves)
	}
}

// split returns a vector's coordinates in the basis, and what is outside its span,
// orthogonal to it to rounding.
func (n *nearestPoint) split(a []float64) (inside, outside []float64) {
	inside, outside = make([]float64, len(n.q)), make([]float64, len(a))
	copy(outside, a)
	for range 2 {
		for k, q := range n.q {
			v := linalg.Dot(q, outside)
			inside[k] += v
			linalg.Axpy(-v, q, outside)
		}
	}
	return inside, outside
}

// solveUpper solves R·z = v.
func (n *nearestPoint) solveUpper(v []float64) []float64 {
	z := make([]float64, len(v))
	copy(z, v)
	for k := len(z) - 1; k >= 0; k-- {
		z[k] /= n.r[k][k]
		linalg.Axpy(-z[k], n.r[k][:k], z[:k])
	}
	return z
}

// add makes a constraint active.
func (n *nearestPoint) add(h halfspace, multiplier float64, inside, outside []float64) {
	length := math.Sqrt(linalg.Dot(outside, outside))
	for k := range outside {
		outside[k] /= length
	}
	n.active, n.u = append(n.active, h), append(n.u, multiplier)
	n.q, n.r = append(n.q, outside), append(n.r, append(inside, length))
}

// drop makes the k-th active constraint inactive. Rotations bring R back to its shape.
func (n *nearestPoint) drop(k int) {
	last := len(n.active) - 1
	for j := k; j < last; j++ {
		n.active[j], n.u[j], n.r[j] = n.active[j+1], n.u[j+1], n.r[j+1]
	}
	n.active, n.u, n.r = n.active[:last], n.u[:last], n.r[:last]
	for j := k; j < last; j++ { // column j has one entry too many, below its diagonal
		length := math.Hypot(n.r[j][j], n.r[j][j+1])
		cos, sin := n.r[j][j]/length, n.r[j][j+1]/length
		for _, column := range n.r[j:] {
			a, b := column[j], column[j+1]
			column[j], column[j+1] = cos*a+sin*b, cos*b-sin*a
		}
		n.r[j] = n.r[j][:j+1]
		linalg.Rotate(n.q[j], n.q[j+1], cos, -sin)
	}
	n.q = n.q[:last]
}

// from starts over at p with no constraint.
func (n *nearestPoint) from(p []float64) {
	*n = nearestPoint{x: append([]float64(nil), p...)}
}

// moveTo changes the point p that x is nearest to. If the active constraints bind there,
// too, they stay; otherwise all starts over.
func (n *nearestPoint) moveTo(p []float64) {
	rest := append([]float64(nil), n.x...) // x − p, which is Σ u_i a_i if x is the nearest point
	linalg.Axpy(-1, p, rest)
	inside, outside := n.split(rest)
	u := n.solveUpper(inside)
	for _, v := range u {
		if v < 0 {
			n.from(p)
			return
		}
	}
	n.u = u
	linalg.Axpy(-1, outside, n.x)
}
