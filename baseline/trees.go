package baseline

import (
	"cmp"
	"context"

	"github.com/nervure/nervure/method"
)

// Trees learns several spanning trees, one after another: the first is that of
// [Tree], the next one is found among the pairs that the trees before have left,
// so that no edge is in two of them ([zemel2004]).
//
// The weight of an edge of the first tree is |r_ij|. Pairs of later trees follow by
// |r_ij − r̂_ij|, where r̂_ij, the product of the correlations along the path in the
// first tree, is what that tree explains, and then the pairs of no tree by |r_ij|.
// Each group is brought below the one before it by a common factor. The method's own
// cut keeps the trees.
//
// If ctx ends, a graph without edges comes with the cause.
type Trees struct {
	Trees int `param:"trees" about:"number of trees; 0 means 2"`
}

var treesEntry = registry.Add(method.Entry{
	Default: Trees{}, Source: "zemel2004",
	About:        "several edge-disjoint maximum spanning trees of the absolute correlations",
	MostVertices: mostVertices,
})

// defaultTrees is how many spanning trees there are by default: the fewest that
// hold together when any one edge is taken away.
const defaultTrees = 2

// Name returns "trees".
func (Trees) Name() string { return "trees" }

// Learn keeps the contract of [method.Method].
func (m Trees) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return treesEntry.Run(ctx, m, p, m.learn)
}

func (m Trees) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Trees = cmp.Or(m.Trees, defaultTrees)
	r := learnTrees(ctx, p, m.Trees)
	r.Method = m
	return r, nil
}
