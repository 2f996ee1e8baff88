package fitting

import (
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
)

// randomGraph returns a graph of n vertices, the last of them isolated.
func randomGraph(r *rand.Rand, n int) *graph.Graph {
	var edges []graph.Edge
	for i := range n - 1 {
		for j := i + 1; j < n-1; j++ {
			if j == i+1 || r.Float64() < 0.4 {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 0.2 + r.Float64()})
			}
		}
	}
	return MustGraph(n, edges)
}
