package learn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// offTruth has signals of scales that are 1 above those of the paper.
func offTruth(noise float64) *synth.Truth {
	truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 24, Seed: *seed},
		model3("heat:3", "highpass:2").Kernels, synth.SignalSpec{Count: 150, Sparsity: 3, Noise: noise, Seed: *seed}))
	return truth
}

func TestWrongScalesAreToldAndEdgesAreThoseOfRightOnes(t *testing.T) {
	slow(t)
	truth := offTruth(0)
	wrong := model3("heat:2", "highpass:1")
	r := fit(t, truth.Signals, wrong, learn.Options{})
	if !slices.Equal(pairs(r.Graph), pairs(truth.Graph)) {
		t.Errorf("%d edges, want the %d true ones", r.Graph.EdgeCount(), truth.Graph.EdgeCount())
	}
	if len(r.FittingKernels) != 2 || math.Abs(r.FittingKernels[0].Scale()-3) > 1e-4 || math.Abs(r.FittingKernels[1].Scale()-2) > 1e-4 {
		t.Fatalf("kernels that fit are %v, want heat:3 and highpass:2", kernel.Names(r.FittingKernels))
	}
	if len(r.Warnings) == 0 {
		t.Error("nothing is said of the kernels")
	}
	if !slices.Equal(kernel.Names(r.Model.Kernels), kernel.Names(wrong.Kernels)) || r.Certified {
		t.Errorf("kernels %v, certified: %v; codes are to be of the kernels given, which prove nothing", kernel.Names(r.Model.Kernels), r.Certified)
	}
	left, energy, err := r.Residuals(truth.Signals, truth.Signals, 1)
	if err != nil {
		t.Fatal(err)
	}
	if share := floats.Sum(left) / floats.Sum(energy); r.Residual < 1e-4 || r.Residual > 2*share || share > 2*r.Residual {
		t.Errorf("codes of the kernels given leave %g of the energy, but the result says %g", share, r.Residual)
	}
	half := must(r.LearnHalf(t.Context(), truth.Signals, 1))
	if !slices.Equal(pairs(half), pairs(truth.Graph)) {
		t.Errorf("halves have %d edges, want the %d true ones, as kernels that fit find them", half.EdgeCount(), truth.Graph.EdgeCount())
	}
}

func TestRightKernelsAndEdgesAskedForStay(t *testing.T) {
	slow(t)
	right := model3("heat:3", "highpass:2")
	if r := fit(t, offTruth(0.1).Signals, right, learn.Options{}); r.FittingKernels != nil {
		t.Errorf("kernels are right, but %v are said to fit better", kernel.Names(r.FittingKernels))
	}
	wrong := model3("heat:2", "highpass:1")
	cut := graph.Cut{Rule: graph.CutEdges, Edges: 20}
	if r := fit(t, offTruth(0).Signals, wrong, learn.Options{Cut: cut}); r.FittingKernels != nil || r.Graph.EdgeCount() != 20 {
		t.Errorf("%d edges and other kernels %v, want the 20 edges asked for", r.Graph.EdgeCount(), kernel.Names(r.FittingKernels))
	}
}

// Weights of all pairs make up for wrong scales, and noise hides what they do not make up for.
func TestScalesAreFoundAmidNoise(t *testing.T) {
	slow(t)
	truth := offTruth(0.05)
	r := fit(t, truth.Signals, learn.Model{Sparsity: 3}, learn.Options{})
	low, high := r.Model.Kernels[0].Scale(), r.Model.Kernels[1].Scale()
	if f1 := edgeF1(t, r, truth); f1 < 0.97 || math.Abs(low-3) > 0.3 || math.Abs(high-2) > 0.3 || r.FittingKernels != nil {
		t.Errorf("F1 %.3f with heat:%.2f and highpass:%.2f, want 1 with heat:3 and highpass:2", f1, low, high)
	}
}
