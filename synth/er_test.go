package synth

import (
	"strings"
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

func TestErdosRenyiOfProbabilityOneIsComplete(t *testing.T) {
	g := must(t)(erdosRenyi(7, 1, rng.Stream(*seed, "er"))).Graph
	if g.Vertices() != 7 || g.EdgeCount() != 21 {
		t.Errorf("%d vertices, %d edges", g.Vertices(), g.EdgeCount())
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

func TestErdosRenyiRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		n    int
		p    float64
		want string
	}{
		"one vertex":             {1, 0.5, "synth.Graph: vertices: got 1, want at least 2"},
		"a probability above 1":  {5, 1.3, "synth.Graph: probability: got 1.3, want a number in [0, 1]"},
		"a negative probability": {5, -0.1, "synth.Graph: probability: got -0.1, want a number in [0, 1]"},
		"a graph without edges":  {5, 0, "synth.Graph: no vertices left: none of the 5 has an edge"},
	} {
		if _, err := erdosRenyi(c.n, c.p, rng.Stream(*seed, "er")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
