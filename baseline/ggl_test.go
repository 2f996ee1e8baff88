package baseline

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
)

// A Gaussian field on a grid shows the grid, and nothing is told about its edges.
func TestGGLFindsTheGridOfAField(t *testing.T) {
	r := learned(t, GGL{}, gridSignals(t, 6, 6, 1500))
	right := 0
	for _, e := range r.Graph.Edges() {
		if e.J == e.I+6 || e.J == e.I+1 && e.J%6 != 0 {
			right++
		}
	}
	if missed, wrong := 60-right, r.Graph.EdgeCount()-right; missed > 2 || wrong > 4 {
		t.Errorf("%d of 60 edges are missing, and %d are wrong", missed, wrong)
	}
	if r.Weights.EdgeCount() <= r.Graph.EdgeCount() {
		t.Errorf("%d edges before the cut, %d after", r.Weights.EdgeCount(), r.Graph.EdgeCount())
	}
}

func TestGGLFindsAChain(t *testing.T) {
	y := gridSignals(t, 1, 20, 800)
	r := learned(t, GGL{}, y)
	for _, e := range r.Graph.Edges() {
		if e.J != e.I+1 {
			t.Errorf("edge %d–%d is not in the chain", e.I, e.J)
		}
	}
	if r.Graph.EdgeCount() != 19 {
		t.Errorf("got %d edges, want 19", r.Graph.EdgeCount())
	}
}

// Noise predicts nothing, and a mode common to all vertices is no graph.
func TestGGLFindsNothingInNoise(t *testing.T) {
	for name, common := range map[string]float64{"white": 0, "one factor": 1} {
		draw := stream("noise " + name)
		y := mat.NewDense(30, 200, nil)
		for s := range 200 {
			mode := common * draw.NormFloat64()
			for i := range 30 {
				y.Set(i, s, draw.NormFloat64()+mode)
			}
		}
		r := learned(t, GGL{}, y)
		if r.Graph.EdgeCount() > 0 {
			t.Errorf("%s: got %d edges in noise", name, r.Graph.EdgeCount())
		}
		if kept := r.Method.(GGL).KeepCommonMode; kept != (common == 0) {
			t.Errorf("%s: common mode kept: %t", name, kept)
		}
	}
}

func TestGGLKeepsWhatIsAskedFor(t *testing.T) {
	y := gridSignals(t, 3, 4, 100)
	r, err := GGL{}.Learn(t.Context(), method.Problem{Y: y, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 9}})
	if err != nil || r.Graph.EdgeCount() != 9 {
		t.Errorf("got %v and %v, want 9 edges", r, err)
	}
	few := learned(t, GGL{}, gridSignals(t, 3, 4, 6))
	if few.Graph.EdgeCount() != few.Weights.EdgeCount() {
		t.Errorf("of 6 signals some were held out: %d of %d edges", few.Graph.EdgeCount(), few.Weights.EdgeCount())
	}
	refuses(t, GGL{Folds: 1}, method.Problem{Y: y}, "folds", "got 1, want 0 or 2 to 100, the number of signals")
}
