package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// A newtonStep is the room that a Newton step needs.
type newtonStep struct {
	free     []int // pairs that have a weight
	gradient []float64
	scale    []float64 // of each weight, the root of its second derivative: r
	way      []float64 // d, from where the weights are to where the step leads
	weights  []float64 // of all pairs, tried
	product  linalg.Dense
	columns  linalg.Dense
}

// newtonTries is how often a step is halved before it is given up.
const newtonTries = 6

// step goes towards the minimum of the second-order model of f over the pairs that have
// a weight, as far as f falls from what it is. Weights that would be negative are zero.
// It says no if that makes L singular.
func (g *resistance) step(ctx context.Context, f float64) (ok bool) {
	s := &g.newton
	s.free, s.gradient, s.scale = s.free[:0], s.gradient[:0], s.scale[:0]
	for e, p := range g.pairs {
		if p.Weight > 0 {
			r := g.between(p.I, p.J)
			s.free, s.gradient, s.scale = append(s.free, e), append(s.gradient, p.h-r), append(s.scale, r)
		}
	}
	if s.product.Rows == 0 {
		s.product, s.columns = linalg.NewDense(g.n, g.n), linalg.NewDense(g.n, g.n)
	}
	s.way = g.descent(ctx)
	s.weights = make([]float64, len(g.pairs))
	length := 1.0
	for range newtonTries {
		if ctx.Err() != nil {
			return true
		}
		for k, e := range s.free {
			s.weights[e] = max(g.pairs[e].Weight+length*s.way[k], 0)
		}
		if to, ok := g.factorize(s.weights); ok && to < f {
			for _, e := range s.free {
				g.pairs[e].Weight = s.weights[e]
			}
			_, ok = g.refresh()
			return ok
		}
		length /= 2
	}
	return true
}

// descent solves H·d = −gradient by conjugate gradients, with every weight in the unit
// in which its second derivative is 1, to an accuracy that grows with that of the
// gradient.
func (g *resistance) descent(ctx context.Context) []float64 {
	s := &g.newton
	m := len(s.free)
	d, left, way := make([]float64, m), make([]float64, m), make([]float64, m)
	for k := range m {
		left[k] = -s.gradient[k] / s.scale[k]
	}
	copy(way, left)
	energy := portable.Dot(left, left)
	goal := energy * min(1e-2, energy)
	for range newtonProducts {
		if energy <= goal || energy == 0 || ctx.Err() != nil {
			break
		}
		along := g.curvature(way)
		a := energy / portable.Dot(way, along)
		if !(a > 0) || math.IsInf(a, 0) {
			break
		}
		floats.AddScaled(d, a, way)
		floats.AddScaled(left, -a, along)
		next := portable.Dot(left, left)
		for k := range way {
			way[k] = left[k] + next/energy*way[k]
		}
		energy = next
	}
	for k := range d {
		d[k] /= s.scale[k]
	}
	return d
}

// newtonProducts is the most products with H that a step takes.
const newtonProducts = 300

// curvature returns H·x in units of the scales: H_ef is the square of
// (C_i − C_j)·(b_k − b_l) for pairs e = (i, j) and f = (k, l). So H·x at e is that of
// the matrix C·L(x)·C, taken as a resistance.
func (g *resistance) curvature(x []float64) []float64 {
	s := &g.newton
	clear(s.product.Data)
	for k, e := range s.free { // L(x)·C
		p := g.pairs[e]
		a := x[k] / s.scale[k]
		top, low := linalg.Row(s.product, p.I), linalg.Row(s.product, p.J)
		ci, cj := linalg.Row(g.c, p.I), linalg.Row(g.c, p.J)
		linalg.Axpy(a, ci, top)
		linalg.Axpy(-a, cj, top)
		linalg.Axpy(-a, ci, low)
		linalg.Axpy(a, cj, low)
	}
	for i := range g.n { // its columns as rows
		for j, v := range linalg.Row(s.product, i) {
			s.columns.Data[j*g.n+i] = v
		}
	}
	y := make([]float64, len(x))
	for k, e := range s.free {
		p := g.pairs[e]
		ci, cj := linalg.Row(g.c, p.I), linalg.Row(g.c, p.J)
		xi, xj := linalg.Row(s.columns, p.I), linalg.Row(s.columns, p.J)
		y[k] = (linalg.Dot(ci, xi) - linalg.Dot(cj, xi) - linalg.Dot(ci, xj) + linalg.Dot(cj, xj)) / s.scale[k]
	}
	return y
}
