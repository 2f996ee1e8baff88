package learn_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// whiteNoise returns signals that no graph is behind.
func whiteNoise(n, m int, seed uint64) *mat.Dense {
	r := rng.Stream(seed, "white noise")
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	return y
}

// Where noise hides the gap, the edges of a large graph are those that are no noise.
func TestLargeGraphsAreFoundInNoise(t *testing.T) {
	slow(t)
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 400, Seed: *seed}, learn.PaperModel().Kernels,
		synth.SignalSpec{Count: 800, Sparsity: 4, Noise: 0.2, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	r := fit(t, truth.Signals, learn.Model{}, learn.Options{Threads: 2})
	if f, err := metrics.EdgeF1(r.Graph, truth.Graph); err != nil || f < 0.99 {
		t.Errorf("edge F1 %.4f (%v)", f, err)
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
	const n = 400
	r := fit(t, whiteNoise(n, 600, *seed), learn.Model{}, learn.Options{Threads: 2})
	if edges := r.Graph.EdgeCount(); edges > n/20 {
		t.Errorf("%d edges in noise", edges)
	}
}
