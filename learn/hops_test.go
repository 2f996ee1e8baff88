package learn_test

import (
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// 25 signals bring about as many numbers as there are pairs of 50 vertices, and
// one start finds two edges of three. Nothing may depend on weights being equal.
func TestFewSignalsProveTheirGraph(t *testing.T) {
	slow(t)
	model := learn.PaperModel()
	model.Sparsity = 8
	s := setting{
		graph:   synth.GraphSpec{Family: synth.FamilyER, Vertices: 50, Weights: synth.UniformWeights},
		signals: synth.SignalSpec{Count: 25, Sparsity: model.Sparsity}, model: model,
	}
	const graphs = 3
	proved := false
	for k := uint64(0); k < graphs && !proved; k++ {
		truth := s.draw(*seed + k)
		r := fit(t, truth.Signals, model, learn.Options{})
		if proved = r.Certified; proved && edgeF1(t, r, truth) < 1 {
			t.Errorf("graph %d: certified with F1 %.3f", k, edgeF1(t, r, truth))
		}
	}
	if !proved {
		t.Errorf("none of %d graphs proves itself", graphs)
	}
}
