package baseline

import (
	"cmp"
	"context"
	"math"

	"github.com/nervure/nervure/internal/matrix"
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

var treesEntry = register(method.Entry{
	Default: Trees{}, Source: "zemel2004",
	About: "several edge-disjoint maximum spanning trees of the absolute correlations",
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

var treeEntry = register(method.Entry{
	Default: Tree{}, Source: "chow1968", About: "maximum spanning tree of the absolute correlations",
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

// learnTrees is the method of that many spanning trees; its own cut keeps the
// trees. If ctx ends there are no edges.
func learnTrees(ctx context.Context, p method.Problem, trees int) *method.Result {
	n, _ := p.Y.Dims()
	r, status := correlations(ctx, p.Y)
	w := make([]float64, len(r))
	kept := 0
	if status == method.Converged {
		w, kept = layered(n, r, trees)
	}
	g := fromPairs(n, w)
	return &method.Result{Weights: g, Graph: g.Strongest(kept), Status: status}
}

// layered returns the weights of all pairs and how many are in trees.
func layered(n int, r []float64, trees int) (w []float64, kept int) {
	left := make([]float64, len(r)) // |r| of the pairs in no tree yet, else 0
	for e, v := range r {
		left[e] = math.Abs(v)
	}
	w = make([]float64, len(r))
	ceiling := math.Inf(1)
	lower := func(pairs []int, value func(e int) float64) { // writes a group below the ceiling
		heaviest, lightest := 0.0, math.Inf(1)
		for _, e := range pairs {
			heaviest = max(heaviest, value(e))
		}
		factor := min(1, ceiling/heaviest)
		for _, e := range pairs {
			if w[e] = max(factor*value(e), leastWeight); value(e) == 0 {
				w[e] = leastWeight
			}
			lightest = min(lightest, w[e])
		}
		ceiling = min(ceiling, groupStep*lightest)
	}
	var explained []float64
	for t := range trees {
		tree := spanningTree(n, left)
		if len(tree) == 0 {
			break
		}
		if t == 0 {
			lower(tree, func(e int) float64 { return left[e] })
			explained = alongPaths(n, tree, r)
		} else {
			lower(tree, func(e int) float64 { return math.Abs(r[e] - explained[e]) })
		}
		for _, e := range tree {
			left[e] = 0
		}
		kept += len(tree)
	}
	rest := matrix.Where(left, func(_ int, v float64) bool { return v > 0 })
	lower(rest, func(e int) float64 { return left[e] })
	return w, kept
}

const (
	// groupStep is by how much a group of pairs stays below the one before it.
	groupStep = 0.99
	// leastWeight keeps an edge of a tree an edge, whatever its weight.
	leastWeight = 1e-12
)

// spanningTree returns the places of the pairs in the spanning tree, or forest, of
// the largest positive weights, found vertex by vertex (Prim).
func spanningTree(n int, w []float64) []int {
	var tree []int
	best, to, in := make([]float64, n), make([]int, n), make([]bool, n)
	for range n {
		next := -1
		for i := range n {
			if !in[i] && (next < 0 || best[i] > best[next]) {
				next = i
			}
		}
		in[next] = true
		if best[next] > 0 {
			tree = append(tree, pairIndex(n, min(next, to[next]), max(next, to[next])))
		}
		for i := range n {
			if !in[i] {
				if v := w[pairIndex(n, min(i, next), max(i, next))]; v > best[i] {
					best[i], to[i] = v, next
				}
			}
		}
	}
	return tree
}

// A weighedPair is a pair of vertices i < j and what it weighs.
type weighedPair struct {
	i, j   int
	weight float64
}

// weighedTree returns the pairs of the spanning tree, in order, with their weights.
func weighedTree(n int, w []float64) []weighedPair {
	in := map[int]bool{}
	for _, e := range spanningTree(n, w) {
		in[e] = true
	}
	var tree []weighedPair
	eachPair(n, func(e, i, j int) {
		if in[e] {
			tree = append(tree, weighedPair{i, j, w[e]})
		}
	})
	return tree
}

// alongPaths returns for every pair the product of r along its path in the forest, 0
// if there is none.
func alongPaths(n int, tree []int, r []float64) []float64 {
	type step struct {
		to int
		r  float64
	}
	near := make([][]step, n)
	in := make(map[int]bool, len(tree))
	for _, e := range tree {
		in[e] = true
	}
	eachPair(n, func(e, i, j int) {
		if in[e] {
			near[i], near[j] = append(near[i], step{j, r[e]}), append(near[j], step{i, r[e]})
		}
	})
	product := make([]float64, len(r))
	for root := range n {
		var walk func(at, from int, p float64)
		walk = func(at, from int, p float64) {
			if root < at {
				product[pairIndex(n, root, at)] = p
			}
			for _, s := range near[at] {
				if s.to != from {
					walk(s.to, at, p*s.r)
				}
			}
		}
		walk(root, -1, 1)
	}
	return product
}
