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
	for _, specs := range [][]string{{"heat:1", "highpass:2"}, {"heat:1", "heat:3"}} {
		truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 310, Seed: *seed}, kernelsOf(t, specs...),
			synth.SignalSpec{Count: 600, Sparsity: 4, Seed: *seed})
		if err != nil {
			t.Fatal(err)
		}
		r := fit(t, truth.Signals, learn.Model{}, learn.Options{Threads: 2})
		if f, err := metrics.EdgeF1(r.Graph, truth.Graph); err != nil || f < 0.98 {
			t.Errorf("%v: edge F1 %.4f (%v)", specs, f, err)
		}
		if len(r.Model.Kernels) != 2 || r.Residual > 1e-3 {
			t.Errorf("%v: residual %g with %v", specs, r.Residual, r.Model.Kernels)
		}
	}
}

// Kernels that explain the signals up to noise stay what they are.
func TestLargeGraphsKeepKernelsThatAreRight(t *testing.T) {
	slow(t)
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 310, Seed: *seed}, learn.PaperModel().Kernels,
		synth.SignalSpec{Count: 500, Sparsity: 4, Noise: 0.2, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	r := fit(t, truth.Signals, learn.Model{}, learn.Options{Threads: 2})
	for s, k := range learn.PaperModel().Kernels {
		if r.Model.Kernels[s].Name != k.Name {
			t.Errorf("kernel %s became %s", k.Name, r.Model.Kernels[s].Name)
		}
	}
}

// Scales can be learned by the large recipe from the start.
func TestLargeEngineLearnsScales(t *testing.T) {
	slow(t)
	truth, model := largeTruth(t, synth.FamilyER, 100, 300, 3, *seed)
	o := always
	o.Kernels = learn.KernelsScaled
	r := fit(t, truth.Signals, learn.Model{Kernels: kernelsOf(t, "heat:1.5", "highpass:1.4"), Sparsity: 3}, o)
	if f, err := metrics.EdgeF1(r.Graph, truth.Graph); err != nil || f < 0.99 {
		t.Errorf("edge F1 %.4f (%v)", f, err)
	}
	for s, k := range r.Model.Kernels {
		if want := model.Kernels[s].Scale(); math.Abs(math.Log(k.Scale()/want)) > 0.1 {
			t.Errorf("scale %g, want %g", k.Scale(), want)
		}
	}
}
