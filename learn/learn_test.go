package learn_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/synth"
)

func fit(t testing.TB, y *mat.Dense, m learn.Model, o learn.Options) *learn.Result {
	t.Helper()
	return ran(t, func(ctx context.Context) (*learn.Result, error) { return learn.Fit(ctx, y, m, o) })
}

// fitPaper is fit by the paper's algorithm. Options are those that both methods share.
func fitPaper(t testing.TB, y *mat.Dense, m learn.Model, o learn.Options) *learn.Result {
	t.Helper()
	return ran(t, func(ctx context.Context) (*learn.Result, error) { return runPaper(ctx, y, asPaper(m, o), o, nil) })
}

// asPaper is the paper's algorithm with the model and the options that both methods share.
func asPaper(m learn.Model, o learn.Options) learn.Maretic2017 {
	return learn.Maretic2017{Model: m, Coder: o.Coder, Rounds: o.Rounds}
}

// runPaper runs the paper's algorithm on a problem with the options that all methods share.
func runPaper(ctx context.Context, y *mat.Dense, p learn.Maretic2017, o learn.Options, progress func(method.Step)) (*learn.Result, error) {
	r, err := p.Learn(ctx, method.Problem{Y: y, Names: o.Names, Known: method.Known{Allow: o.Allow, Forbid: o.Forbid, Init: o.Init, Prior: o.Prior}, Cut: o.Cut, Seed: o.Seed, Threads: o.Threads, Progress: progress})
	if r == nil {
		return nil, err
	}
	return r.Own.(*learn.Result), err
}

// bothMethods are the methods of the package as tests run them.
var bothMethods = map[string]func(testing.TB, *mat.Dense, learn.Model, learn.Options) *learn.Result{"default": fit, "maretic2017": fitPaper}

// A runner is a call of a method.
type runner func(context.Context) (*learn.Result, error)

func ran(t testing.TB, r runner) *learn.Result {
	t.Helper()
	result, err := runAs(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// runAs is how tests run a method.
var runAs = runOnce

func runOnce(ctx context.Context, r runner) (*learn.Result, error) { return r(ctx) }

// pairs forgets the weights.
func pairs(g *graph.Graph) [][2]int {
	var p [][2]int
	for _, e := range g.Edges() {
		p = append(p, [2]int{e.I, e.J})
	}
	return p
}

func TestRecoversPlantedGraph(t *testing.T) {
	slow(t)
	for _, s := range append(paperTable1()[:2], paperTable2()...) {
		truth := s.draw(*seed)
		r := fit(t, truth.Signals, s.model, learn.Options{})
		// Low-pass atoms of neighbours are nearly parallel: codes are not unique there.
		got, lowpass := score(t, r, truth), s.graph.Family == synth.FamilyRBF || s.graph.Probability > 0
		if got.f1 < 1 || !lowpass && (got.codePrecision < 0.97 || got.codeRecall < 0.98) {
			t.Errorf("%s: edge F1 %.4f, codes %.4f/%.4f", s.name, got.f1, got.codePrecision, got.codeRecall)
		}
		// The Laplacian, not the weights: components have scales of their own.
		if r.Certified && !mat.EqualApprox(r.Graph.Laplacian(), truth.Graph.Laplacian(), 1e-7) {
			t.Errorf("%s: the certified Laplacian is not the true one", s.name)
		}
	}
}

// small is the quickest setting of the paper.
func small(t testing.TB) *synth.Truth {
	t.Helper()
	return paperTable1()[0].draw(*seed)
}

func TestFitIgnoresSignalScale(t *testing.T) {
	slow(t)
	truth := small(t)
	want := pairs(fit(t, truth.Signals, learn.PaperModel(), learn.Options{}).Graph)
	for _, scale := range []float64{1e-290, 1e290} {
		var y mat.Dense
		y.Scale(scale, truth.Signals)
		r := fit(t, &y, learn.PaperModel(), learn.Options{})
		if !slices.Equal(pairs(r.Graph), want) {
			t.Errorf("scale %g changes the edges", scale)
		}
	}
	short := learn.Options{Rounds: 10}
	want = pairs(fitPaper(t, truth.Signals, learn.PaperModel(), short).Graph)
	var y mat.Dense
	y.Scale(0x1p20, truth.Signals) // a power of two: not a bit may change
	if !slices.Equal(pairs(fitPaper(t, &y, learn.PaperModel(), short).Graph), want) {
		t.Error("maretic2017: the scale changes the edges")
	}
}

// Whether or not the answer certifies itself, and to the last bit.
func TestFitCommutesWithRelabellingAndReordering(t *testing.T) {
	slow(t)
	truth := small(t)
	n, m := truth.Signals.Dims()
	noisy := spoiled(truth.Signals, 1)
	vertices, signals := rng.Stream(*seed, "vertices").Perm(n), rng.Stream(*seed, "signals").Perm(m)
	for name, y := range map[string]*mat.Dense{"exact": truth.Signals, "noisy": noisy} {
		moved := mat.NewDense(n, m, nil)
		for k, i := range vertices {
			for l, s := range signals {
				moved.Set(k, l, y.At(i, s))
			}
		}
		for recipe, fit := range bothMethods {
			o := learn.Options{Rounds: 10}
			plain, other := fit(t, y, learn.PaperModel(), o), fit(t, moved, learn.PaperModel(), o)
			codes := plain.Codes.Dense()
			want := must(plain.Weights.Permuted(vertices))
			if !slices.Equal(other.Weights.Edges(), want.Edges()) || other.Graph.EdgeCount() != plain.Graph.EdgeCount() {
				t.Errorf("%s, %s: relabelled signals give another graph than the relabelled graph", recipe, name)
			}
			for l, s := range signals {
				atom, coef := other.Codes.Column(l)
				for q, j := range atom {
					k, v := int(j)/n, vertices[int(j)%n]
					if got := codes.At(k*n+v, s); got != coef[q] {
						t.Fatalf("%s, %s, signal %d: coefficient %g, want %g", recipe, name, l, coef[q], got)
					}
				}
			}
		}
	}
}

func TestThreadsDoNotChangeABit(t *testing.T) {
	exact, rounds := small(t).Signals, 8
	if testing.Short() {
		n, _ := exact.Dims()
		exact, rounds = mat.DenseCopyOf(exact.Slice(0, n, 0, 50)), 5
	}
	noisy := spoiled(exact, 0.05) // uncertified: all starts and the refit
	threads := someThreads(t)
	for name, y := range map[string]*mat.Dense{"exact": exact, "noisy": noisy} {
		for recipe, fit := range bothMethods {
			o := learn.Options{Rounds: rounds, Threads: 1}
			one := fit(t, y, learn.PaperModel(), o)
			for _, o.Threads = range threads {
				r := fit(t, y, learn.PaperModel(), o)
				if !slices.Equal(one.Weights.Edges(), r.Weights.Edges()) || !mat.Equal(one.Codes.Dense(), r.Codes.Dense()) {
					t.Errorf("%s, %s: %d threads give another answer than one", recipe, name, o.Threads)
				}
			}
		}
	}
}

// spoiled returns y with white noise of that amplitude.
func spoiled(y *mat.Dense, amplitude float64) *mat.Dense {
	r, noisy := rng.Stream(*seed, "noise"), mat.DenseCopyOf(y)
	noisy.Apply(func(_, _ int, v float64) float64 { return v + amplitude*r.NormFloat64() }, noisy)
	return noisy
}

// recomputed returns ‖Y − DX‖²/‖Y‖² of the codes of a result on a graph.
func recomputed(on *graph.Graph, r *learn.Result, y *mat.Dense) float64 {
	d := must(dictionary.Dense(on.Laplacian(), r.Model.Kernels))
	var left mat.Dense
	left.Mul(d, r.Codes.Dense())
	left.Sub(y, &left)
	return math.Pow(mat.Norm(&left, 2)/mat.Norm(y, 2), 2)
}

// The residual and the sparsity are recomputed from the answer alone.
func TestAnswerIsWhatItSays(t *testing.T) {
	slow(t)
	truth := small(t)
	noisy := spoiled(truth.Signals, 0.02)
	for name, y := range map[string]*mat.Dense{"exact": truth.Signals, "noisy": noisy} {
		for recipe, fit := range bothMethods {
			got := fit(t, y, learn.PaperModel(), learn.Options{Rounds: 15})
			on := got.Graph
			if recipe == "maretic2017" {
				on = got.Weights // the paper codes before it cuts
			}
			want := recomputed(on, got, y)
			if math.Abs(got.Residual-want) > 1e-9*want+1e-20 {
				t.Errorf("%s, %s: residual %g, recomputed %g", recipe, name, got.Residual, want)
			}
			if got.Codes.Sparsity() > 4 {
				t.Errorf("%s, %s: %d atoms per signal", recipe, name, got.Codes.Sparsity())
			}
			if mean := mat.Sum(got.Weights.Weights()) / float64(on.Vertices()); math.Abs(mean-1) > 1e-9 {
				t.Errorf("%s, %s: mean degree %g, want 1", recipe, name, mean)
			}
			if name == "noisy" && got.Certified {
				t.Errorf("%s: noisy signals were certified", recipe)
			}
		}
	}
}

func TestConstantVertexIsLeftIsolated(t *testing.T) {
	truth := small(t)
	n, m := truth.Signals.Dims()
	for name, value := range map[string]float64{"zero": 0, "constant": 7.5} {
		y := mat.NewDense(n+1, m, nil)
		for i := range n {
			y.SetRow(i+btoi(i >= 3), truth.Signals.RawRowView(i)) // the new vertex is number 3
		}
		for s := range m {
			y.Set(3, s, value)
		}
		names := graph.DefaultNames(n + 1)
		names[3] = "dead"
		got := fit(t, y, learn.PaperModel(), learn.Options{Names: names})
		if !slices.Equal(got.Graph.Isolated(), []int{3}) || got.Graph.EdgeCount() != truth.Graph.EdgeCount() {
			t.Errorf("%s: isolated %v, %d edges", name, got.Graph.Isolated(), got.Graph.EdgeCount())
		}
		if len(got.Aside) != 1 || got.Aside[0].Reason != signals.Constant || len(got.Warnings) == 0 || got.Warnings[0] != got.Aside[0].Sentence() {
			t.Errorf("%s: aside %+v, warnings %q", name, got.Aside, got.Warnings)
		}
		atoms, _ := got.Codes.Dims()
		if atoms != 2*(n+1) {
			t.Errorf("%s: codes for %d atoms, want %d", name, atoms, 2*(n+1))
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestInterruptedFitReturnsBestSoFar(t *testing.T) {
	truth := small(t)
	cause := errors.New("enough")
	for recipe, m := range map[string]method.Method{"default": learn.Sparse{Model: learn.PaperModel()}, "maretic2017": learn.Maretic2017{}} {
		for _, after := range []int{0, 3} {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			steps := 0
			if after == 0 {
				cancel(cause)
			}
			r, err := m.Learn(ctx, method.Problem{Y: truth.Signals, Progress: func(method.Step) {
				if steps++; steps == after {
					cancel(cause)
				}
			}})
			if !errors.Is(err, cause) || r == nil || r.Status != method.Interrupted || r.Graph.EdgeCount() == 0 {
				t.Errorf("%s, after %d steps: result %+v, error %v", recipe, after, r, err)
			}
			if steps > 30 { // it goes on for a few rounds, prunes and polishes in short
				t.Errorf("%s: %d steps after the interrupt", recipe, steps-after)
			}
		}
	}
}

func TestLeavingTheLoopStopsTheWork(t *testing.T) {
	steps := 0
	for range learn.Steps(t.Context(), small(t).Signals, learn.PaperModel(), learn.Options{}) {
		if steps++; steps == 2 {
			break
		}
	}
	if steps != 2 {
		t.Errorf("%d steps", steps)
	}
}

func TestHistoryIsTheStepsYielded(t *testing.T) {
	var seen []learn.Step
	var result *learn.Result
	for step, err := range learn.Steps(t.Context(), small(t).Signals, learn.PaperModel(), learn.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if step.Phase == learn.Done {
			result = step.Result
			continue
		}
		seen = append(seen, step)
	}
	if !slices.Equal(seen, result.History) {
		t.Error("the history differs from the steps")
	}
	for k := 1; k < len(seen); k++ {
		if seen[k].Gradients < seen[k-1].Gradients {
			t.Errorf("step %d: the count of gradients falls", k)
		}
	}
}

func TestCuts(t *testing.T) {
	slow(t)
	truth := small(t)
	for recipe, fit := range bothMethods {
		o := learn.Options{Rounds: 10, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 20}}
		r := fit(t, truth.Signals, learn.PaperModel(), o)
		if r.Graph.EdgeCount() != 20 || r.Certified {
			t.Errorf("%s: %d edges, certified %v; want 20, and no certificate", recipe, r.Graph.EdgeCount(), r.Certified)
		}
		o.Cut = graph.Cut{Rule: graph.CutThreshold, Threshold: 1e9}
		if r := fit(t, truth.Signals, learn.PaperModel(), o); r.Graph.EdgeCount() != 0 {
			t.Errorf("%s: %d edges above an absurd threshold", recipe, r.Graph.EdgeCount())
		}
	}
}

func TestGivenCoderIsUsed(t *testing.T) {
	slow(t)
	truth := small(t)
	for _, method := range sparse.Methods() {
		r := fit(t, truth.Signals, learn.PaperModel(), learn.Options{Coder: method, Rounds: 2, Starts: 1})
		if r.Options.Coder != method || r.Graph.EdgeCount() == 0 {
			t.Errorf("%s: options %+v, %d edges", method, r.Options, r.Graph.EdgeCount())
		}
	}
}

// Two copies of a graph side by side: nothing in the signals ties their scales.
func TestComponentsGetEqualMeanWeights(t *testing.T) {
	ring := must(synth.Graph(synth.GraphSpec{Family: synth.FamilyRing, Vertices: 12, EdgeFactor: 4}))
	edges := ring.Graph.Edges()
	for _, e := range ring.Graph.Edges() {
		edges = append(edges, graph.Edge{I: e.I + 12, J: e.J + 12, Weight: 1})
	}
	g := must(graph.New(graph.DefaultNames(24), edges))
	truth := must(synth.Signals(g, learn.PaperModel().Kernels, synth.SignalSpec{Count: 200, Sparsity: 3, Seed: *seed}))
	r := fit(t, truth.Signals, learn.PaperModel(), learn.Options{})
	if e, err := metrics.WeightError(r.Graph, g); err != nil || e > 1e-6 || !r.Certified {
		t.Errorf("weights off by %.2g, certified %v (%v)", e, r.Certified, err)
	}
}

func TestTinyProblemsAreHandled(t *testing.T) {
	r := rng.Stream(*seed, "tiny")
	for n := 2; n <= 5; n++ {
		y := mat.NewDense(n, 6, nil)
		y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
		got := fit(t, y, learn.Model{Kernels: learn.PaperModel().Kernels}, learn.Options{})
		for _, e := range got.Graph.Edges() {
			if !(e.Weight > 0) || math.IsInf(e.Weight, 0) {
				t.Errorf("n = %d: weight %g", n, e.Weight)
			}
		}
		if math.IsNaN(got.Residual) {
			t.Errorf("n = %d: residual NaN", n)
		}
	}
}

// A step shows the graph of its moment, and no later one.
func TestStepsShowTheirGraph(t *testing.T) {
	slow(t)
	for name, o := range map[string]learn.Options{"default": {}, "large": always} {
		var last learn.Step
		var before *graph.Graph
		for step, err := range learn.Steps(t.Context(), small(t).Signals, learn.PaperModel(), o) {
			if err != nil {
				t.Fatal(err)
			}
			if last.Weights() != nil {
				t.Fatalf("%s: a step that is over still shows a graph", name)
			}
			if step.Phase == learn.Done {
				if n, _ := small(t).Signals.Dims(); before.Vertices() != n {
					t.Errorf("%s: a graph of %d vertices", name, before.Vertices())
				}
				break
			}
			before, last = step.Weights(), step
			if before.EdgeCount() != step.Edges {
				t.Fatalf("%s: %v step shows %d edges and says %d", name, step.Phase, before.EdgeCount(), step.Edges)
			}
		}
	}
}

// must returns a value that nothing can be wrong with.
func must[T any](value T, err error) T {
	done(err)
	return value
}

// done goes on unless something is wrong that cannot be.
func done(err error) {
	if err != nil {
		panic(err)
	}
}
