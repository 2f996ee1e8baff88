package nervure

import (
	"context"
	"errors"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// paper is a method that has no choices to make, so that it is quick.
var paper = learn.Sparse{Model: learn.PaperModel()}

// Whoever leaves the pipeline at some stage sees no later one.
func TestEveryStageCanBeTheLast(t *testing.T) {
	truth := planted(t, 10, 60, 0.2)
	for _, stage := range []Stage{Preparing, Learning, TestingStructure, AssessingEdges} {
		var last Stage
		for step, err := range Steps(t.Context(), &Signals{Y: truth.Signals}, Options{Method: paper}) {
			if err != nil {
				t.Fatal(err)
			}
			if last = step.Stage; last == stage {
				break
			}
		}
		if last != stage {
			t.Errorf("there is no stage %s", stage)
		}
	}
}

// A run that ends early has its best graph, says so, and claims nothing about it.
func TestInterruptedRunsKeepTheirBestGraph(t *testing.T) {
	truth := planted(t, 10, 60, 0.2)
	for _, stage := range []Stage{Learning, TestingStructure, AssessingEdges} {
		ctx, cancel := context.WithCancel(t.Context())
		var last *Analysis
		var cause error
		for step, err := range Steps(ctx, &Signals{Y: truth.Signals}, Options{Method: paper}) {
			if step.Stage == stage && (stage != Learning || step.Method.Round > 1) {
				cancel()
			}
			last, cause = step.Analysis, err
		}
		cancel()
		if last == nil || last.Status != method.Interrupted || !errors.Is(cause, context.Canceled) {
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

// Signals and options that cannot be used are refused before the work, with the
// one error type.
func TestWhatCannotBeUsedIsRefused(t *testing.T) {
	truth := planted(t, 10, 60, 0.1)
	good := &Signals{Y: truth.Signals}
	for name, c := range map[string]struct {
		s *Signals
		o Options
	}{
		"no signals":             {nil, Options{}},
		"no matrix":              {&Signals{}, Options{}},
		"one signal":             {&Signals{Y: mat.NewDense(3, 1, []float64{1, 2, 3})}, Options{}},
		"nothing varies":         {&Signals{Y: mat.NewDense(3, 4, nil)}, Options{}},
		"a choice that is none":  {good, Options{Confidence: "maybe"}},
		"another that is none":   {good, Options{Structure: "maybe"}},
		"a negative block":       {good, Options{Block: -3}},
		"a prior of other names": {&Signals{Y: truth.Signals, Names: truth.Graph.Names()}, Options{Method: learn.Sparse{Options: learn.Options{Prior: mustGraph(t, "x", "y")}}}},
	} {
		if a, err := Learn(t.Context(), c.s, c.o); a != nil || input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
	for name, o := range map[string]CompareOptions{
		"a truth of other names": {Truth: mustGraph(t, "x", "y")}, "no edges to keep": {Cut: graph.Cut{Rule: graph.CutEdges}},
	} {
		if c, err := Compare(t.Context(), good, o); c != nil || input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
}

func mustGraph(t *testing.T, names ...string) *graph.Graph {
	t.Helper()
	g, err := graph.New(names, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A pointer to the sparse method is the sparse method.
func TestAPointerToSparseIsSparse(t *testing.T) {
	truth := planted(t, 10, 60, 0)
	a, err := Learn(t.Context(), &Signals{Y: truth.Signals}, Options{Method: &paper})
	if err != nil {
		t.Fatal(err)
	}
	if learn.ResultOf(a.Result) == nil || a.Verdict.Grade != Exact || len(a.Findings()) == 0 {
		t.Errorf("verdict %s, findings %q", a.Verdict, a.Findings())
	}
}
