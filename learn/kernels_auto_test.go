package learn_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// drawn returns signals of the given kernels on a random graph.
func drawn(vertices int, s synth.SignalSpec, specs ...string) *synth.Truth {
	s.Seed = *seed
	truth := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: *seed}, kernelsOf(specs...), s))
	return truth
}

func edgeF1(t testing.TB, r *learn.Result, truth *synth.Truth) float64 {
	t.Helper()
	return score(t, r, truth).f1
}

func TestScalesOfKernelsAreLearnedWithTheGraph(t *testing.T) {
	slow(t)
	truth := drawn(25, synth.SignalSpec{Count: 300, Sparsity: 3}, "heat:2", "highpass:1")
	r := fit(t, truth.Signals, learn.Model{Kernels: kernelsOf("heat:1", "highpass:2")}, learn.Options{Kernels: learn.KernelsScaled})
	if f1 := edgeF1(t, r, truth); f1 < 1 || r.Model.Sparsity != 3 {
		t.Errorf("edge F1 %.4f, %d atoms per signal, want 3", f1, r.Model.Sparsity)
	}
	for s, want := range []float64{2, 1} {
		if got := r.Model.Kernels[s].Scale(); math.Abs(got-want) > 0.01*want {
			t.Errorf("scale %g, want %g", got, want)
		}
	}
	if r.Certified && !mat.EqualApprox(r.Graph.Laplacian(), truth.Graph.Laplacian(), 1e-6) {
		t.Error("the certified Laplacian is not the true one")
	}
}

func TestNothingNeedBeGiven(t *testing.T) {
	slow(t)
	for _, c := range []struct {
		name     string
		kernels  []string
		sparsity int
		noise    float64
	}{
		{"with two atoms and noise", []string{"heat:2", "highpass:1"}, 2, 0.1},
		{"of other scales", []string{"heat:1", "highpass:2"}, 3, 0},
	} {
		truth := drawn(15, synth.SignalSpec{Count: 200, Sparsity: c.sparsity, Noise: c.noise}, c.kernels...)
		r := fit(t, truth.Signals, learn.Model{}, learn.Options{})
		if f1 := edgeF1(t, r, truth); f1 < 0.98 || r.Model.Sparsity != c.sparsity {
			t.Errorf("%s: edge F1 %.4f, %d atoms per signal, want %d", c.name, f1, r.Model.Sparsity, c.sparsity)
		}
		if math.Abs(r.Noise-c.noise) > 0.1*c.noise+1e-3 {
			t.Errorf("%s: noise %.4f, want %.4f", c.name, r.Noise, c.noise)
		}
	}
}

// A field has no few atoms. Kernels that code it vertex by vertex are not kept:
// their graph joins vertices that have nothing to do with each other.
func TestLowPassKernelsAreTakenForAField(t *testing.T) {
	slow(t)
	sample := must(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25}))
	y := field(sample.Graph, 400)
	r := fit(t, y, learn.Model{}, learn.Options{Names: sample.Graph.Names()})
	if name := r.Model.Kernels[0].Name; len(r.Model.Kernels) != 1 || name != "heat:1" && name != "heat:2" {
		t.Errorf("got %d kernels, first %s, want one low-pass kernel", len(r.Model.Kernels), name)
	}
	if len(r.KernelScores) == 0 || len(r.Path) == 0 {
		t.Fatal("there is no record of the choices")
	}
	want, found := pairs(sample.Graph), pairs(r.Graph)
	hits := 0
	for _, p := range found {
		if slices.Contains(want, p) {
			hits++
		}
	}
	if hits*10 < 7*len(found) || hits*10 < 5*len(want) {
		t.Errorf("%d of %d edges found are among the %d true ones", hits, len(found), len(want))
	}
}

// field draws signals from the Gaussian Markov field of precision L + 0.05·I.
func field(g *graph.Graph, signals int) *mat.Dense {
	n := g.Vertices()
	precision := mat.NewSymDense(n, nil)
	lap := g.Laplacian()
	for i := range n {
		for j := i; j < n; j++ {
			precision.SetSym(i, j, lap.At(i, j))
		}
		precision.SetSym(i, i, lap.At(i, i)+0.05)
	}
	var chol mat.Cholesky
	if !chol.Factorize(precision) {
		panic("the precision is not positive definite")
	}
	var lower mat.TriDense
	chol.UTo(&lower)
	random := rng.Stream(*seed, "field")
	white := mat.NewDense(n, signals, nil)
	white.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, white)
	var y mat.Dense
	if err := y.Solve(&lower, white); err != nil {
		panic(err)
	}
	return &y
}

func TestFreeKernelsAreLearnedWithTheGraph(t *testing.T) {
	slow(t)
	truth := drawn(20, synth.SignalSpec{Count: 250, Sparsity: 3, Noise: 0.05}, "heat:2", "highpass:1")
	r := fit(t, truth.Signals, learn.Model{Sparsity: 3}, learn.Options{Kernels: learn.KernelsFree, KernelCount: 2})
	if f1 := edgeF1(t, r, truth); f1 < 0.95 {
		t.Errorf("edge F1 %.4f", f1)
	}
	if len(r.Model.Kernels) != 2 {
		t.Fatalf("%d kernels, want 2", len(r.Model.Kernels))
	}
	// Low-pass first; the codes are in the same order, and explain the signals.
	low := r.Model.Kernels[0]
	if low.Eval(0) < low.Eval(1.5) {
		t.Error("the first kernel is not the low-pass one")
	}
	if left := recomputed(r.Graph, r, truth.Signals); math.Abs(left-r.Residual) > 1e-6 {
		t.Errorf("the codes leave %g, not %g", left, r.Residual)
	}
}

// overlap returns the F1 between the edges of two graphs of the same vertices.
func overlap(g, truth *graph.Graph) float64 {
	f1 := must(metrics.EdgeF1(g, truth))
	return f1
}

func TestPruningPathCutsWhereNoGapTells(t *testing.T) {
	slow(t)
	truth := drawn(30, synth.SignalSpec{Count: 300, Sparsity: 3, Noise: 0.5}, "heat:2", "highpass:1")
	m := learn.PaperModel()
	m.Sparsity = 3
	r := fit(t, truth.Signals, m, learn.Options{})
	gap, _ := r.Weights.CutAtGap()
	if len(r.Path) == 0 {
		if r.Threshold.Gap < 2 {
			t.Errorf("no path, but the gap is a guess: ratio %.3g", r.Threshold.Gap)
		}
		return
	}
	if f1, before := edgeF1(t, r, truth), overlap(gap, truth.Graph); f1 < before-0.05 {
		t.Errorf("edge F1 %.4f, at the gap %.4f", f1, before)
	}
	for k, p := range r.Path[1:] {
		if p.Edges >= r.Path[k].Edges || p.Graph.EdgeCount() != p.Edges {
			t.Errorf("step %d: %d edges after %d", k+1, p.Edges, r.Path[k].Edges)
		}
	}
	some := fit(t, truth.Signals, m, learn.Options{Cut: graph.Cut{Rule: graph.CutEdges, Edges: 40}})
	if got := some.Graph.EdgeCount(); got != 40 {
		t.Errorf("%d edges, want the 40 asked for", got)
	}
}
