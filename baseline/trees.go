package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
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
// From 2,000 vertices on, the pairs of no tree are only those of which one vertex is
// among the 32 most correlated with the other. The trees are found exactly, by blocks.
//
// If ctx ends, a graph without edges comes with the cause.
type Trees struct {
	Trees int `param:"trees" about:"number of trees; 0 means 2"`
}

var treesEntry = register(method.Entry{
	Default: Trees{}, Source: "zemel2004", MostVertices: mostByBlocks,
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
// factor that brings them below the tree. The method's own cut keeps the tree. From
// 2,000 vertices on, the other pairs are those of [Trees].
//
// If ctx ends, a graph without edges comes with the cause: a tree on some of the
// pairs is not that on all.
type Tree struct{}

var treeEntry = register(method.Entry{
	Default: Tree{}, Source: "chow1968", MostVertices: mostByBlocks, About: "maximum spanning tree of the absolute correlations",
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
	if n >= blocksFrom {
		return treesByBlocks(ctx, p, trees)
	}
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
	below := descent{ceiling: math.Inf(1)}
	lower := func(pairs []int, value func(e int) float64) { // writes a group
		group := make([]float64, len(pairs))
		for k, e := range pairs {
			group[k] = value(e)
		}
		below.lower(group)
		for k, e := range pairs {
			w[e] = group[k]
		}
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

// A descent brings groups of weights below each other.
type descent struct{ ceiling float64 }

// lower brings a group below the ceiling, by a common factor, and then the ceiling below the group.
func (d *descent) lower(group []float64) {
	heaviest, lightest := 0.0, math.Inf(1)
	for _, v := range group {
		heaviest = max(heaviest, v)
	}
	factor := min(1, d.ceiling/heaviest)
	for k, v := range group {
		if group[k] = max(factor*v, leastWeight); v == 0 {
			group[k] = leastWeight
		}
		lightest = min(lightest, group[k])
	}
	d.ceiling = min(d.ceiling, groupStep*lightest)
}

// weighed gives a group of edges these weights, brought below the ceiling.
func (d *descent) weighed(edges []graph.Edge, weights []float64) []graph.Edge {
	d.lower(weights)
	for k, w := range weights {
		edges[k].Weight = w
	}
	return edges
}

// treesByBlocks is learnTrees by the largest correlations of each vertex.
func treesByBlocks(ctx context.Context, p method.Problem, trees int) *method.Result {
	u := standardised(p.Y)
	n := u.Rows
	s := searchOf(p, u, keptPerVertex)
	s.Weigh = nearest.Absolute
	lists := s.All(ctx)
	if lists == nil {
		return interrupted(nil, n)
	}
	correlation := func(e graph.Edge) float64 {
		return min(max(portable.Dot(linalg.Row(u, e.I), linalg.Row(u, e.J))/float64(u.Cols), -1), 1)
	}
	used := map[[2]int]bool{}
	in := func(i, j int) bool { return used[[2]int{min(i, j), max(i, j)}] }
	var all []graph.Edge
	var first *rooted
	below := descent{ceiling: math.Inf(1)}
	for t := range trees {
		tree, ok := s.Forest(ctx, lists, in)
		if !ok {
			return interrupted(nil, n)
		}
		if len(tree) == 0 {
			break
		}
		group := make([]float64, len(tree))
		for k, e := range tree {
			used[[2]int{e.I, e.J}] = true
			group[k] = correlation(e)
		}
		if t == 0 {
			first = newRooted(n, tree, group)
		}
		for k, e := range tree {
			if t > 0 {
				group[k] -= first.along(e.I, e.J)
			}
			group[k] = math.Abs(group[k])
		}
		all = append(all, below.weighed(tree, group)...)
	}
	kept := len(all)
	rest := slices.DeleteFunc(nearest.Pairs(lists), func(e graph.Edge) bool { return in(e.I, e.J) })
	group := make([]float64, len(rest))
	for k, e := range rest {
		group[k] = min(e.Weight/float64(u.Cols), 1)
	}
	g := graphOf(n, append(all, below.weighed(rest, group)...))
	return &method.Result{Weights: g, Graph: g.Strongest(kept), Status: method.Converged}
}

// A rooted forest has for each vertex the way to the root of its tree.
type rooted struct {
	up    []int // the next vertex on the way, itself at a root
	depth []int
	r     []float64 // correlation with the next
}

// newRooted returns the forest of pairs with correlations r.
func newRooted(n int, pairs []graph.Edge, r []float64) *rooted {
	set := pairsOf(n, pairs)
	near := set.rows()
	f := &rooted{up: slices.Repeat([]int{-1}, n), depth: make([]int, n), r: make([]float64, n)}
	for root := range n {
		if f.up[root] >= 0 {
			continue
		}
		f.up[root] = root
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			for _, of := range near[at] {
				if f.up[of.vertex] < 0 {
					f.up[of.vertex], f.depth[of.vertex], f.r[of.vertex] = at, f.depth[at]+1, r[of.pair]
					queue = append(queue, of.vertex)
				}
			}
		}
	}
	return f
}

// along returns the product of correlations along the path from i to j, 0 if there is none.
func (f *rooted) along(i, j int) float64 {
	product := 1.0
	for i != j {
		if f.depth[i] < f.depth[j] {
			i, j = j, i
		}
		if f.depth[i] == 0 {
			return 0 // two roots
		}
		product *= f.r[i]
		i = f.up[i]
	}
	return product
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

// weighedTree returns the pairs of the spanning tree, in order, with their weights.
func weighedTree(n int, w []float64) []graph.Edge {
	in := map[int]bool{}
	for _, e := range spanningTree(n, w) {
		in[e] = true
	}
	var tree []graph.Edge
	eachPair(n, func(e, i, j int) {
		if in[e] {
			tree = append(tree, graph.Edge{I: i, J: j, Weight: w[e]})
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
