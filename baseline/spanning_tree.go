package baseline

import (
	"context"
	"math"

	"github.com/nervure/nervure/method"
)

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
	var rest []int
	for e, v := range left {
		if v > 0 {
			rest = append(rest, e)
		}
	}
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
