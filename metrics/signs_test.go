package metrics

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
)

// An edge of the wrong sign is found; it counts as such, and in the error of the weights.
func TestWrongSignsAreCounted(t *testing.T) {
	of := func(weights ...float64) *graph.Graph {
		var edges []graph.Edge
		for k, w := range weights {
			edges = append(edges, graph.Edge{I: k, J: k + 1, Weight: w})
		}
		g, err := graph.New(graph.DefaultNames(5), edges)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	found, truth := of(1, -1, 1, 0), of(1, 1, 1, 1)
	wrong, err := WrongSigns(found, truth)
	if err != nil || wrong != 1 {
		t.Errorf("got %d, %v, want 1", wrong, err)
	}
	score, err := Edges(found, truth)
	if err != nil || score.Correct != 3 {
		t.Errorf("got %+v, %v, want 3 correct", score, err)
	}
	got, err := WeightError(found, truth)
	if want := math.Sqrt(1 - 1.0/12); err != nil || math.Abs(got-want) > 1e-12 { // the cosine is 1/√(3·4)
		t.Errorf("got the error %g, %v, want %g", got, err, want)
	}
	if wrong, err := WrongSigns(truth, truth); err != nil || wrong != 0 {
		t.Errorf("got %d, %v, want 0", wrong, err)
	}
}
