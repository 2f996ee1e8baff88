package simulate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
)

// drawnAtOnce is how many signals are drawn together, to bound the memory of conjugate gradients.
const drawnAtOnce = 100

// LargeField draws Gaussian signals on a graph of any size, vertices × signals. Their precision matrix
// is P^order with P = D + εI − W, where W has the weights, D the sums of their sizes and ε is ridge;
// order is 1 or 2. No matrix of all pairs is made.
//
// A signal of order one is P⁻¹·B·z with white z and B·Bᵀ = P: a column of B for each edge, √|w| at one
// end and −√|w| at the other, or √|w| if w is negative; and √ε·I. One of order two is P⁻¹·z.
func LargeField(ctx context.Context, g *graph.Graph, order, count int, ridge float64, seed uint64) (*mat.Dense, error) {
	if order != 1 && order != 2 || count < 1 || !(ridge > 0) {
		return nil, input.Errorf("simulate.LargeField", "", "got order %d, %d signals and ridge %g, want order 1 or 2, at least 1, and more than 0", order, count, ridge)
	}
	n, edges := g.Vertices(), g.Edges()
	solver, err := newCover(n, edges)
	if err != nil {
		return nil, err
	}
	y := mat.NewDense(n, count, nil)
	for first := 0; first < count; first += drawnAtOnce {
		some := min(drawnAtOnce, count-first)
		b := mat.NewDense(n, some, nil)
		for t := range some {
			b.SetCol(t, excitation(n, edges, order, ridge, rng.Stream(seed, "large field", first+t)))
		}
		x, err := solver.solve(ctx, b, ridge)
		if err != nil {
			return nil, err
		}
		y.Slice(0, n, first, first+some).(*mat.Dense).Copy(x)
	}
	return y, nil
}

// excitation is B·z of one signal, or z.
func excitation(n int, edges []graph.Edge, order int, ridge float64, r *rand.Rand) []float64 {
	b := make([]float64, n)
	scale := 1.0
	if order == 1 {
		scale = math.Sqrt(ridge)
	}
	for i := range b {
		b[i] = scale * r.NormFloat64()
	}
	if order > 1 {
		return b
	}
	for _, e := range edges {
		z := math.Sqrt(math.Abs(e.Weight)) * r.NormFloat64()
		b[e.I] += z
		b[e.J] -= math.Copysign(1, e.Weight) * z
	}
	return b
}

// A cover solves equations with P by those of a graph without negative edges. Of a graph with
// some, that is its double cover: vertex i is there twice, as i and as n + i, and a negative edge
// joins a vertex to the other copy of its neighbour. What has opposite values at both
// copies solves there what its first half solves here.
type cover struct {
	laplacian *gsp.Laplacian
	vertices  int
	double    bool
}

func newCover(n int, edges []graph.Edge) (*cover, error) {
	c := &cover{vertices: n, double: slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.Weight < 0 })}
	if c.double {
		edges = doubled(n, edges)
		n *= 2
	}
	on, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		return nil, err
	}
	c.laplacian, err = gsp.New(on, gsp.Combinatorial)
	return c, err
}

// doubled are the edges of the double cover.
func doubled(n int, edges []graph.Edge) (both []graph.Edge) {
	for _, e := range edges {
		if e.Weight > 0 {
			both = append(both, e, graph.Edge{I: n + e.I, J: n + e.J, Weight: e.Weight})
		} else {
			both = append(both, graph.Edge{I: e.I, J: n + e.J, Weight: -e.Weight}, graph.Edge{I: e.J, J: n + e.I, Weight: -e.Weight})
		}
	}
	return both
}

// solve returns P⁻¹·b = (I + L/ε)⁻¹·b/ε.
func (c *cover) solve(ctx context.Context, b *mat.Dense, ridge float64) (*mat.Dense, error) {
	if c.double {
		var opposite, both mat.Dense
		opposite.Scale(-1, b)
		both.Stack(b, &opposite)
		b = &both
	}
	smooth, err := c.laplacian.Denoise(ctx, b, gsp.DenoiseOptions{Tau: 1 / ridge})
	if err != nil {
		return nil, err
	}
	_, count := b.Dims()
	x := smooth.Y.Slice(0, c.vertices, 0, count).(*mat.Dense)
	x.Scale(1/ridge, x)
	return x, nil
}
