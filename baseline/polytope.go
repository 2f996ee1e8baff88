package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
)

// A polytope is the set of diffusion matrices that have the eigenvectors of a covariance
// ([pasdeloup2016]): symmetric T = Σ_s λ_s P_s with no negative entry and λ between −1
// and 1, where P_s projects on the eigenspaces, and λ = 1 for the eigenvector of one
// sign. The identity is one of them.
//
// Points are vectors x of the λ_s times the size of its projection, so
// that distances are those between matrices.
type polytope struct {
	n       int
	fixed   linalg.Dense // the projection on the eigenvector of one sign
	vectors linalg.Dense // the others in columns, space by space
	space   []int        // of each of them
	size    []float64    // of each P_s: the square root of the dimension
	steps   int          // constraints taken in so far
	bound   float64      // of the last minimise: no point of the polytope is below
}

// newPolytope takes eigenvectors in columns, the one of one sign apart; space numbers
// those that belong together, in order from 0.
func newPolytope(perron []float64, vectors linalg.Dense, space []int) *polytope {
	n := len(perron)
	p := &polytope{n: n, fixed: linalg.NewDense(n, n), vectors: vectors, space: space}
	for i, a := range perron {
		linalg.Axpy(a, perron, linalg.Row(p.fixed, i))
	}
	for _, s := range space {
		if s == len(p.size) {
			p.size = append(p.size, 0)
		}
		p.size[s]++
	}
	for s, dimension := range p.size {
		p.size[s] = math.Sqrt(dimension)
	}
	return p
}

// polytopeOf returns that of a spectrum. In the eigenspace of the eigenvector of one
// sign the other vectors are those orthogonal to it.
func polytopeOf(s *spectrum) *polytope {
	n := len(s.values)
	var columns [][]float64
	var space []int
	last := -1
	for k := range n {
		v := make([]float64, n)
		for i := range n {
			v[i] = s.vectors.Data[i*n+k]
		}
		if s.space[k] == s.perronSpace {
			for _, w := range append([][]float64{s.perron}, columns...) {
				orthogonalize(v, w)
			}
			length := math.Sqrt(linalg.Dot(v, v))
			if length < 1e-6 { // the one that the eigenvector of one sign stands for
				continue
			}
			for i := range v {
				v[i] /= length
			}
		}
		number := 0
		if len(space) > 0 {
			number = space[len(space)-1]
			if s.space[k] != last {
				number++
			}
		}
		last = s.space[k]
		columns, space = append(columns, v), append(space, number)
	}
	vectors := linalg.NewDense(n, len(columns))
	for k, v := range columns {
		for i := range n {
			vectors.Data[i*vectors.Stride+k] = v[i]
		}
	}
	return newPolytope(s.perron, vectors, space)
}

// orthogonalize takes from v what it has in the direction of the unit vector w.
func orthogonalize(v, w []float64) { linalg.Axpy(-linalg.Dot(v, w), w, v) }

// matrix returns T at a point.
func (p *polytope) matrix(x []float64) linalg.Dense {
	scaled := linalg.NewDense(p.n, p.vectors.Cols)
	for i := range p.n {
		to := linalg.Row(scaled, i)
		for k, v := range linalg.Row(p.vectors, i) {
			to[k] = v * x[p.space[k]] / p.size[p.space[k]]
		}
	}
	t := linalg.NewDense(p.n, p.n)
	copy(t.Data, p.fixed.Data)
	linalg.Threads(1).AddMulTransB(t, scaled, p.vectors)
	mirror(t)
	return t
}

// coordinates returns the point of the matrix nearest to a symmetric one.
func (p *polytope) coordinates(t linalg.Dense) []float64 {
	x := make([]float64, len(p.size))
	product := linalg.NewDense(p.n, p.vectors.Cols)
	linalg.Mul(product, t, p.vectors)
	for i := range p.n {
		for k, v := range linalg.Row(product, i) {
			x[p.space[k]] += v * linalg.Row(p.vectors, i)[k]
		}
	}
	for s, size := range p.size {
		x[s] /= size
	}
	return x
}

// entry returns the constraint T_ij ≥ 0.
func (p *polytope) entry(i, j int) halfspace {
	a := make([]float64, len(p.size))
	vi, vj := linalg.Row(p.vectors, i), linalg.Row(p.vectors, j)
	for k, s := range p.space {
		a[s] += vi[k] * vj[k]
	}
	for s, size := range p.size {
		a[s] /= size
	}
	return halfspace{a, -p.fixed.Data[i*p.n+j]}
}

// side returns the constraint −1 ≤ λ_s, or λ_s ≤ 1 for sign −1.
func (p *polytope) side(s int, sign float64) halfspace {
	a := make([]float64, len(p.size))
	a[s] = sign
	return halfspace{a, -p.size[s]}
}

const (
	// polytopeSlack is by how much entries of T, and λ, may be outside their bounds.
	polytopeSlack = 1e-12
	// polytopeBatch is how many constraints are taken in between two looks at all.
	polytopeBatch = 32
)

// violated lists constraints that a point violates, the worst first.
func (p *polytope) violated(x []float64) []halfspace {
	type place struct {
		i, j int // of an entry; a side for j < 0
		by   float64
	}
	var list []place
	t := p.matrix(x)
	for i := range p.n {
		for j, v := range linalg.Row(t, i)[:i+1] {
			if v < -polytopeSlack {
				list = append(list, place{i, j, -v})
			}
		}
	}
	for s, size := range p.size {
		if by := math.Abs(x[s])/size - 1; by > polytopeSlack {
			list = append(list, place{s, -1, by})
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(b.by, a.by) })
	var worst []halfspace
	for _, v := range list[:min(len(list), polytopeBatch)] {
		if v.j >= 0 {
			worst = append(worst, p.entry(v.i, v.j))
		} else {
			worst = append(worst, p.side(v.i, math.Copysign(1, -x[v.i])))
		}
	}
	return worst
}

// project moves a nearest point into the polytope. It says no if ctx ended, or if
// rounding does not let it.
func (p *polytope) project(ctx context.Context, point *nearestPoint) bool {
	for limit := 200 * (len(p.size) + 1); ; {
		list := p.violated(point.x)
		if len(list) == 0 {
			return true
		}
		for _, h := range list {
			if h.excess(point.x) >= -polytopeSlack/2 {
				continue // taken care of by those before
			}
			if limit--; ctx.Err() != nil || limit < 0 || !point.takeIn(h) {
				return false
			}
			p.steps++
		}
	}
}

// minimise returns the point of least cost·x, of several the one nearest to zero. It goes
// far in the direction of −cost and projects, which leads to the optimum in one step
// if that is far enough, and then again from there, until the multipliers prove it.
func (p *polytope) minimise(ctx context.Context, cost []float64) (x []float64, done bool) {
	const far, tries = 1e3, 20
	tolerance := 1e-9 * float64(p.n)
	var point nearestPoint
	point.from(make([]float64, len(cost)))
	for range tries {
		goal := slices.Clone(point.x)
		linalg.Axpy(-far, cost, goal)
		point.moveTo(goal)
		if !p.project(ctx, &point) {
			return point.x, false
		}
		p.bound = p.bestBound(&point, cost, far)
		if linalg.Dot(cost, point.x)-p.bound <= tolerance {
			return point.x, true
		}
	}
	return point.x, false
}

// bestBound returns what the multipliers of entries prove: cost·x is at least
// Σ y_i b_i + (cost − Σ y_i a_i)·x for y ≥ 0, of which the last is least at the sides.
func (p *polytope) bestBound(point *nearestPoint, cost []float64, far float64) float64 {
	rest, bound := slices.Clone(cost), 0.0
	for k, h := range point.active {
		y := point.u[k] / far
		bound += y * h.b
		linalg.Axpy(-y, h.a, rest)
	}
	for s, v := range rest {
		bound -= math.Abs(v) * p.size[s]
	}
	return bound
}

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
