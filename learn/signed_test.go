package learn

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// Kernels need weights from 0 up: a signed graph is no prior, no start, and nothing to code signals on.
func TestSignedGraphsAreRefused(t *testing.T) {
	g, err := graph.New(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 1, Weight: -1}, {I: 1, J: 2, Weight: -2}})
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(3, 4, []float64{1, 2, 3, 4, 2, 1, 0, 1, 3, 1, 2, 2})
	const want = ": it has 2 edges of negative weight, and this model needs weights from 0 up"
	_, prior := Fit(t.Context(), y, PaperModel(), Options{Prior: g})
	_, start := Fit(t.Context(), y, PaperModel(), Options{Init: g})
	_, _, coded := Encode(g, Model{Kernels: PaperModel().Kernels, Sparsity: 1}, y, 1)
	for what, err := range map[string]error{"prior": prior, "init": start, "graph": coded} {
		if err == nil || !strings.Contains(err.Error(), what+want) {
			t.Errorf("%s: got %v", what, err)
		}
	}
}
