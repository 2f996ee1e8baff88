package synth

import (
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

func TestErdosRenyiEdgesFollowTheBinomialLaw(t *testing.T) {
	const n, graphs = 30, 50
	for _, p := range []float64{0.1, 0.3, 0.9} {
		edges := 0
		for trial := range graphs {
			edges += must(t)(erdosRenyi(n, p, rng.Stream(*seed, "er", trial))).Graph.EdgeCount()
		}
		checkCount(t, "edges", edges, graphs*n*(n-1)/2, p)
	}
}

// A sparse graph loses a share (1 − p)^(n−1) of its vertices.
func TestErdosRenyiStripsIsolatedVertices(t *testing.T) {
	const n, graphs, p = 50, 100, 0.02
	lost := make([]float64, graphs)
	for trial := range lost {
		g := must(t)(erdosRenyi(n, p, rng.Stream(*seed, "isolated", trial))).Graph
		lost[trial] = float64(n - g.Vertices())
		if len(g.Isolated()) > 0 || g.Names()[g.Vertices()-1] != graph.DefaultNames(g.Vertices())[g.Vertices()-1] {
			t.Fatalf("isolated vertices %v, names %v", g.Isolated(), g.Names())
		}
	}
	const stays = 1 - p
	share := 1.0
	for range n - 1 {
		share *= stays
	}
	checkMean(t, "vertices stripped", lost, n*share)
}
