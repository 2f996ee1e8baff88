package baseline

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
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

// squaredDistances returns z_e = ‖y_i − y_j‖² over the pairs.
func squaredDistances(y *mat.Dense) []float64 {
	n, _ := y.Dims()
	z := make([]float64, n*(n-1)/2)
	eachPair(n, func(e, i, j int) {
		d := floats.Distance(y.RawRowView(i), y.RawRowView(j), 2)
		z[e] = d * d
	})
	return z
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
