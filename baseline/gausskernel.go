package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// GaussianOptions are the options of [GaussianKernel].
type GaussianOptions struct {
	Width      float64   // σ in median distances; zero means 1
	Neighbours int       // k of the own cut, at most N − 1; zero means 6
	Cut        graph.Cut // zero means the own cut
}

// GaussianKernel weighs each pair of vertices by exp(−d_ij²/2σ²), where d_ij is
// the distance between their rows of y as they are, and σ is Width times the
// median of the distances. The median makes the weights independent of the scale of
// the signals. If it is zero, most rows are equal: their edges then weigh 1 and
// all others nothing.
//
// The method's own cut keeps an edge if one of its vertices is among the k
// nearest of the other, ties included.
//
// y is not modified. If ctx ends, a graph without edges comes with the cause:
// the median of some distances is not that of all.
func GaussianKernel(ctx context.Context, y *mat.Dense, o GaussianOptions) (*Result, error) {
	if err := (Problem{Y: y, Cut: o.Cut}).check(methodGaussian, 2); err != nil {
		return nil, err
	}
	return learnGaussian(ctx, y, o)
}

// learnGaussian is GaussianKernel for signals already checked.
func learnGaussian(ctx context.Context, y *mat.Dense, o GaussianOptions) (*Result, error) {
	if err := checkNumbers(methodGaussian, Params{"width": o.Width, "k": float64(o.Neighbours)}); err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	if o.Width == 0 {
		o.Width = 1
	}
	if o.Neighbours == 0 {
		o.Neighbours = defaultDegree
	}
	o.Neighbours = min(o.Neighbours, n-1)
	z := unscaled(y)
	d, cause := overPairs(ctx, n, func(i, j int) float64 {
		return floats.Distance(z.RawRowView(i), z.RawRowView(j), 2)
	})
	w := make([]float64, len(d))
	if cause == nil {
		sigma := o.Width * medianOf(d)
		for e := range d {
			if d[e] == 0 {
				w[e] = 1
			} else if sigma > 0 {
				w[e] = math.Exp(-d[e] * d[e] / (2 * sigma * sigma))
			}
		}
	}
	own := func(g *graph.Graph) *graph.Graph {
		nearness := make([]float64, len(d)) // not w, which may vanish
		for e, farthest := 0, slices.Max(d); e < len(d) && farthest > 0; e++ {
			nearness[e] = -d[e] / farthest
		}
		keep := nearest(n, o.Neighbours, nearness)
		kept := slices.DeleteFunc(g.Edges(), func(e graph.Edge) bool { return !keep[pairIndex(n, e.I, e.J)] })
		return mustGraph(g.Names(), kept)
	}
	return settle(n, w, o.Cut, own, Params{"width": o.Width, "k": float64(o.Neighbours)}, cause)
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
