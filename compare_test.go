package nervure

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/synth"
)

// planted draws signals on a random graph.
func planted(t *testing.T, vertices, count int, noise float64) *synth.Truth {
	t.Helper()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 1},
		learn.PaperModel().Kernels, synth.SignalSpec{Count: count, Sparsity: 4, Noise: noise, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// Signals of the model have codes on the graph learned from others of their
// kind, whatever their scale and beside vertices that never vary; noise has not.
func TestHeldOutErrorTellsTheModelFromNoise(t *testing.T) {
	truth := planted(t, 15, 203, 0)
	n, m := truth.Signals.Dims()
	stuck := mat.NewDense(n+1, m, nil)
	for s := range m {
		stuck.Set(0, s, 5)
	}
	stuck.Slice(1, n+1, 0, m).(*mat.Dense).Copy(truth.Signals)
	tiny := mat.NewDense(n, m, nil)
	tiny.Scale(1e-180, truth.Signals)
	noise := mat.NewDense(n, m, nil)
	noise.Apply(func(i, s int, _ float64) float64 { return math.Sin(float64(i*i*7919 + s*s*104729)) }, noise)

	sparse := learn.Sparse{Model: learn.PaperModel(), Options: learn.Options{Rounds: 20}}
	heldOut := func(ctx context.Context, y *mat.Dense) (*float64, int, error) {
		c := &comparing{options: CompareOptions{}.resolve(), y: &Preparation{Y: y}, show: func(CompareStep) {}}
		return c.heldOutError(ctx, sparse)
	}
	for name, c := range map[string]struct {
		y     *mat.Dense
		exact bool
	}{"the model": {truth.Signals, true}, "a vertex is stuck": {stuck, true}, "tiny": {tiny, true}, "noise": {noise, false}} {
		share, held, err := heldOut(t.Context(), c.y)
		if err != nil || share == nil || held != 40 {
			t.Fatalf("%s: %v, %d held out, %v", name, share, held, err)
		}
		if exact := *share < 1e-15; exact != c.exact || !(*share >= 0 && *share <= 1) {
			t.Errorf("%s: %g", name, *share)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if share, _, err := heldOut(ctx, truth.Signals); share != nil || err != nil {
		t.Errorf("interrupted: %v, %v", share, err)
	}
	if share, _, err := heldOut(t.Context(), mat.DenseCopyOf(truth.Signals.Slice(0, n, 0, 4))); share != nil || err != nil {
		t.Errorf("four signals: %v, %v", share, err)
	}
}

// An error on the way to the held-out error costs that number and nothing else.
func TestAFailedHeldOutErrorIsAWarning(t *testing.T) {
	m := Compared{Name: "sparse", Warnings: []string{"another"}}
	if held := m.holdOut(nil, 5, errors.New("no luck\ntoday")); held != 0 || m.HeldOutError != nil || m.Err != nil {
		t.Errorf("%d held out, %+v", held, m)
	}
	if want := []string{"another", "the held-out error was not computed: no luck; today"}; !slices.Equal(m.Warnings, want) {
		t.Errorf("got warnings %q, want %q", m.Warnings, want)
	}
	share := 0.5
	if held := m.holdOut(&share, 5, nil); held != 5 || m.HeldOutError != &share || len(m.Warnings) != 2 {
		t.Errorf("%d held out, %+v", held, m)
	}
}

// An empty graph is not the best so far of a method that was stopped: it would
// replace a better one.
func TestStoppedMethodsHaveNoEmptyGraph(t *testing.T) {
	truth := planted(t, 15, 50, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, e := range Methods() {
		r, err := runMethod(ctx, e.Default, method.Problem{Y: truth.Signals, Kernels: learn.PaperModel().Kernels})
		if r != nil && (r.Graph.EdgeCount() == 0 || err != nil) {
			t.Errorf("%s: a graph without edges, error %v", e.Name(), err)
		}
	}
}

// The recommendation is made without the truth, and the graph that proves itself
// is recommended before all others.
func TestTheExactGraphIsRecommended(t *testing.T) {
	truth := planted(t, 12, 150, 0)
	var chosen []method.Method
	for _, name := range []string{"sparse", "correlation", "tree"} {
		e, ok := MethodByName(name)
		if !ok {
			t.Fatalf("there is no method %s", name)
		}
		chosen = append(chosen, e.Default)
	}
	for _, known := range []bool{false, true} {
		o := CompareOptions{Methods: chosen}
		if known {
			o.Truth = truth.Graph
		}
		c, err := Compare(t.Context(), &Signals{Y: truth.Signals}, o)
		if err != nil {
			t.Fatal(err)
		}
		best := c.Recommended()
		if best == nil || best.Name != "sparse" {
			t.Fatalf("recommended: %+v", best)
		}
		if known != (best.Score != nil) || known && best.Score.F1() != 1 {
			t.Errorf("truth known: %t, score %+v", known, best.Score)
		}
	}
}

// Leaving the loop stops the work: nothing is yielded any more.
func TestLeavingTheLoopStopsTheWork(t *testing.T) {
	truth := planted(t, 12, 60, 0.2)
	for _, stage := range []Stage{Preparing, Learning, TestingStructure, AssessingEdges} {
		steps := 0
		for step, err := range Steps(t.Context(), &Signals{Y: truth.Signals}, Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			steps++
			if step.Stage == stage {
				break
			}
		}
		if steps == 0 {
			t.Errorf("%s: no step", stage)
		}
	}
}

// A run that ends early has its best graph, says so, and claims nothing about it.
func TestInterruptedRunsKeepTheirBestGraph(t *testing.T) {
	truth := planted(t, 12, 60, 0.2)
	for _, stage := range []Stage{Learning, TestingStructure, AssessingEdges} {
		ctx, cancel := context.WithCancel(t.Context())
		var last *Analysis
		var cause error
		for step, err := range Steps(ctx, &Signals{Y: truth.Signals}, Options{}) {
			if step.Stage == stage && (stage != Learning || step.Method.Round > 1) {
				cancel()
			}
			last, cause = step.Analysis, err
		}
		cancel()
		if last == nil || last.Status != solver.Interrupted || !errors.Is(cause, context.Canceled) {
			t.Fatalf("%s: analysis %+v, cause %v", stage, last, cause)
		}
		if last.Graph.EdgeCount() == 0 || last.Confidence != nil {
			t.Errorf("%s: %d edges, confidence %v", stage, last.Graph.EdgeCount(), last.Confidence)
		}
		if checked := last.Verdict.Grade != NotChecked; checked != (stage == AssessingEdges) {
			t.Errorf("%s: verdict %s", stage, last.Verdict)
		}
	}
}
