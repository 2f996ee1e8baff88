package baseline

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
)

func TestRanksOfEqualPairsAreShared(t *testing.T) {
	g := mustGraph(graph.DefaultNames(4), []graph.Edge{{I: 0, J: 1, Weight: 3}, {I: 0, J: 2, Weight: 5}, {I: 2, J: 3, Weight: 3}})
	ranks := make([]float64, 6) // 01 02 03 12 13 23
	addRanks(ranks, g)
	if want := []float64{1.5, 0, 4, 4, 4, 1.5}; !slices.Equal(ranks, want) {
		t.Errorf("got %v, want %v", ranks, want)
	}
	if got, want := sharesAfter(ranks), []float64{3.5 / 6, 5.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6, 3.5 / 6}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestConsensusKeepsATreeAtLeast(t *testing.T) {
	if r := learned(t, Consensus{}, checks.Chain(1, 20, 400)); r.Graph.EdgeCount() < 19 {
		t.Errorf("%d edges", r.Graph.EdgeCount())
	}
}
