package assess

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
)

// correlated signals say which pairs of vertices are close to each other.
type correlated interface {
	// at returns the correlation of the vertices of an edge.
	at(i, j int) float64
	// tree returns the spanning tree of the largest correlations.
	tree() map[[2]int]bool
	// candidates returns the pairs among which halves look for edges, in order.
	candidates(weights, g *graph.Graph, level int) [][2]int
}

// allPairs has the correlations of all pairs.
type allPairs struct {
	correlation linalg.Dense
	signed      bool // those of either sign are alike
}

func (p allPairs) at(i, j int) float64 { return p.correlation.Data[i*p.correlation.Cols+j] }

func (p allPairs) tree() map[[2]int]bool { return correlationTree(p.sizes()) }

func (p allPairs) candidates(weights, g *graph.Graph, level int) [][2]int {
	return candidates(p.sizes(), weights, g, level)
}

// sizes returns the correlations, those of a signed graph without their signs.
func (p allPairs) sizes() linalg.Dense {
	if !p.signed {
		return p.correlation
	}
	sizes := linalg.NewDense(p.correlation.Rows, p.correlation.Cols)
	for k, c := range p.correlation.Data {
		sizes.Data[k] = math.Abs(c)
	}
	return sizes
}

// correlationTree returns the spanning tree of the largest correlations, by Prim's
// algorithm.
func correlationTree(correlation linalg.Dense) map[[2]int]bool {
	n := correlation.Rows
	in, nearest, tree := make([]bool, n), make([]int, n), make(map[[2]int]bool, n)
	to := func(v int) float64 { return correlation.Data[nearest[v]*n+v] }
	in[0] = true
	for range n - 1 {
		next := -1
		for v := range n {
			if !in[v] && (next < 0 || to(v) > to(next)) {
				next = v
			}
		}
		tree[[2]int{min(next, nearest[next]), max(next, nearest[next])}] = true
		in[next] = true
		for v := range n {
			if !in[v] && correlation.Data[next*n+v] > to(v) {
				nearest[v] = next
			}
		}
	}
	return tree
}

// correlations returns those of the rows of y, 0 where a row does not vary.
func correlations(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	z := unitsOf(y).standardised(y)
	c := linalg.NewDense(n, n)
	linalg.MulTransB(c, z, z)
	for k := range c.Data {
		c.Data[k] /= float64(m)
	}
	return c
}

// candidates returns the pairs among which halves look for edges, in order: those of
// g, and as many as twice level from the largest weights and level from the largest
// correlations. To look at all pairs would take as long as learning again.
func candidates(correlation linalg.Dense, weights, g *graph.Graph, level int) [][2]int {
	n := correlation.Rows
	var strong []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if c := correlation.Data[i*n+j]; c > 0 {
				strong = append(strong, graph.Edge{I: i, J: j, Weight: c})
			}
		}
	}
	slices.SortStableFunc(strong, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	pairs := slices.Concat(g.Pairs(), weights.Strongest(2*level).Pairs())
	for _, e := range strong[:min(level, len(strong))] {
		pairs = append(pairs, [2]int{e.I, e.J})
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return slices.Compact(pairs)
}
