package learn_test

import (
	"math"
	"testing"

	"github.com/nervure/nervure/learn"
)

// Where noise hides the gap, the edges of a large graph are those that are no noise.
func TestLargeGraphsAreFoundInNoise(t *testing.T) {
	slow(t)
	truth := planted(t, learn.DefaultLargeFrom+10, 600, 0.2, *seed)
	r := fit(t, truth.Signals, learn.Model{Sparsity: 4}, learn.Options{})
	if f := f1(t, r, truth.Graph); f < 0.99 {
		t.Errorf("edge F1 %.4f", f)
	}
	for s, k := range learn.PaperModel().Kernels { // which explain the signals up to noise
		if r.Model.Kernels[s].Name != k.Name {
			t.Errorf("kernel %s became %s", k.Name, r.Model.Kernels[s].Name)
		}
	}
	if math.Abs(r.Noise-0.2) > 0.01 {
		t.Errorf("noise %g", r.Noise)
	}
	if len(r.Path) != 2 || r.Path[1].Edges != r.Graph.EdgeCount() || r.Path[0].Edges <= r.Path[1].Edges {
		t.Errorf("path %+v", r.Path)
	}
}

func TestNoiseGivesLargeGraphsHardlyAnEdge(t *testing.T) {
	slow(t)
	const n = learn.DefaultLargeFrom + 10
	r := fit(t, noise("white noise", n, 400), learn.Model{Sparsity: 4}, learn.Options{})
	if edges := r.Graph.EdgeCount(); edges > n/20 {
		t.Errorf("%d edges in noise", edges)
	}
}
