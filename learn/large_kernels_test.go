package learn_test

import (
	"math"
	"testing"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// Kernels that nobody told are found with a large graph, low-pass ones too.
func TestLargeGraphsAreFoundWithUnknownKernels(t *testing.T) {
	slow(t)
	truth := drawn(learn.DefaultLargeFrom+10, synth.SignalSpec{Count: 300, Sparsity: 3}, "heat:1", "highpass:2")
	r := fit(t, truth.Signals, learn.Model{Sparsity: 3}, learn.Options{})
	if f1 := edgeF1(t, r, truth); f1 < 0.98 || len(r.Model.Kernels) != 2 || r.Residual > 1e-3 {
		t.Errorf("edge F1 %.4f, residual %g with %v", f1, r.Residual, r.Model.Kernels)
	}
}

// Scales can be learned by the large recipe from the start.
func TestLargeEngineLearnsScales(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 60, 250, 3, *seed)
	o := always
	o.Kernels = learn.KernelsScaled
	r := fit(t, truth.Signals, learn.Model{Kernels: kernelsOf("heat:1.5", "highpass:1.4"), Sparsity: 3}, o)
	if f, err := metrics.EdgeF1(r.Graph, truth.Graph); err != nil || f < 0.99 {
		t.Errorf("edge F1 %.4f (%v)", f, err)
	}
	for s, k := range r.Model.Kernels {
		if want := model.Kernels[s].Scale(); math.Abs(math.Log(k.Scale()/want)) > 0.1 {
			t.Errorf("scale %g, want %g", k.Scale(), want)
		}
	}
}
