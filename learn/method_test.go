package learn_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// own returns what only the sparse method has to say.
func own(t *testing.T, r *method.Result) *learn.Result {
	t.Helper()
	result, ok := r.Own.(*learn.Result)
	if !ok {
		t.Fatalf("the result's own is a %T", r.Own)
	}
	return result
}

func TestSparseLearnsWhatFitLearns(t *testing.T) {
	truth := small(t)
	cut := graph.Cut{Rule: graph.CutEdges, Edges: 20}
	names := graph.DefaultNames(truth.Graph.Vertices())
	names[0] = "first"
	want := fit(t, truth.Signals, learn.PaperModel(), learn.Options{Names: names, Cut: cut, Seed: 7})
	steps := 0
	got := must(learn.Sparse{}.Learn(t.Context(), method.Problem{
		Y: truth.Signals, Names: names, Kernels: learn.PaperModel().Kernels, Cut: cut, Seed: 7, Threads: 2,
		Progress: func(s method.Step) {
			if now := s.Weights(); now.EdgeCount() != s.Edges {
				t.Errorf("step %d shows %d edges and says %d", steps, now.EdgeCount(), s.Edges)
			}
			steps++
		},
	}))
	if got.Cut != graph.CutEdges || got.Graph.EdgeCount() != 20 || got.Graph.Names()[0] != "first" || own(t, got).Options.Seed != 7 {
		t.Errorf("cut %s, %d edges, names %q: the problem was not heeded", got.Cut, got.Graph.EdgeCount(), got.Graph.Names())
	}
	if steps != len(own(t, got).History) {
		t.Errorf("%d steps were shown, there were %d", steps, len(own(t, got).History))
	}
	if own(t, got).Model.Sparsity == want.Model.Sparsity && !slices.Equal(got.Weights.Edges(), want.Weights.Edges()) {
		t.Error("the method learns another graph than Fit")
	}
}

// The method that comes with a result has what was chosen, and nothing of the
// problem that was given.
func TestSparseLeavesTheProblemOutOfTheMethod(t *testing.T) {
	y := small(t).Signals
	n, _ := y.Dims()
	own := graph.Cut{Rule: graph.CutEdges, Edges: 12}
	m := learn.Sparse{Model: learn.PaperModel(), Options: learn.Options{Cut: own, Starts: 1}}
	for _, cut := range []graph.Cut{{}, {Rule: graph.CutEdges, Edges: 20}} {
		r := must(m.Learn(t.Context(), method.Problem{Y: y, Names: graph.DefaultNames(n), Cut: cut, Seed: 7, Threads: 2}))
		again := r.Method.(learn.Sparse)
		if o := again.Options; o.Names != nil || o.Seed != 0 || o.Threads != 0 || o.Cut != own {
			t.Errorf("names %q, seed %d, %d threads, cut %+v", o.Names, o.Seed, o.Threads, o.Cut)
		}
		if again.Model.Sparsity == 0 || again.Options.Starts != 1 {
			t.Errorf("what was chosen or set is lost: %+v", again)
		}
	}
}

// What a method chose is in the method it returns: learning again takes it as given.
func TestSparseRepeatsItsChoice(t *testing.T) {
	slow(t)
	sample := must(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 16}))
	y := field(sample.Graph, 200)
	first := must(learn.Sparse{Options: learn.Options{Starts: 1}}.Learn(t.Context(), method.Problem{Y: y}))
	n, _ := y.Dims()
	again := must(first.Method.Learn(t.Context(), method.Problem{Y: mat.DenseCopyOf(y.Slice(0, n, 0, 100))}))
	a, b := own(t, first), own(t, again)
	same := slices.EqualFunc(a.Model.Kernels, b.Model.Kernels, func(p, q kernel.Kernel) bool { return slices.Equal(p.Series(), q.Series()) })
	if !same || a.Model.Sparsity != b.Model.Sparsity || a.Options.RemoveCommonMode != b.Options.RemoveCommonMode {
		t.Errorf("chose %+v and then %+v", a.Model, b.Model)
	}
	if b.Options.Kernels != learn.KernelsGiven || b.KernelScores != nil {
		t.Error("the choice was made again")
	}
}
