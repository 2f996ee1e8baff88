package baseline

import (
	"context"

	"github.com/nervure/nervure/method"
)

// Tree learns the tree of the most probable Gaussian tree model of the signals:
// the spanning tree with the largest sum of −log(1 − r_ij²), where r_ij is the
// correlation of two vertices ([chow1968]). It is also the one with the largest
// |r_ij|, whatever function of |r_ij| that rises is summed.
//
// The weight of an edge of the tree is |r_ij|. All other pairs follow, so that a
// cut that keeps more edges has some to keep: they are weighed by |r_ij| times a
// factor that brings them below the tree. The method's own cut keeps the tree.
//
// If ctx ends, a graph without edges comes with the cause: a tree on some of the
// pairs is not that on all.
type Tree struct{}

var treeEntry = registry.Add(method.Entry{
	Default: Tree{}, Source: "chow1968", About: "maximum spanning tree of the absolute correlations",
	MostVertices: mostVertices,
})

// Name returns "tree".
func (Tree) Name() string { return "tree" }

// Learn keeps the contract of [method.Method].
func (m Tree) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return treeEntry.Run(ctx, m, p, m.learn)
}

func (Tree) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return learnTrees(ctx, p, 1), nil
}
