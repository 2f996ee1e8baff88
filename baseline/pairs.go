package baseline

import (
	"context"
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// Many methods work on a vector over all pairs i < j, ordered by (i, j).

// pairIndex returns the place of pair (i, j), i < j, among the pairs of n vertices.
func pairIndex(n, i, j int) int { return i*(2*n-i-1)/2 + j - i - 1 }

// eachPair calls f for every pair of n vertices with its place.
func eachPair(n int, f func(e, i, j int)) {
	e := 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			f(e, i, j)
			e++
		}
	}
}

// overPairs returns f of each pair. If ctx ends, the pairs not reached are 0 and
// the status says so.
func overPairs(ctx context.Context, n int, f func(i, j int) float64) ([]float64, method.Status) {
	values := make([]float64, n*(n-1)/2)
	e := 0
	for i := range n {
		if ctx.Err() != nil {
			return values, method.Interrupted
		}
		for j := i + 1; j < n; j++ {
			values[e] = f(i, j)
			e++
		}
	}
	return values, method.Converged
}

// fromPairs returns the graph of the positive entries of w.
func fromPairs(n int, w []float64) *graph.Graph {
	var edges []graph.Edge
	eachPair(n, func(e, i, j int) {
		if w[e] > 0 && !math.IsInf(w[e], 0) {
			edges = append(edges, graph.Edge{I: i, J: j, Weight: w[e]})
		}
	})
	return mustGraph(graph.DefaultNames(n), edges)
}

// mustGraph returns a graph of edges that are valid by construction.
func mustGraph(names []string, edges []graph.Edge) *graph.Graph {
	g, err := graph.New(names, edges)
	if err != nil {
		panic(err)
	}
	return g
}
