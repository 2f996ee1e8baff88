package learn_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// always takes the engine of large graphs.
var always = learn.Options{LargeFrom: 2}

func largeTruth(family synth.Family, n, m, sparsity int, seed uint64) (*synth.Truth, learn.Model) {
	model := learn.PaperModel()
	model.Sparsity = sparsity
	truth := must(synth.Generate(synth.GraphSpec{Family: family, Vertices: n, Seed: seed}, model.Kernels,
		synth.SignalSpec{Count: m, Sparsity: sparsity, Seed: seed}))
	return truth, model
}

func TestLargeEngineFindsPlantedGraphs(t *testing.T) {
	slow(t)
	for _, family := range []synth.Family{synth.FamilyER, synth.FamilyRBF} {
		truth, model := largeTruth(family, 60, 250, 4, *seed)
		r := fit(t, truth.Signals, model, always)
		if f, err := metrics.EdgeF1(r.Graph, truth.Graph); err != nil || f < 0.99 {
			t.Errorf("%s: edge F1 %.4f (%v)", family, f, err)
		}
		codes, err := metrics.Support(r.Codes, truth.Codes)
		if err != nil || codes.F1() < 0.9 {
			t.Errorf("%s: codes %v (%v)", family, codes, err)
		}
		if r.Certified || family == synth.FamilyER && len(r.Warnings) > 0 {
			t.Errorf("%s: certified %v, warnings %q", family, r.Certified, r.Warnings)
		}
	}
}

// Where both engines can work, they come to the same edges.
func TestLargeEngineAgreesWithDense(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 60, 200, 4, *seed)
	large, dense := fit(t, truth.Signals, model, always), fit(t, truth.Signals, model, learn.Options{})
	if !slices.Equal(pairs(large.Graph), pairs(dense.Graph)) {
		t.Errorf("%d edges, %d by the dense engine", large.Graph.EdgeCount(), dense.Graph.EdgeCount())
	}
}

func TestLargeEngineIgnoresThreads(t *testing.T) {
	truth, model := largeTruth(synth.FamilyER, 40, 100, 3, *seed)
	o := always
	o.Rounds = 6
	one := fit(t, truth.Signals, model, o)
	for _, o.Threads = range someThreads(t) {
		if r := fit(t, truth.Signals, model, o); !slices.Equal(r.Graph.Edges(), one.Graph.Edges()) {
			t.Errorf("%d threads change the graph", o.Threads)
		}
	}
}

func TestLargeEngineIgnoresScaleAndOrder(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 60, 150, 3, *seed)
	n, m := truth.Signals.Dims()
	want := fit(t, truth.Signals, model, always)

	scaled := mat.NewDense(n, m, nil)
	scaled.Scale(0x1p40, truth.Signals)
	if got := fit(t, scaled, model, always); !slices.Equal(got.Graph.Edges(), want.Graph.Edges()) {
		t.Error("the scale of the signals changes the graph")
	}
	shuffled, order := mat.NewDense(n, m, nil), rng.Stream(*seed, "order")
	rows, columns := order.Perm(n), order.Perm(m)
	for i := range n {
		for j := range m {
			shuffled.Set(i, j, truth.Signals.At(rows[i], columns[j]))
		}
	}
	got := fit(t, shuffled, model, always)
	weights := map[[2]int]float64{}
	for _, e := range want.Graph.Edges() {
		weights[[2]int{e.I, e.J}] = e.Weight
	}
	if got.Graph.EdgeCount() != len(weights) {
		t.Errorf("%d edges after relabelling, %d before", got.Graph.EdgeCount(), len(weights))
	}
	for _, e := range got.Graph.Edges() {
		i, j := min(rows[e.I], rows[e.J]), max(rows[e.I], rows[e.J])
		if weights[[2]int{i, j}] != e.Weight {
			t.Fatalf("edge %d–%d has weight %v, before relabelling %v", i, j, e.Weight, weights[[2]int{i, j}])
		}
	}
}

func TestLargeEngineCanBeInterrupted(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 30, 80, 3, *seed)
	full := 0
	for range learn.Steps(t.Context(), truth.Signals, model, always) {
		full++
	}
	for stop := 0; stop < full-2; stop += 3 { // the last step before the end comes too late
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("enough")
		var last learn.Step
		var err error
		steps := 0
		for last, err = range learn.Steps(ctx, truth.Signals, model, always) {
			if steps++; steps > stop {
				cancel(reason)
			}
		}
		cancel(nil)
		if !errors.Is(err, reason) || last.Result == nil || last.Result.Status != method.Interrupted {
			t.Errorf("after %d steps: %v, %+v", stop+1, err, last)
		}
	}
}

// Isolated vertices, equal vertices and few signals are no obstacle.
func TestLargeEngineTakesOddSignals(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 40, 60, 3, *seed)
	for name, spoil := range map[string]func(i, m int, v float64) float64{
		"constant vertex": func(i, _ int, v float64) float64 {
			if i == 7 {
				return 3
			}
			return v
		},
		"equal vertices": func(i, m int, v float64) float64 {
			if i == 7 {
				return truth.Signals.At(8, m)
			}
			return v
		},
		"zero signal": func(_, m int, v float64) float64 {
			if m == 5 {
				return 0
			}
			return v
		},
		"one vertex alone": func(i, m int, v float64) float64 {
			if i == 7 || m == 9 {
				if i == 7 && m == 9 {
					return 1
				}
				return 0
			}
			return v
		},
	} {
		y := mat.NewDense(40, 60, nil)
		for i := range 40 {
			for m := range 60 {
				y.Set(i, m, spoil(i, m, truth.Signals.At(i, m)))
			}
		}
		if r := fit(t, y, model, always); r.Graph.EdgeCount() == 0 {
			t.Errorf("%s: no edges", name)
		}
	}
	two := mat.NewDense(3, 2, []float64{1, 0, 0.5, 1, 0, 0.25})
	fit(t, two, learn.Model{Kernels: model.Kernels, Sparsity: 1}, always)
}

// The residual stated is that of the codes on the graph stated.
func TestLargeEngineStatesItsOwnResidual(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 60, 150, 3, *seed)
	o := always
	o.Cut = graph.Cut{Rule: graph.CutEdges, Edges: 100}
	r := fit(t, truth.Signals, model, o)
	d := must(dictionary.NewOperator(r.Graph, model.Kernels))
	y := must(d.Mul(r.Codes.Dense()))
	y.Sub(truth.Signals, y)
	norm, rest := mat.Norm(truth.Signals, 2), mat.Norm(y, 2)
	if got := rest * rest / (norm * norm); math.Abs(got-r.Residual) > 1e-3+0.02*got {
		t.Errorf("residual %g is stated, %g is what it is", r.Residual, got)
	}
}

// Signals of fewer atoms than allowed get about as many as they have.
func TestLargeEngineDoesNotPadCodes(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 100, 250, 2, *seed)
	model.Sparsity = 4
	r := fit(t, truth.Signals, model, always)
	if got, want := r.Codes.NonZeros(), truth.Codes.NonZeros(); got > want*5/4 {
		t.Errorf("%d atoms, the truth has %d", got, want)
	}
}

func TestLargeEngineSaysThatACoderIsNotUsed(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 40, 100, 3, *seed)
	o := always
	o.Coder = sparse.MP
	if r := fit(t, truth.Signals, model, o); !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, string(o.Coder)) }) {
		t.Errorf("warnings %q", r.Warnings)
	}
}

// What the options say of the engine is what happens.
func TestOptionsTellTheEngine(t *testing.T) {
	slow(t)
	truth, model := largeTruth(synth.FamilyER, 30, 80, 3, *seed)
	n, _ := truth.Signals.Dims()
	for _, o := range []learn.Options{{}, {LargeFrom: n}, {LargeFrom: n + 1}} {
		o.Rounds, o.Starts = 2, 1
		for _, y := range []*mat.Dense{truth.Signals, losing(truth.Signals, 0.05, *seed)} {
			if want, r := o.Large(n), fit(t, y, model, o); r.Large != want {
				t.Errorf("large from %d: the large engine is used: %v, want %v", o.LargeFrom, r.Large, want)
			}
		}
	}
	if o := (learn.Options{}); o.Large(learn.DefaultLargeFrom-1) || !o.Large(learn.DefaultLargeFrom) {
		t.Error("large graphs do not begin where it is said")
	}
}
