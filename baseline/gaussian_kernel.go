package baseline

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// GaussianKernel weighs each pair of vertices by exp(−d_ij²/2σ²), where d_ij is
// the distance between their signals as they are, and σ is Width times the
// median of the distances. The median makes the weights independent of the scale of
// the signals. If it is zero, most vertices are equal: their edges then weigh 1 and
// all others nothing.
//
// The method's own cut keeps an edge if one of its vertices is among the k
// nearest of the other, ties included.
//
// If ctx ends, a graph without edges comes with the cause: the median of some
// distances is not that of all.
type GaussianKernel struct {
	Width      float64 `param:"width" about:"width σ, in units of the median distance; 0 means 1"`
	Neighbours int     `param:"k" about:"number of nearest neighbours of each vertex; 0 means 6"` // more than N − 1 means N − 1
}

var gaussianKernelEntry = registry.Add(method.Entry{
	Default: GaussianKernel{}, About: "Gaussian kernel of the distance between rows, as wide as the median distance",
	MostVertices: mostVertices,
})

// Name returns "gaussian-kernel".
func (GaussianKernel) Name() string { return "gaussian-kernel" }

// Capabilities keeps the contract of [method.Capable].
func (GaussianKernel) Capabilities() []method.Capability {
	return []method.Capability{method.UsesMeans, method.UsesScales}
}

// Learn keeps the contract of [method.Method].
func (m GaussianKernel) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return gaussianKernelEntry.Run(ctx, m, p, m.learn)
}

func (m GaussianKernel) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	m.Width = cmp.Or(m.Width, 1)
	m.Neighbours = min(cmp.Or(m.Neighbours, defaultDegree), n-1)
	z := unscaled(p.Y)
	d, status := overPairs(ctx, n, func(i, j int) float64 {
		return floats.Distance(z.RawRowView(i), z.RawRowView(j), 2)
	})
	w := make([]float64, len(d))
	if status == method.Converged {
		sigma := m.Width * medianOf(d)
		for e := range d {
			if d[e] == 0 {
				w[e] = 1
			} else if sigma > 0 {
				w[e] = portable.Exp(-d[e] * d[e] / (2 * sigma * sigma))
			}
		}
	}
	r := &method.Result{Method: m, Weights: fromPairs(n, w), Status: status}
	if p.Cut == (graph.Cut{}) {
		r.Graph = amongNearest(r.Weights, d, m.Neighbours)
	}
	return r, nil
}

// amongNearest keeps the edges of which one vertex is among the k nearest of the
// other. Distances d over the pairs decide, because weights may vanish.
func amongNearest(g *graph.Graph, d []float64, k int) *graph.Graph {
	n := g.Vertices()
	nearness := make([]float64, len(d))
	for e, farthest := 0, slices.Max(d); e < len(d) && farthest > 0; e++ {
		nearness[e] = -d[e] / farthest
	}
	keep := nearest(n, k, nearness)
	return mustGraph(g.Names(), slices.DeleteFunc(g.Edges(), func(e graph.Edge) bool { return !keep[pairIndex(n, e.I, e.J)] }))
}

// medianOf returns the median of values, which are left as they are.
func medianOf(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}
