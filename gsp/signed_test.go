package gsp

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// What needs weights from 0 up says so in one sentence.
func TestSignedGraphsAreRefused(t *testing.T) {
	g, err := graph.New(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 1, Weight: -1}, {I: 1, J: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(g, Normalized)
	if got, want := input.Sentence(err), "graph: it has an edge of negative weight, and frequencies on a graph need weights from 0 up"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	plain, err := graph.New(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Combine(t.Context(), []*graph.Graph{plain, g}, mat.NewDense(3, 1, []float64{1, 2, 3}), CombineOptions{})
	if got, want := input.Sentence(err), "graph 2: it has an edge of negative weight, and mixtures of graphs need weights from 0 up"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
