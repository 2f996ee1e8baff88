package dense

import (
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn/internal/fitting"
)

// A search is given up after the first round that leaves more than three times what its rival left
// after as many, but for the very first; the last of the rival stands for those it did not need.
// Where rounds are slow and noise is what the rival left, the very first is enough, and the best of the rival is what
// counts.
func TestSearchIsGivenUpFarBehindItsRival(t *testing.T) {
	rival := &outcome{left: []float64{0.1, 0.01}, best: candidate{residual: 0.01}}
	noisy := &outcome{left: rival.left, best: rival.best, noise: true}
	few, many := slowVertices-1, slowVertices
	for name, c := range map[string]struct {
		vertices int
		rival    *outcome
		left     []float64
		want     bool
	}{
		"no rival":                     {few, nil, []float64{1, 1, 1}, false},
		"far behind at first":          {few, rival, []float64{1}, false},
		"within three times":           {few, rival, []float64{1, 0.029}, false},
		"far behind":                   {few, rival, []float64{0.1, 0.031}, true},
		"far behind its last":          {few, rival, []float64{0.1, 0.02, 0.031}, true},
		"keeps up with its last round": {few, rival, []float64{0.1, 0.02, 0.02}, false},
		"slow, no rival":               {many, nil, []float64{1}, false},
		"slow, within three times":     {many, noisy, []float64{0.029}, false},
		"slow, far behind at first":    {many, noisy, []float64{0.031}, true},
		"slow, but no noise, at first": {many, rival, []float64{1}, false},
		"slow, but no noise":           {many, rival, []float64{0.1, 0.031}, true},
	} {
		a, found, behind := &attempt{rival: c.rival, fit: &fitting.DenseFit{N: c.vertices}}, outcome{}, false
		for _, residual := range c.left {
			behind = a.isFarBehind(&found, residual)
		}
		if behind != c.want {
			t.Errorf("%s: given up: %v, want %v", name, behind, c.want)
		}
	}
}

// Kernels that move go on while they explain the signals better than those of the rival.
func TestMovingKernelsGoOnWhileTheyGain(t *testing.T) {
	moving := &fitting.DenseKernelMover{}
	rival := &outcome{best: candidate{residual: 0.1}}
	for name, c := range map[string]struct {
		a        attempt
		residual float64
		want     bool
	}{
		"kernels stay":       {attempt{}, 0.05, true},
		"no rival":           {attempt{kernels: moving}, 0.2, false},
		"better than rival":  {attempt{kernels: moving, rival: rival}, 0.09, false},
		"no better than one": {attempt{kernels: moving, rival: rival}, 0.099, true},
	} {
		if got := c.a.isDone(c.residual); got != c.want {
			t.Errorf("%s: done: %v, want %v", name, got, c.want)
		}
	}
}

func TestSameEdgesWhateverTheirWeights(t *testing.T) {
	of := func(edges ...graph.Edge) *graph.Graph {
		g, err := graph.New(graph.DefaultNames(4), edges)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	a := of(graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 2, Weight: 1})
	if !sameEdges(a, of(graph.Edge{I: 0, J: 1, Weight: 2}, graph.Edge{I: 1, J: 2, Weight: 3})) {
		t.Error("other weights make other edges")
	}
	if sameEdges(a, of(graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 3, Weight: 1})) || sameEdges(a, of(graph.Edge{I: 0, J: 1, Weight: 1})) {
		t.Error("other edges are the same")
	}
}

// Where rounds are slow, a search that keeps the edges of its rival needs no second round to say so.
func TestSlowSearchesBeginWithTheEdgesOfTheirRival(t *testing.T) {
	g, err := graph.New(graph.DefaultNames(4), []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 0.9}, {I: 2, J: 3, Weight: 0.8}, {I: 0, J: 3, Weight: 1e-6}})
	if err != nil {
		t.Fatal(err)
	}
	rival := &outcome{best: candidate{weights: g}}
	for name, c := range map[string]struct {
		vertices int
		rival    *outcome
		want     int // edges
	}{
		"quick":          {slowVertices - 1, rival, 0},
		"slow":           {slowVertices, rival, 3},
		"slow, no rival": {slowVertices, nil, 0},
	} {
		a, got := &attempt{rival: c.rival, fit: &fitting.DenseFit{N: c.vertices}}, 0
		if edges := a.rivalEdges(); edges != nil {
			got = edges.EdgeCount()
		}
		if got != c.want {
			t.Errorf("%s: %d edges, want %d", name, got, c.want)
		}
	}
}
