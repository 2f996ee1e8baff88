package learn_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// interrupted learns until a step is the one to stop at, and returns what there
// is then; nil if there was no such step.
func interrupted(t *testing.T, y *mat.Dense, m learn.Model, o learn.Options, stop func(learn.Step) bool) *learn.Result {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	var last learn.Step
	var err error
	for last, err = range learn.Steps(ctx, y, m, o) {
		if last.Result == nil && stop(last) {
			cancel(why)
		}
	}
	if ctx.Err() == nil {
		return nil
	}
	if !errors.Is(err, why) || last.Result == nil || last.Result.Status != method.Interrupted {
		t.Fatalf("error %v and result %v, want the best so far with the cause", err, last.Result)
	}
	return last.Result
}

// everyKind are options that take all roads through [learn.Sparse].
func everyKind(truth *synth.Truth) map[string]learn.Options {
	near := rewired(truth.Graph, 0.2, *seed)
	return map[string]learn.Options{
		"given kernels": {Starts: 2, Rounds: 8}, "automatic kernels": {Kernels: learn.KernelsAuto, Starts: 1, Rounds: 6},
		"scales": {Kernels: learn.KernelsScaled, Starts: 1, Rounds: 6}, "free kernels": {Kernels: learn.KernelsFree, Starts: 1, Rounds: 4},
		"a start and a prior": {Init: near, Prior: near, Starts: 2, Rounds: 6}, "a number of edges": {Starts: 1, Rounds: 6, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 10}},
		"large": {LargeFrom: 2, Rounds: 6},
	}
}

// Whenever the context ends, an answer that fits together comes with the cause.
func TestEveryMomentOfInterruptionHasAnAnswer(t *testing.T) {
	slow(t)
	truth := drawn(12, synth.SignalSpec{Count: 40, Sparsity: 2, Noise: 0.3}, "heat:2", "highpass:1")
	for name, o := range everyKind(truth) {
		full := 0
		for range learn.Steps(t.Context(), truth.Signals, learn.Model{}, o) {
			full++
		}
		for stop := 1; stop < full-1; stop += 1 + full/2 {
			steps := 0
			r := interrupted(t, truth.Signals, learn.Model{}, o, func(learn.Step) bool {
				steps++
				return steps == stop
			})
			if r == nil {
				t.Fatalf("%s: there was no step %d of %d", name, stop, full)
			}
			n, m := truth.Signals.Dims()
			atoms, signals := r.Codes.Dims()
			if r.Graph.EdgeCount() == 0 || atoms != n*len(r.Model.Kernels) || signals != m || len(r.History) < stop {
				t.Errorf("%s, after step %d of %d: %d edges, codes %d×%d, %d steps", name, stop, full, r.Graph.EdgeCount(), atoms, signals, len(r.History))
			}
			if o.Cut.Rule == graph.CutEdges && r.Graph.EdgeCount() != o.Cut.Edges {
				t.Errorf("%s, after step %d of %d: %d edges, want the %d asked for", name, stop, full, r.Graph.EdgeCount(), o.Cut.Edges)
			}
		}
	}
}

// Edges of kernels that fit better than those given are kept whenever the context ends once there are some.
func TestEdgesOfOtherScalesOutliveAnInterruption(t *testing.T) {
	slow(t)
	truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 14, Seed: 1},
		model3("heat:3", "highpass:2").Kernels, synth.SignalSpec{Count: 100, Sparsity: 2, Seed: 1}))
	wrong := learn.Model{Kernels: model3("heat:2", "highpass:1").Kernels, Sparsity: 2}
	full := 0
	for range learn.Steps(t.Context(), truth.Signals, wrong, learn.Options{}) {
		full++
	}
	kept := 0
	for _, stop := range []int{full - 8, full - 3} {
		steps := 0
		r := interrupted(t, truth.Signals, wrong, learn.Options{}, func(learn.Step) bool {
			steps++
			return steps == stop
		})
		if r == nil || r.Graph.EdgeCount() == 0 || len(r.History) < stop {
			t.Fatalf("after step %d of %d: %+v", stop, full, r)
		}
		if r.FittingKernels != nil {
			kept++
			if !slices.Equal(pairs(r.Graph), pairs(truth.Graph)) {
				t.Errorf("after step %d of %d: %d edges, want the %d true ones", stop, full, r.Graph.EdgeCount(), truth.Graph.EdgeCount())
			}
			if lightest := slices.MinFunc(r.Graph.Edges(), func(a, b graph.Edge) int { return cmp.Compare(a.Weight, b.Weight) }); r.Threshold.Value != lightest.Weight {
				t.Errorf("the lightest edge is %v, but the threshold %g", lightest, r.Threshold.Value)
			}
		}
	}
	if kept == 0 {
		t.Error("no interruption had kernels that fit")
	}
}

// The same holds for the paper's algorithm, and for every round of it.
func TestThePapersRoundsCanBeInterrupted(t *testing.T) {
	truth := drawn(12, synth.SignalSpec{Count: 40, Sparsity: 2, Noise: 0.3}, "heat:2", "highpass:1")
	why := errors.New("enough")
	for _, stop := range []int{1, 4, 7} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := runPaper(ctx, truth.Signals, learn.Maretic2017{Rounds: 8}, learn.Options{}, func(s method.Step) {
			if s.Round == stop {
				cancel(why)
			}
		})
		if !errors.Is(err, why) || r == nil || r.Status != method.Interrupted || r.Rounds != stop || r.Graph.EdgeCount() == 0 || len(r.History) != stop {
			t.Errorf("in round %d: result %+v, error %v", stop, r, err)
		}
		cancel(nil)
	}
}

// Whenever the loop is left, nothing more comes.
func TestEveryStepCanBeTheLast(t *testing.T) {
	slow(t)
	truth := drawn(12, synth.SignalSpec{Count: 40, Sparsity: 2, Noise: 0.3}, "heat:2", "highpass:1")
	for name, o := range everyKind(truth) {
		for _, stop := range []int{1, 20} {
			steps := 0
			for range learn.Steps(t.Context(), truth.Signals, learn.Model{}, o) {
				if steps++; steps == stop {
					break
				}
			}
			if steps > stop {
				t.Errorf("%s: %d steps, left after %d", name, steps, stop)
			}
		}
	}
}

func TestInterruptedPathAnswersWhatWasAskedFor(t *testing.T) {
	truth := drawn(20, synth.SignalSpec{Count: 100, Sparsity: 4, Noise: 0.6}, "heat:2", "highpass:1")
	o := learn.Options{Starts: 1, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 12}}
	r := interrupted(t, truth.Signals, learn.PaperModel(), o, func(s learn.Step) bool { return s.Phase == learn.Pruning })
	if r == nil {
		if path := fit(t, truth.Signals, learn.PaperModel(), o).Path; len(path) > 0 {
			t.Errorf("a path of %d graphs that no step shows", len(path))
		}
		return
	}
	if r.Graph.EdgeCount() != 12 {
		t.Errorf("%d edges, want the 12 asked for", r.Graph.EdgeCount())
	}
}

// An answer that is there is not given up for the beginning of another.
func TestInterruptedChoiceOfAtomsKeepsItsAnswer(t *testing.T) {
	slow(t)
	truth := drawn(24, synth.SignalSpec{Count: 200, Sparsity: 6, Noise: 0.05}, "heat:2", "highpass:1")
	rounds := 0
	model := learn.Model{Kernels: learn.PaperModel().Kernels}
	r := interrupted(t, truth.Signals, model, learn.Options{Starts: 1}, func(s learn.Step) bool {
		if s.Phase == learn.Coding && s.Round == 1 {
			rounds++
		}
		return rounds == 2
	})
	if r == nil { // the first number of atoms is the last
		r = fit(t, truth.Signals, model, learn.Options{Starts: 1})
		if want := learn.PaperModel().Sparsity; r.Model.Sparsity != want {
			t.Errorf("%d atoms instead of %d, but no second attempt", r.Model.Sparsity, want)
		}
	}
	if f1 := edgeF1(t, r, truth); f1 < 0.9 {
		t.Errorf("edge F1 %.4f", f1)
	}
}

// A few signals that are not of the graph do not spoil the codes of the others.
func TestOutliersLeaveTheOthersExact(t *testing.T) {
	truth := small(t)
	y := mat.DenseCopyOf(truth.Signals)
	n, m := y.Dims()
	r := rng.Stream(*seed, "outliers")
	for i := range n {
		for s := range 2 {
			y.Set(i, s, r.NormFloat64())
		}
	}
	got := fit(t, y, learn.PaperModel(), learn.Options{})
	if !got.Certified {
		if got.Unexplained <= 2 {
			t.Errorf("all but %d signals are explained, but that is no proof", got.Unexplained)
		}
		return
	}
	if got.Unexplained != 2 || got.Noise != 0 || got.Codes.NonZeros() < 3*(m-2) {
		t.Errorf("%d signals unexplained, want 2; noise %g, want none; %d non-zeros of %d signals", got.Unexplained, got.Noise, got.Codes.NonZeros(), m)
	}
}
