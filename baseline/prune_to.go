package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// PruneTo fits the model of [GGL] to some pairs of vertices only and removes those of
// the least partial correlation, step by step, until at most count are left, as
// the method's own path does. So what GGL would find among them is found without
// learning from all pairs. The weights are partial correlations; signals (the
// columns of y) must be complete, and rows that do not vary have no edges.
//
// If ctx ends, PruneTo returns its cause.
func PruneTo(ctx context.Context, y *mat.Dense, pairs [][2]int, count int) (*graph.Graph, error) {
	n, _ := y.Dims()
	k := attractiveMoments(standardised(y), 0)
	var positive [][2]int
	for _, p := range pairs {
		if k.Data[p[0]*n+p[1]] > 0 {
			positive = append(positive, p)
		}
	}
	model := newAttractive(k)
	for {
		model.restrict(positive)
		if _, status := model.solve(ctx, pruneTolerance, pruneSweeps); status == method.Interrupted {
			return nil, context.Cause(ctx)
		}
		edges := model.partials()
		if len(edges) <= count {
			return graphOf(n, edges), nil
		}
		positive = heaviest(edges, max(count, int(pruneToKeeps*float64(len(edges)))))
	}
}

// pruneToKeeps is the share of the edges that a step keeps. Steps may be longer than
// those of the path that chooses a number of edges: it need not be met on the way.
const pruneToKeeps = 0.85

// Relearn keeps the contract of [method.Relearner]. It looks at the pairs of the largest
// correlations only, a few times as many as there are to be edges.
func (m GGL) Relearn(ctx context.Context, p method.Problem, edges int) (*graph.Graph, error) {
	f := laplacianFit{laplacianOptions: laplacianOptions(m), name: m.Name()}
	f.Folds = 0 // whether the common mode is removed has been decided
	y, err := f.withoutCommonMode(ctx, p.Y, max(p.Threads, 1))
	if err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	pairs := positivePairs(attractiveMoments(standardised(y), m.Penalty))
	return PruneTo(ctx, y, heaviest(pairs, min(len(pairs), relearnPairs*max(edges, n))), edges)
}

// relearnPairs is how many pairs for each edge, or vertex if these are more, Relearn looks at.
const relearnPairs = 4
