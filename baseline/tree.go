package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

const (
	methodTree  = "tree"
	methodTrees = "trees"
)

// defaultTrees is how many spanning trees the method of several has by default:
// the fewest that hold together when any one edge is taken away.
const defaultTrees = 2

// treeMethods lists the methods of this file.
func treeMethods() []Method {
	run := func(trees int) func(context.Context, Problem, Params) (*Result, error) {
		return func(ctx context.Context, p Problem, _ Params) (*Result, error) {
			return learnTrees(ctx, p.Y, TreeOptions{Trees: trees, Cut: p.Cut})
		}
	}
	return []Method{
		{
			Name: methodTree, Source: "chow1968", About: "the spanning tree of the largest absolute correlations",
			run: run(1),
		},
		{
			Name: methodTrees, Source: "zemel2004", About: "spanning trees of the largest absolute correlations without common edges, one after another",
			Params: []Param{{"trees", "how many; zero means 2"}},
			run: func(ctx context.Context, p Problem, params Params) (*Result, error) {
				if err := checkNumbers(methodTrees, params); err != nil {
					return nil, err
				}
				trees, err := wholeParam(methodTrees, "trees", params)
				if err != nil {
					return nil, err
				}
				if trees == 0 {
					trees = defaultTrees
				}
				r, err := run(trees)(ctx, p, nil)
				if r != nil {
					r.Params = Params{"trees": float64(trees)}
				}
				return r, err
			},
		},
	}
}

// TreeOptions are the options of [SpanningTrees].
type TreeOptions struct {
	Trees int       // how many; zero means 1
	Cut   graph.Cut // zero means the own cut
}

// SpanningTrees learns the tree of the most probable Gaussian tree model of the
// columns of y: the spanning tree with the largest sum of −log(1 − r_ij²), where r_ij
// is the correlation of two rows of y ([chow1968]). It is also the one with the largest
// |r_ij|, whatever function of |r_ij| that rises is summed. With more Trees, the next one
// is found among the pairs that the trees before have left, so that no edge is in
// two of them ([zemel2004]).
//
// The weight of an edge of the first tree is |r_ij|. All other pairs follow, so that
// a cut that keeps more edges has some to keep: pairs of later trees by
// |r_ij − r̂_ij|, where r̂_ij, the product of the correlations along the path in the
// first tree, is what that tree explains, and the pairs of no tree by |r_ij|. Each group
// is brought below the one before it by a common factor. The method's own cut keeps
// the trees.
//
// y is not modified. If ctx ends, a graph without edges comes with the cause: a
// tree on some of the pairs is not that on all.
func SpanningTrees(ctx context.Context, y *mat.Dense, o TreeOptions) (*Result, error) {
	if err := (Problem{Y: y, Cut: o.Cut}).check(methodTree, 2); err != nil {
		return nil, err
	}
	if err := checkNumbers(methodTree, Params{"trees": float64(o.Trees)}); err != nil {
		return nil, err
	}
	return learnTrees(ctx, y, o)
}

// learnTrees is SpanningTrees for signals already checked.
func learnTrees(ctx context.Context, y *mat.Dense, o TreeOptions) (*Result, error) {
	n, _ := y.Dims()
	r, cause := correlations(ctx, y)
	w := make([]float64, len(r))
	kept := 0
	if cause == nil {
		w, kept = layered(n, r, max(o.Trees, 1))
	}
	own := func(g *graph.Graph) *graph.Graph { return g.Strongest(kept) }
	return settle(n, w, o.Cut, own, nil, cause)
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
