package learn_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// robustRows lists what BenchmarkRobust measures.
func robustRows() []row {
	var rows []row
	add := func(group, name string, h hardship) {
		rows = append(rows, row{group: group, name: name, try: h.try})
	}
	for _, noise := range []float64{0.05, 0.1, 0.2} {
		add("noise", fmt.Sprintf("noise=%g", noise), hardship{noise: noise})
	}
	for _, noise := range []float64{0, 0.1} {
		for _, given := range []int{4, 3, 5} {
			add("atoms-given", fmt.Sprintf("given=%d/noise=%g", given, noise), hardship{noise: noise, told: told{kernels: paperKernels, sparsity: given}})
		}
	}
	for _, noise := range []float64{0, 0.1} {
		for _, atoms := range []int{2, 3, 4, 6} {
			add("atoms-chosen", fmt.Sprintf("t0=%d/noise=%g", atoms, noise), hardship{noise: noise, sparsity: atoms})
		}
	}
	elsewhere := []string{"heat:1", "highpass:2"}
	for _, noise := range []float64{0, 0.1} {
		add("kernels", fmt.Sprintf("scales/noise=%g", noise), hardship{noise: noise, told: told{kernels: elsewhere, learning: learn.KernelsScaled}})
		add("kernels", fmt.Sprintf("auto/noise=%g", noise), hardship{noise: noise, kernels: elsewhere})
		add("kernels", fmt.Sprintf("free/noise=%g", noise), hardship{noise: noise, told: told{learning: learn.KernelsFree}})
		rows[len(rows)-1].fewer = 10
	}
	for _, lost := range []float64{0.1, 0.3} {
		add("missing", fmt.Sprintf("lost=%g", lost), hardship{lost: lost})
	}
	for _, l := range []struct {
		name   string
		h      hardship
		graphs int
	}{
		{"n=500/noise=0.1", hardship{vertices: 500, noise: 0.1}, 5},
		{"n=500/noise=0.2", hardship{vertices: 500, noise: 0.2}, 5},
		{"n=2000/noise=0.1", hardship{vertices: 2000, noise: 0.1}, 2},
		{"n=2000/noise=0.2", hardship{vertices: 2000, noise: 0.2}, 2},
		{"n=500/lowpass", hardship{vertices: 500, kernels: []string{"heat:2", "heat:1"}}, 5},
		{"n=1000/lowpass", hardship{vertices: 1000, kernels: []string{"heat:2", "heat:1"}}, 3},
		{"n=500/kernels", hardship{vertices: 500, kernels: elsewhere}, 5},
		{"n=1000/kernels", hardship{vertices: 1000, kernels: elsewhere}, 3},
		{"n=500/lost=0.1", hardship{vertices: 500, lost: 0.1}, 5},
		{"n=1000/lost=0.1", hardship{vertices: 1000, lost: 0.1}, 3},
	} {
		l.h.signals = 2000
		add("large", l.name, l.h)
		rows[len(rows)-1].fewer = l.graphs
	}
	for _, h := range []hardship{{noise: 0.1, signals: 100}, {noise: 0.1, signals: 400}, {noise: 0.4, signals: 400}} {
		h.confidence = true
		add("confidence", fmt.Sprintf("noise=%g/m=%d", h.noise, h.signals), h)
		rows[len(rows)-1].fewer = 6
	}
	rows = append(rows, row{group: "structure", name: "pure-noise", try: pureNoise, more: 5})
	for _, h := range []hardship{{noise: 0.2}, {noise: 0.5}, {noise: 0.2, signals: 100}} {
		name := fmt.Sprintf("noise=%g/m=%d", h.noise, cmp.Or(h.signals, robustSignals))
		rows = append(rows, row{group: "structure", name: name, try: h.seen})
	}
	return rows
}

// A hardship is how signals come about, and what the learner is told. Only the
// scores see the truth.
type hardship struct {
	vertices int      // N; zero means 50
	kernels  []string // the true ones; nil means heat:2 and highpass:1
	sparsity int      // the true T₀; zero means 4
	signals  int      // M; zero means 400
	noise    float64  // as of synth.SignalSpec
	lost     float64  // share of the entries that are missing

	told       told
	confidence bool // is asked for too
}

// told is what the learner is told; zero is nothing.
type told struct {
	kernels  []string
	sparsity int
	learning learn.KernelLearning
}

const robustVertices, robustSignals = 50, 400

var paperKernels = []string{"heat:2", "highpass:1"}

// truth draws a graph with some three edges a vertex, and signals on it.
func (h hardship) truth(seed uint64) (*synth.Truth, error) {
	specs := h.kernels
	if specs == nil {
		specs = paperKernels
	}
	kernels, err := taylor(specs)
	if err != nil {
		return nil, err
	}
	return synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: cmp.Or(h.vertices, robustVertices), Seed: seed}, kernels,
		synth.SignalSpec{Count: cmp.Or(h.signals, robustSignals), Sparsity: h.trueAtoms(), Noise: h.noise, Seed: seed})
}

// taylor returns kernels as the Taylor polynomials of degree 15 that the paper has.
func taylor(specs []string) ([]kernel.Kernel, error) {
	var kernels []kernel.Kernel
	for _, spec := range specs {
		k, err := kernel.Parse(spec, 15, kernel.Taylor)
		if err != nil {
			return nil, err
		}
		kernels = append(kernels, k)
	}
	return kernels, nil
}

func (h hardship) trueAtoms() int { return cmp.Or(h.sparsity, 4) }

// try learns a graph and scores it.
func (h hardship) try(b *testing.B, seed uint64) (figures, error) {
	truth, err := h.truth(seed)
	if err != nil {
		return nil, err
	}
	y := truth.Signals
	if h.lost > 0 {
		y = losing(y, h.lost, seed)
	}
	model := learn.Model{Sparsity: h.told.sparsity}
	if model.Kernels, err = taylor(h.told.kernels); err != nil {
		return nil, err
	}
	r, err := learn.Fit(b.Context(), y, model, learn.Options{Kernels: h.told.learning, Seed: seed})
	if err != nil {
		return nil, fmt.Errorf("seed %d: %w", seed, err)
	}
	f1, err := metrics.EdgeF1(r.Graph, truth.Graph)
	if err != nil {
		return nil, err
	}
	f := figures{
		"F1": f1, "worstF1": f1, "certified": indicator(r.Certified), "noise": r.Noise,
		"atoms-right": indicator(r.Model.Sparsity == h.trueAtoms()), "most-tau-off": scaleOff(r, truth),
	}
	if h.confidence {
		sure, err := surety(b, y, r, truth.Graph)
		if err != nil {
			return nil, err
		}
		maps.Copy(f, sure)
	}
	return f, nil
}

func indicator(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// scaleOff is the largest relative error of the kernels' scales. Kernels of other
// families than the true ones are all wrong.
func scaleOff(r *learn.Result, truth *synth.Truth) float64 {
	if len(r.Model.Kernels) != len(truth.Kernels) {
		return 1
	}
	off := 0.0
	for k, want := range truth.Kernels {
		got := r.Model.Kernels[k]
		if got.Family() != want.Family() {
			return 1
		}
		off = max(off, math.Abs(got.Scale()/want.Scale()-1))
	}
	return off
}

// sure is the confidence from which on an edge is believed.
const sure = 0.9

// surety counts the edges that are believed, those of them that are true, and all
// true ones.
func surety(b *testing.B, y *mat.Dense, r *learn.Result, truth *graph.Graph) (figures, error) {
	c, err := assess.Stability(b.Context(), y, &method.Result{Graph: r.Graph, Weights: r.Weights, Own: r}, assess.StabilityOptions{Seed: r.Options.Seed})
	if err != nil {
		return nil, err
	}
	right, isTrue := 0, pairs(truth)
	for k, p := range pairs(c.Graph) {
		if c.Graph.Confidence()[k] >= sure && slices.Contains(isTrue, p) {
			right++
		}
	}
	return figures{"sure": float64(c.AtLeast(sure)), "sure-true": float64(right), "true": float64(truth.EdgeCount())}, nil
}

// seen reports whether the tool sees that there is a graph.
func (h hardship) seen(b *testing.B, seed uint64) (figures, error) {
	truth, err := h.truth(seed)
	if err != nil {
		return nil, err
	}
	return structure(b, truth.Signals, seed)
}

// pureNoise reports whether the tool sees a graph where there is none.
func pureNoise(b *testing.B, seed uint64) (figures, error) {
	normal := rng.Stream(seed, "no graph")
	y := mat.NewDense(robustVertices, robustSignals, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return normal.NormFloat64() }, y)
	return structure(b, y, seed)
}

func structure(b *testing.B, y *mat.Dense, seed uint64) (figures, error) {
	r, err := learn.Fit(b.Context(), y, learn.Model{}, learn.Options{Seed: seed})
	if err != nil {
		return nil, err
	}
	f, err := assess.TestStructure(b.Context(), y, r, assess.StructureOptions{Seed: seed})
	if err != nil {
		return nil, err
	}
	return figures{"structure": indicator(f.Structure)}, nil
}
