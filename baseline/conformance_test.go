package baseline_test

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

// The tests of these files hold every method to the contract: all that are
// registered, and the sparse learner. A new method needs no line here.

var seed = flag.Uint64("seed", 1, "seed of the problems; any must pass")

// contenders lists the methods under the contract.
func contenders() []method.Entry {
	return slices.Concat(learn.Methods(), baseline.Methods())
}

// The problem of most tests has low-pass kernels, for with others some methods
// find no edge, and no law is easier to keep than that of an empty graph.
const (
	conformVertices = 12
	conformSignals  = 200
	conformSparsity = 3
)

// conformTolerance is how far weights may move, relative to the heaviest, where
// only rounding can move them.
const conformTolerance = 1e-6

func heatKernels(t *testing.T, scales ...float64) []kernel.Kernel {
	t.Helper()
	var kernels []kernel.Kernel
	for _, tau := range scales {
		k, err := kernel.Heat(tau, 15, kernel.Taylor)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

func conformKernels(t *testing.T) []kernel.Kernel {
	t.Helper()
	return heatKernels(t, 2, 1)
}

// conformProblem is the problem for a method, if one is given. For one that uses the
// order of the signals it is one in which the order means something.
func conformProblem(t *testing.T, of ...method.Entry) method.Problem {
	t.Helper()
	return drawProblem(t, conformVertices, conformSignals, of...)
}

func drawProblem(t *testing.T, vertices, signals int, of ...method.Entry) method.Problem {
	t.Helper()
	kernels := conformKernels(t)
	if len(of) > 0 && of[0].Has(method.UsesOrder) {
		y, _ := checks.Causal(*seed, vertices, 2, signals, 0)
		return method.Problem{Y: y, Names: conformNames(vertices), Kernels: kernels}
	}
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, EdgeFactor: 2, Seed: *seed}, kernels,
		synth.SignalSpec{Count: signals, Sparsity: conformSparsity, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := truth.Signals.Dims()
	return method.Problem{Y: truth.Signals, Names: conformNames(n), Kernels: kernels}
}

func conformNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("station %c%d", 'a'+i%26, i)
	}
	return names
}

// with returns the problem with other signals, which are p's own after change.
func with(p method.Problem, change func(y *mat.Dense)) method.Problem {
	p.Y = mat.DenseCopyOf(p.Y)
	change(p.Y)
	return p
}

// without returns the problem without its first vertex.
func without(p method.Problem) method.Problem {
	n, m := p.Y.Dims()
	p.Y, p.Names = mat.DenseCopyOf(p.Y.Slice(1, n, 0, m)), p.Names[1:]
	return p
}

// eachMethod runs a test for every method.
func eachMethod(t *testing.T, test func(t *testing.T, e method.Entry)) {
	t.Helper()
	for _, e := range contenders() {
		t.Run(e.Name(), func(t *testing.T) { test(t, e) })
	}
}

func mustLearn(t *testing.T, m method.Method, p method.Problem) *method.Result {
	t.Helper()
	r, err := m.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// weightsByName returns the weights of a graph by the names they join, in units
// of the heaviest.
func weightsByName(g *graph.Graph) map[[2]string]float64 {
	names, list, heaviest := g.Names(), map[[2]string]float64{}, 0.0
	for _, e := range g.Edges() {
		a, b := names[e.I], names[e.J]
		if !g.Directed() {
			a, b = min(a, b), max(a, b)
		}
		list[[2]string{a, b}] = e.Weight
		heaviest = max(heaviest, e.Weight)
	}
	for pair := range list {
		list[pair] /= heaviest
	}
	return list
}

// apart returns by how much the weights of two graphs differ, as a share of the heaviest.
func apart(g, h *graph.Graph) float64 {
	a, b := weightsByName(g), weightsByName(h)
	worst := 0.0
	for pair := range b {
		worst = max(worst, math.Abs(a[pair]-b[pair]))
	}
	for pair := range a {
		worst = max(worst, math.Abs(a[pair]-b[pair]))
	}
	return worst
}

// wantSame checks that two results are the same graph: the same edges after the
// cut, and before it weights that differ by rounding.
func wantSame(t *testing.T, what string, got, want *method.Result) {
	t.Helper()
	a, b := weightsByName(got.Graph), weightsByName(want.Graph)
	if !maps.EqualFunc(a, b, func(float64, float64) bool { return true }) {
		t.Errorf("%s: %d edges, not the same as the %d without", what, len(a), len(b))
	}
	if d := apart(got.Weights, want.Weights); !(d <= conformTolerance) {
		t.Errorf("%s: weights differ by %.2g of the heaviest", what, d)
	}
}

// wantIdentical checks that two results say the same, to the last bit.
func wantIdentical(t *testing.T, what string, got, want *method.Result) {
	t.Helper()
	switch {
	case !slices.Equal(got.Weights.Edges(), want.Weights.Edges()), !slices.Equal(got.Graph.Edges(), want.Graph.Edges()):
		t.Errorf("%s: another graph", what)
	case !reflect.DeepEqual(got.Method, want.Method), got.Rounds != want.Rounds, got.Status != want.Status:
		t.Errorf("%s: %+v, %d, %s; want %+v, %d, %s", what, got.Method, got.Rounds, got.Status, want.Method, want.Rounds, want.Status)
	}
}

// wantSound checks what holds for every result, however it came about.
func wantSound(t *testing.T, e method.Entry, p method.Problem, r *method.Result) {
	t.Helper()
	names := p.Names
	if n, _ := p.Y.Dims(); names == nil {
		names = graph.DefaultNames(n)
	}
	weights := map[[2]int]float64{}
	for _, edge := range r.Weights.Edges() {
		weights[[2]int{edge.I, edge.J}] = edge.Weight
	}
	for what, g := range map[string]*graph.Graph{"Weights": r.Weights, "Graph": r.Graph} {
		if !slices.Equal(g.Names(), names) {
			t.Errorf("%s has vertices %q, want %q", what, g.Names(), names)
		}
		if g.Directed() != e.Has(method.DirectedEdges) {
			t.Errorf("%s is directed: %t", what, g.Directed())
		}
		for _, edge := range g.Edges() {
			if w := edge.Weight; w == 0 || math.IsNaN(w) || math.IsInf(w, 0) || w < 0 && !e.Has(method.SignedEdges) {
				t.Errorf("%s has weight %g between %d and %d", what, w, edge.I, edge.J)
			}
			if weights[[2]int{edge.I, edge.J}] == 0 { // the learner fits weights again after the cut
				t.Errorf("edge %d–%d has weight %g after the cut and none before", edge.I, edge.J, edge.Weight)
			}
		}
	}
	if !slices.Contains([]method.Status{method.Converged, method.MaxRounds, method.Stalled, method.Interrupted}, r.Status) {
		t.Errorf("status %q", r.Status)
	}
	if r.Method == nil || r.Method.Name() != e.Name() {
		t.Fatalf("the method is %+v, want one of %s", r.Method, e.Name())
	}
	for _, v := range method.Values(r.Method) {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Value < 0 {
			t.Errorf("parameter %s is %g", v.Name, v.Value)
		}
	}
}

func TestMethodsGiveSoundGraphs(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		r := mustLearn(t, e.Default, p)
		wantSound(t, e, p, r)
		if r.Weights.EdgeCount() == 0 || r.Graph.EdgeCount() == 0 {
			t.Errorf("%d weights and %d edges", r.Weights.EdgeCount(), r.Graph.EdgeCount())
		}
		nameless := p
		nameless.Names = nil
		wantSound(t, e, nameless, mustLearn(t, e.Default, nameless))
	})
}

func TestMethodsCommuteWithRelabelling(t *testing.T) {
	slow(t)
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		n, m := p.Y.Dims()
		want := mustLearn(t, e.Default, p)
		for trial := range 1 {
			moved := p
			moved.Y, moved.Names = mat.NewDense(n, m, nil), make([]string, n)
			for k, i := range rng.Stream(*seed, "vertices", trial).Perm(n) {
				moved.Y.SetRow(k, p.Y.RawRowView(i))
				moved.Names[k] = p.Names[i]
			}
			wantSame(t, "relabelled", mustLearn(t, e.Default, moved), want)
		}
	})
}

func TestMethodsIgnoreTheScaleOfAllSignals(t *testing.T) {
	slow(t)
	eachMethod(t, func(t *testing.T, e method.Entry) {
		if e.Name() == (learn.Maretic2017{}).Name() {
			return // the paper's algorithm has one random start, and where that ends depends on rounding
		}
		p := conformProblem(t, e)
		want := mustLearn(t, e.Default, p)
		for _, scale := range []float64{-1, 1e200, 1e-200} {
			scaled := with(p, func(y *mat.Dense) { y.Scale(scale, y) })
			wantSame(t, fmt.Sprintf("scaled by %g", scale), mustLearn(t, e.Default, scaled), want)
		}
	})
}

// What a method chose by itself, set by hand, gives the same graph; and on other
// signals it is not chosen again.
func TestMethodsRepeatWhatTheyChose(t *testing.T) {
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		n, m := p.Y.Dims()
		half := p
		half.Y = mat.DenseCopyOf(p.Y.Slice(0, n, 0, m/2))
		first := mustLearn(t, e.Default, p)
		wantSame(t, fmt.Sprintf("with %+v", first.Method), mustLearn(t, first.Method, p), first)
		chosen := map[string]float64{}
		for _, v := range method.Values(first.Method) {
			chosen[v.Name] = v.Value
		}
		other := mustLearn(t, first.Method, half)
		for _, v := range method.Values(other.Method) {
			if v.Value != chosen[v.Name] && len(other.Warnings) == 0 {
				t.Errorf("%s was %g, and is %g on other signals", v.Name, chosen[v.Name], v.Value)
			}
		}
	})
}

// Cuts keep what they say, of the weights that the method reports.
func TestMethodsCutAsTold(t *testing.T) {
	slow(t)
	eachMethod(t, func(t *testing.T, e method.Entry) {
		p := conformProblem(t, e)
		n, _ := p.Y.Dims()
		for _, edges := range []int{1, n, n * (n - 1) / 2} {
			cut := p
			cut.Cut = graph.Cut{Rule: graph.CutEdges, Edges: edges}
			r := mustLearn(t, e.Default, cut)
			wantSound(t, e, cut, r)
			if want := r.Weights.Strongest(edges); !slices.Equal(r.Graph.Edges(), want.Edges()) {
				t.Errorf("asked for %d edges, got %d, not the %d heaviest", edges, r.Graph.EdgeCount(), want.EdgeCount())
			}
		}
		weights := mustLearn(t, e.Default, p).Weights.Edges()
		if len(weights) == 0 {
			t.Fatal("there is nothing to cut")
		}
		threshold := weights[len(weights)/2].Weight
		cut := p
		cut.Cut = graph.Cut{Rule: graph.CutThreshold, Threshold: threshold}
		r := mustLearn(t, e.Default, cut)
		if want := r.Weights.Above(threshold); !slices.Equal(r.Graph.Edges(), want.Edges()) {
			t.Errorf("above %g: got %d edges, want %d", threshold, r.Graph.EdgeCount(), want.EdgeCount())
		}
	})
}

// slow leaves a law, which needs no second thread, out of the short tests: the race
// detector runs those, many times slower.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
}
