package learn_test

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// unevenTruth has weights of 1 to 1000, which have no gap.
func unevenTruth(seed uint64, noise float64) *synth.Truth {
	const n = 12
	r := rng.Stream(seed, "uneven")
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if j == i+1 || r.Float64() < 0.1 {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: math.Pow(1000, r.Float64())})
			}
		}
	}
	g := must(graph.New(graph.DefaultNames(n), edges))
	truth := must(synth.Signals(g, learn.PaperModel().Kernels, synth.SignalSpec{Count: 200, Sparsity: 4, Noise: noise, Seed: seed}))
	return truth
}

func TestWeightsOfManySizesAreFound(t *testing.T) {
	slow(t)
	for _, noise := range []float64{0, 1e-8} {
		const graphs = 3
		found := false
		for k := uint64(0); k < graphs && !found; k++ {
			truth := unevenTruth(*seed+k, noise)
			r := fit(t, truth.Signals, learn.PaperModel(), learn.Options{})
			edges := must(metrics.Edges(r.Graph, truth.Graph))
			if r.Certified && edges.F1() < 1 {
				t.Errorf("noise %g, graph %d: certified with F1 %.3f", noise, k, edges.F1())
			}
			found = edges.F1() == 1
		}
		if !found {
			t.Errorf("noise %g: none of %d graphs is found", noise, graphs)
		}
	}
}

// With few signals, weights of all pairs would explain the noise.
func TestFewNoisySignalsAreNotReopened(t *testing.T) {
	slow(t)
	model := learn.PaperModel()
	model.Sparsity = 3
	truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 12, Seed: 8}, model.Kernels, synth.SignalSpec{Count: 6, Sparsity: 3, Noise: 3e-4, Seed: 1}))
	edges := must(metrics.Edges(fit(t, truth.Signals, model, learn.Options{}).Graph, truth.Graph))
	if edges.F1() < 1 {
		t.Errorf("F1 %.3f", edges.F1())
	}
}
