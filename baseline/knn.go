package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// NeighbourOptions are the options of [NearestNeighbours].
type NeighbourOptions struct {
	Neighbours int       // k of each vertex, at most N − 1; zero means 6
	Cut        graph.Cut // zero means none: the graph is sparse already
}

// NearestNeighbours joins each vertex to the k others whose rows of y are nearest
// once every row has mean 0 and the same length; that squared distance is
// 2(1 − r_ij) in units of the length, so the nearest are the most correlated. A
// pair is an edge if either vertex chooses the other; its weight is the
// similarity (1 + r_ij)/2. Whoever ties with the k-th neighbour is chosen too. A
// row that does not vary has distance √2 from all others.
//
// y is not modified. If ctx ends, a graph without edges comes with the cause:
// neighbours among some of the vertices are not those among all.
func NearestNeighbours(ctx context.Context, y *mat.Dense, o NeighbourOptions) (*Result, error) {
	if err := (Problem{Y: y, Cut: o.Cut}).check(methodNeighbours, 2); err != nil {
		return nil, err
	}
	return learnNeighbours(ctx, y, o)
}

// learnNeighbours is NearestNeighbours for signals already checked.
func learnNeighbours(ctx context.Context, y *mat.Dense, o NeighbourOptions) (*Result, error) {
	if err := checkNumbers(methodNeighbours, Params{"k": float64(o.Neighbours)}); err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	if o.Neighbours == 0 {
		o.Neighbours = defaultDegree
	}
	o.Neighbours = min(o.Neighbours, n-1)
	w, cause := correlations(ctx, y)
	keep := nearest(n, o.Neighbours, w)
	for e, r := range w {
		w[e] = 0
		if keep[e] && cause == nil {
			w[e] = (1 + r) / 2
		}
	}
	own := func(g *graph.Graph) *graph.Graph { return g }
	return settle(n, w, o.Cut, own, Params{"k": float64(o.Neighbours)}, cause)
}
