package learn_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
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
	counts := map[string]int{"er/n=20/m=200": 5, "er/n=50/m=200": 3, "er/n=100/m=200": 1}
	for _, s := range append(paperTable1(), paperTable2(t)...) {
		t.Run(s.name, func(t *testing.T) {
			for k := range max(counts[s.name], 2) {
				truth := s.draw(t, *seed+uint64(k))
				r := fit(t, truth.Signals, s.model, learn.Options{})
				// Low-pass atoms of neighbours are nearly parallel: codes are not unique there.
				got, lowpass := score(t, r, truth), s.graph.Family == synth.FamilyRBF || s.graph.Probability > 0
				if got.f1 < 1 || !lowpass && (got.codePrecision < 0.97 || got.codeRecall < 0.98) {
					t.Errorf("seed %d: edge F1 %.4f, codes %.4f/%.4f", *seed+uint64(k), got.f1, got.codePrecision, got.codeRecall)
				}
				// The Laplacian, not the weights: components have scales of their own.
				if r.Certified && !mat.EqualApprox(r.Graph.Laplacian(), truth.Graph.Laplacian(), 1e-7) {
					t.Errorf("seed %d: the certified Laplacian is not the true one", *seed+uint64(k))
				}
			}
		})
	}
}

// The instances are graphs on which the authors' code was run.
func TestRecoversPublishedInstances(t *testing.T) {
	slow(t)
	files, _ := filepath.Glob("../../shared/instances/N*/Y_*.csv")
	if len(files) == 0 {
		t.Skip("the instances are not here")
	}
	read := func(path string) *mat.Dense {
		m, err := dataio.ReadMatrix(path)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, path := range files {
		name := strings.TrimPrefix(filepath.ToSlash(path), "../../shared/instances/")
		t.Run(name, func(t *testing.T) {
			y := read(path)
			n, _ := y.Dims()
			w := mat.NewSymDense(n, nil)
			w.CopySym(symmetric{read(strings.Replace(path, "Y_", "W_", 1))})
			truth, err := graph.FromWeights(graph.DefaultNames(n), w)
			if err != nil {
				t.Fatal(err)
			}
			r := fit(t, y, learn.PaperModel(), learn.Options{})
			f1, err := metrics.EdgeF1(r.Graph, truth)
			if err != nil {
				t.Fatal(err)
			}
			codes, err := metrics.Support(r.Codes, sparse.FromDense(read(strings.Replace(path, "Y_", "X_", 1))))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("edge F1 %.4f, codes %.4f/%.4f, certified %v", f1, codes.Precision, codes.Recall, r.Certified)
			if f1 < 0.999 || codes.Precision < 0.995 || codes.Recall < 0.995 || !r.Certified {
				t.Errorf("edge F1 %.4f, codes %.4f/%.4f, certified %v", f1, codes.Precision, codes.Recall, r.Certified)
			}
		})
	}
}

type symmetric struct{ *mat.Dense }

func (s symmetric) SymmetricDim() int { n, _ := s.Dims(); return n }

// small is the quickest setting of the paper.
func small(t testing.TB) *synth.Truth {
	t.Helper()
	return paperTable1()[0].draw(t, *seed)
}

func TestFitIgnoresSignalScale(t *testing.T) {
	slow(t)
	truth := small(t)
	want := pairs(fit(t, truth.Signals, learn.PaperModel(), learn.Options{}).Graph)
	for _, scale := range []float64{1e-6, 1e6, 1e-290, 1e290} {
		var y mat.Dense
		y.Scale(scale, truth.Signals)
		r := fit(t, &y, learn.PaperModel(), learn.Options{})
		if !slices.Equal(pairs(r.Graph), want) {
			t.Errorf("scale %g changes the edges", scale)
		}
	}
	short := learn.Options{Rounds: 40}
	want = pairs(fitPaper(t, truth.Signals, learn.PaperModel(), short).Graph)
	for _, scale := range []float64{0x1p-20, 0x1p20} { // powers of two: not a bit may change
		var y mat.Dense
		y.Scale(scale, truth.Signals)
		if !slices.Equal(pairs(fitPaper(t, &y, learn.PaperModel(), short).Graph), want) {
			t.Errorf("maretic2017: scale %g changes the edges", scale)
		}
	}
}

// Whether or not the answer certifies itself, and to the last bit.
func TestFitCommutesWithRelabellingAndReordering(t *testing.T) {
	slow(t)
	truth := small(t)
	n, m := truth.Signals.Dims()
	noisy := mat.DenseCopyOf(truth.Signals)
	noisy.Add(noisy, noise("relabelling", n, m))
	vertices, signals := rng.Stream(*seed, "vertices").Perm(n), rng.Stream(*seed, "signals").Perm(m)
	for name, y := range map[string]*mat.Dense{"exact": truth.Signals, "noisy": noisy} {
		moved := mat.NewDense(n, m, nil)
		for k, i := range vertices {
			for l, s := range signals {
				moved.Set(k, l, y.At(i, s))
			}
		}
		for recipe, fit := range bothMethods {
			o := learn.Options{Rounds: 20}
			plain, other := fit(t, y, learn.PaperModel(), o), fit(t, moved, learn.PaperModel(), o)
			want, err := plain.Weights.Permuted(vertices)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(other.Weights.Edges(), want.Edges()) || other.Graph.EdgeCount() != plain.Graph.EdgeCount() {
				t.Errorf("%s, %s: relabelled signals give another graph than the relabelled graph", recipe, name)
			}
			for l, s := range signals {
				atom, coef := other.Codes.Column(l)
				for q, j := range atom {
					k, v := int(j)/n, vertices[int(j)%n]
					if got := plain.Codes.Dense().At(k*n+v, s); got != coef[q] {
						t.Fatalf("%s, %s, signal %d: coefficient %g, want %g", recipe, name, l, coef[q], got)
					}
				}
			}
		}
	}
}

func TestThreadsDoNotChangeABit(t *testing.T) {
	exact, rounds := small(t).Signals, 20
	if testing.Short() {
		n, _ := exact.Dims()
		exact, rounds = mat.DenseCopyOf(exact.Slice(0, n, 0, 50)), 5
	}
	noisy := mat.DenseCopyOf(exact) // uncertified: all starts and the refit
	r := rng.Stream(*seed, "noise")
	noisy.Apply(func(_, _ int, v float64) float64 { return v + 0.05*r.NormFloat64() }, noisy)
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

// recomputed returns ‖Y − DX‖²/‖Y‖² of the codes of a result on a graph.
func recomputed(t testing.TB, on *graph.Graph, r *learn.Result, y *mat.Dense) float64 {
	t.Helper()
	d, err := dictionary.Dense(on.Laplacian(), r.Model.Kernels)
	if err != nil {
		t.Fatal(err)
	}
	var left mat.Dense
	left.Mul(d, r.Codes.Dense())
	left.Sub(y, &left)
	return math.Pow(mat.Norm(&left, 2)/mat.Norm(y, 2), 2)
}

// The residual and the sparsity are recomputed from the answer alone.
func TestAnswerIsWhatItSays(t *testing.T) {
	slow(t)
	truth := small(t)
	noisy := mat.DenseCopyOf(truth.Signals)
	r := rng.Stream(*seed, "noise")
	noisy.Apply(func(_, _ int, v float64) float64 { return v + 0.02*r.NormFloat64() }, noisy)
	for name, y := range map[string]*mat.Dense{"exact": truth.Signals, "noisy": noisy} {
		for recipe, fit := range bothMethods {
			got := fit(t, y, learn.PaperModel(), learn.Options{Rounds: 50})
			on := got.Graph
			if recipe == "maretic2017" {
				on = got.Weights // the paper codes before it cuts
			}
			want := recomputed(t, on, got, y)
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

func TestPureNoiseIsNotCertified(t *testing.T) {
	slow(t)
	r := rng.Stream(*seed, "pure noise")
	y := mat.NewDense(12, 60, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	got := fit(t, y, learn.PaperModel(), learn.Options{})
	if got.Certified || got.Residual < 1e-3 {
		t.Errorf("certified %v with residual %g", got.Certified, got.Residual)
	}
	if len(got.Warnings) == 0 {
		t.Error("no warning")
	}
}

// With as many atoms as free numbers an exact fit proves nothing.
func TestExactFitOfTooFewNumbersIsNotCertified(t *testing.T) {
	r := rng.Stream(*seed, "three vertices")
	y := mat.NewDense(3, 2, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	if got := fit(t, y, learn.Model{Kernels: learn.PaperModel().Kernels, Sparsity: 2}, learn.Options{}); got.Certified {
		t.Error("two signals on three vertices were certified")
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
		if len(got.Warnings) == 0 || !strings.Contains(got.Warnings[0], `"dead"`) {
			t.Errorf("%s: warnings %q", name, got.Warnings)
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

func TestFitRefuses(t *testing.T) {
	truth := small(t)
	n, _ := truth.Signals.Dims()
	with := func(i, j int, v float64) *mat.Dense {
		y := mat.DenseCopyOf(truth.Signals)
		y.Set(i, j, v)
		return y
	}
	low, err := kernel.Heat(1, 5, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	poly, err := kernel.Polynomial("poly", []float64{1, -0.5})
	if err != nil {
		t.Fatal(err)
	}
	paper := learn.PaperModel()
	for name, c := range map[string]struct {
		y    *mat.Dense
		m    learn.Model
		o    learn.Options
		want string
	}{
		"an infinite value": {with(2, 5, math.Inf(-1)), paper, learn.Options{}, `vertex "v2", signal 6: -Inf is not a finite number`},
		"one vertex":        {mat.NewDense(1, 5, nil), paper, learn.Options{}, "vertices: got 1, want at least 2"},
		"one signal":        {mat.NewDense(5, 1, nil), paper, learn.Options{}, "signals: got 1, want at least 2"},
		"constant signals":  {mat.NewDense(6, 9, nil), paper, learn.Options{}, "only 0 of 6 vertices vary"},
		"scales of a poly":  {truth.Signals, learn.Model{Kernels: []kernel.Kernel{poly}}, learn.Options{Kernels: learn.KernelsScaled}, "none of them has a scale"},
		"too many atoms":    {truth.Signals, learn.Model{Kernels: []kernel.Kernel{low}, Sparsity: n}, learn.Options{}, fmt.Sprintf("want 1 to %d", n-1)},
		"negative sparsity": {truth.Signals, learn.Model{Kernels: []kernel.Kernel{low}, Sparsity: -1}, learn.Options{}, "sparsity: got -1"},
		"an unknown coder":  {truth.Signals, paper, learn.Options{Coder: "soup"}, `coder: got "soup"`},
		"too few names":     {truth.Signals, paper, learn.Options{Names: []string{"a"}}, "names: got 1"},
		"too many edges":    {truth.Signals, paper, learn.Options{Cut: graph.Cut{Rule: graph.CutEdges, Edges: n * n}}, "edges: got"},
		"a NaN threshold":   {truth.Signals, paper, learn.Options{Cut: graph.Cut{Rule: graph.CutThreshold, Threshold: math.NaN()}}, "threshold"},
		"an unknown cut":    {truth.Signals, paper, learn.Options{Cut: graph.Cut{Rule: "soup"}}, `cut: got "soup"`},
		"negative rounds":   {truth.Signals, paper, learn.Options{Rounds: -1}, "rounds: got -1"},
	} {
		_, err := learn.Fit(t.Context(), c.y, c.m, c.o)
		var input *input.Error
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want an input.Error with %q", name, err, c.want)
		}
	}
}

func TestFaultsAreReportedTogether(t *testing.T) {
	_, err := learn.Fit(t.Context(), small(t).Signals, learn.Model{}, learn.Options{Coder: "soup", Rounds: -1, Starts: -1})
	for _, want := range []string{"starts", "coder", "rounds"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not mention %s", err, want)
		}
	}
}

func TestInterruptedFitReturnsBestSoFar(t *testing.T) {
	truth := small(t)
	cause := errors.New("enough")
	for recipe, m := range map[string]method.Method{"default": learn.Sparse{Model: learn.PaperModel()}, "maretic2017": learn.Maretic2017{}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		steps := 0
		r, err := m.Learn(ctx, method.Problem{Y: truth.Signals, Progress: func(method.Step) {
			if steps++; steps == 3 {
				cancel(cause)
			}
		}})
		if !errors.Is(err, cause) {
			t.Errorf("%s: error %v, want the cause", recipe, err)
		}
		if r == nil || r.Status != method.Interrupted || r.Graph.EdgeCount() == 0 {
			t.Errorf("%s: no graph from an interrupted run: %+v", recipe, r)
		}
		if steps > 30 { // it goes on for a few rounds, prunes and polishes in short
			t.Errorf("%s: %d steps after the interrupt", recipe, steps-3)
		}
	}
}

func TestCancelledBeforeItBeginsStillAnswers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for recipe, m := range map[string]method.Method{"default": learn.Sparse{Model: learn.PaperModel()}, "maretic2017": learn.Maretic2017{}} {
		r, err := m.Learn(ctx, method.Problem{Y: small(t).Signals})
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != method.Interrupted {
			t.Errorf("%s: result %v, error %v", recipe, r, err)
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
	full := fit(t, truth.Signals, learn.PaperModel(), learn.Options{})
	for recipe, fit := range bothMethods {
		o := learn.Options{Rounds: 60, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 20}}
		r := fit(t, truth.Signals, learn.PaperModel(), o)
		if r.Graph.EdgeCount() != 20 || r.Certified {
			t.Errorf("%s: %d edges, certified %v; want 20 of the %d, and no certificate", recipe, r.Graph.EdgeCount(), r.Certified, full.Graph.EdgeCount())
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
		r := fit(t, truth.Signals, learn.PaperModel(), learn.Options{Coder: method, Rounds: 6, Starts: 1})
		if r.Options.Coder != method || r.Graph.EdgeCount() == 0 {
			t.Errorf("%s: options %+v, %d edges", method, r.Options, r.Graph.EdgeCount())
		}
	}
}

// Two copies of a graph side by side: nothing in the signals ties their scales.
func TestComponentsGetEqualMeanWeights(t *testing.T) {
	ring, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyRing, Vertices: 12, EdgeFactor: 4})
	if err != nil {
		t.Fatal(err)
	}
	edges := ring.Graph.Edges()
	for _, e := range ring.Graph.Edges() {
		edges = append(edges, graph.Edge{I: e.I + 12, J: e.J + 12, Weight: 1})
	}
	g, err := graph.New(graph.DefaultNames(24), edges)
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Signals(g, learn.PaperModel().Kernels, synth.SignalSpec{Count: 200, Sparsity: 3, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
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
