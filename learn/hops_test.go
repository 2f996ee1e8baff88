package learn_test

import (
	"fmt"
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// 25 signals bring about as many numbers as there are pairs of 50 vertices, and
// one start finds two edges of three. Nothing may depend on weights being equal.
func TestFewSignalsProveTheirGraph(t *testing.T) {
	slow(t)
	model := learn.PaperModel()
	model.Sparsity = 8
	for _, weights := range []synth.Weighting{synth.BinaryWeights, synth.UniformWeights} {
		t.Run(string(weights), func(t *testing.T) {
			const graphs = 3
			proved := 0
			for k := range uint64(graphs) {
				s := setting{
					fmt.Sprint(k),
					synth.GraphSpec{Family: synth.FamilyER, Vertices: 50, Weights: weights},
					synth.SignalSpec{Count: 25, Sparsity: model.Sparsity},
					model,
				}
				truth := s.draw(t, *seed+k)
				r := fit(t, truth.Signals, model, learn.Options{})
				edges, err := metrics.Edges(r.Graph, truth.Graph)
				if err != nil {
					t.Fatal(err)
				}
				if r.Certified && edges.F1() < 1 {
					t.Errorf("graph %d: certified with F1 %.3f", k, edges.F1())
				}
				if r.Certified {
					proved++
				}
			}
			if 2*proved < graphs {
				t.Errorf("%d of %d graphs prove themselves", proved, graphs)
			}
		})
	}
}
