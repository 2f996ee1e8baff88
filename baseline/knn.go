package baseline

import (
	"cmp"
	"context"

	"github.com/nervure/nervure/method"
)

// KNN joins each vertex to the k others whose signals are nearest once those of
// every vertex have mean 0 and the same length; that squared distance is
// 2(1 − r_ij) in units of the length, so the nearest are the most correlated. A
// pair is an edge if either vertex chooses the other; its weight is the
// similarity (1 + r_ij)/2. Whoever ties with the k-th neighbour is chosen too.
// There is no other cut.
//
// If ctx ends, a graph without edges comes with the cause: neighbours among some
// of the vertices are not those among all.
type KNN struct {
	Neighbours int `param:"k" about:"number of nearest neighbours of each vertex; 0 means 6"` // more than N − 1 means N − 1
}

var knnEntry = registry.Add(method.Entry{
	Default: KNN{}, About: "each vertex with its most correlated vertices",
	MostVertices: mostVertices,
})

// Name returns "knn".
func (KNN) Name() string { return "knn" }

// Learn keeps the contract of [method.Method].
func (m KNN) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return knnEntry.Run(ctx, m, p, m.learn)
}

func (m KNN) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	m.Neighbours = min(cmp.Or(m.Neighbours, defaultDegree), n-1)
	w, status := correlations(ctx, p.Y)
	keep := nearest(n, m.Neighbours, w)
	for e, r := range w {
		w[e] = 0
		if keep[e] && status == method.Converged {
			w[e] = (1 + r) / 2
		}
	}
	return &method.Result{Method: m, Weights: fromPairs(n, w), Status: status}, nil
}
