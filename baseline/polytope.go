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
