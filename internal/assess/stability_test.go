package assess

import (
	"context"
	"errors"
	"flag"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

func mustGraph(t testing.TB, n int, edges ...graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// star joins vertex 0 to all others; the lower the number, the heavier the edge.
func star(t testing.TB, n int) *graph.Graph {
	t.Helper()
	var edges []graph.Edge
	for j := 1; j < n; j++ {
		edges = append(edges, graph.Edge{I: 0, J: j, Weight: float64(n-j) * float64(n-j)})
	}
	return mustGraph(t, n, edges...)
}

var seed = flag.Uint64("seed", 1, "seed of every random draw")

// A setting is a kind of signals to learn from.
type setting struct {
	family   synth.Family
	n, m     int
	atoms    int // drawn for each signal
	sparsity int // learned with
	noise    float64
}

// learned is a result on synthetic signals, and the signals.
func learned(t *testing.T, s setting, o learn.Options) (*learn.Result, *synth.Truth) {
	t.Helper()
	model := learn.PaperModel()
	truth, err := synth.Generate(synth.GraphSpec{Family: s.family, Vertices: s.n, Seed: *seed}, model.Kernels,
		synth.SignalSpec{Count: s.m, Sparsity: s.atoms, Noise: s.noise, Seed: *seed})
	if err != nil {
		t.Fatal(err)
	}
	model.Sparsity = s.sparsity
	o.Seed = *seed
	result, err := learn.Fit(t.Context(), truth.Signals, model, o)
	if err != nil {
		t.Fatal(err)
	}
	return result, truth
}

// What halves find by turns has evidence in closed form: of the star's edges, the
// even halves give all, and the odd ones none but the last, which they put first.
func TestEvidenceInClosedForm(t *testing.T) {
	const n, pairs = 6, 4
	g := star(t, n)
	odd := mustGraph(t, n, graph.Edge{I: 0, J: n - 1, Weight: 1})
	tally := newTally(g, g, 2*pairs)
	for k := range 2 * pairs {
		tally.add(k, []*graph.Graph{g, odd}[k%2])
	}
	// 5 edges of 15 pairs, one of which both halves find.
	if got, want := tally.agreement(), (1.0/5-1.0/3)/(1-1.0/3); math.Abs(got-want) > 1e-15 {
		t.Errorf("agreement: got %g, want %g", got, want)
	}
	for e := range n - 1 {
		found, strength := 4.0, 4*(1-float64(e)/5)
		if e == n-2 {
			found, strength = 8, strength+4
		}
		want := support{math.Log((found + 0.5) / (8.5 - found)), math.Log((strength + 0.5) / (8.5 - strength)), 0.25}
		if got := tally.support(e, 0.25); math.Abs(got.found-want.found) > 1e-12 || math.Abs(got.strength-want.strength) > 1e-12 || got.agreement != 0.25 {
			t.Errorf("edge %d: got %+v, want %+v", e, got, want)
		}
	}
}

func TestAgreementIs1ForEqualHalvesAnd0ByChance(t *testing.T) {
	g := star(t, 8)
	same := newTally(g, g, 4)
	for k := range 4 {
		same.add(k, g)
	}
	if got := same.agreement(); got != 1 {
		t.Errorf("equal halves: got %g, want 1", got)
	}
	const n, edges, pairs = 20, 40, 200
	r := rng.Stream(*seed, "chance")
	random := func() *graph.Graph {
		var some []graph.Edge
		for _, p := range r.Perm(n * (n - 1) / 2)[:edges] {
			i, j := 0, p+1
			for ; j >= n; i, j = i+1, j-n+i+2 {
			}
			some = append(some, graph.Edge{I: i, J: j, Weight: 1 + r.Float64()})
		}
		return mustGraph(t, n, some...)
	}
	ring := mustGraph(t, n, slices.Collect(func(yield func(graph.Edge) bool) {
		for i := range edges {
			if !yield(graph.Edge{I: i % n, J: (i + 1 + i/n) % n, Weight: 1}) {
				return
			}
		}
	})...)
	chance := newTally(ring, ring, 2*pairs)
	for k := range 2 * pairs {
		chance.add(k, random())
	}
	// The mean of 200 shares, each of deviation 0.06.
	if got := chance.agreement(); math.Abs(got) > 6*0.06/math.Sqrt(pairs) {
		t.Errorf("random halves: got %g, want 0", got)
	}
}

// Who keeps only the strongest edges is as sure of them as who keeps all.
func TestCuttingMoreDoesNotLowerTheConfidence(t *testing.T) {
	g := star(t, 30)
	all, few := newTally(g, g, 2), newTally(g, g.Strongest(3), 2)
	for k := range 2 {
		all.add(k, g)
		few.add(k, g)
	}
	for e := range 3 {
		if a, b := all.support(e, 1), few.support(e, 1); a != b {
			t.Errorf("edge %d: %+v among all, %+v among few", e, a, b)
		}
	}
}

func TestProbabilityRisesWithHowOftenAndHowStronglyAnEdgeIsFound(t *testing.T) {
	r := rng.Stream(*seed, "evidence")
	for range 1000 {
		e := support{4 * r.NormFloat64(), 4 * r.NormFloat64(), r.Float64()}
		p := probability(e)
		for _, more := range []support{{e.found + 1, e.strength, e.agreement}, {e.found, e.strength + 1, e.agreement}} {
			if q := probability(more); q < p || p < 0 || q > maxConfidence {
				t.Fatalf("%+v has %g, %+v has %g", e, p, more, q)
			}
		}
	}
	if low, high := probability(support{-99, -99, 0.5}), probability(support{99, 99, 0.5}); low != 0 || high != maxConfidence {
		t.Errorf("the least is %g and the most %g", low, high)
	}
}

func TestMoreHalvesSayMore(t *testing.T) {
	if logit(10, 10) >= logit(40, 40) || logit(5, 10) != 0 || math.Abs(logit(2, 10)+logit(8, 10)) > 1e-15 {
		t.Error("the logit of a share is wrong")
	}
	before := math.MaxInt
	for _, size := range []int{10, 1000, 20_000, 50_000, 200_000, 1_000_000, 100_000_000} {
		pairs := HalfSamplePairs(size/10, 10)
		if pairs > before || pairs < leastPairs || pairs > mostPairs || size <= fullEffort && pairs != mostPairs {
			t.Errorf("%d numbers: %d pairs", size, pairs)
		}
		before = pairs
	}
}

func TestAProvedGraphHasConfidence1AtNoCost(t *testing.T) {
	result := &learn.Result{Graph: star(t, 6), Certified: true}
	c, err := Stability(t.Context(), mat.NewDense(6, 40, nil), asMethod(result), StabilityOptions{Report: func(int, int) { t.Error("a half was learned from") }})
	if err != nil {
		t.Fatal(err)
	}
	if c.AtLeast(1) != result.Graph.EdgeCount() || c.Halves != 0 || c.Agreement != 1 {
		t.Errorf("%d of %d edges have 1, from %d halves", c.AtLeast(1), result.Graph.EdgeCount(), c.Halves)
	}
}

func TestConfidenceDoesNotDependOnThreads(t *testing.T) {
	for name, o := range map[string]learn.Options{"all pairs": {}, "candidates": {LargeFrom: 10}} {
		result, truth := learned(t, setting{synth.FamilyER, 16, 60, 3, 3, 0.3}, o)
		if result.Large != (o.LargeFrom > 0) {
			t.Fatalf("%s: not learned so", name)
		}
		var want []float64
		for _, threads := range []int{1, 3} {
			reports := 0
			c, err := Stability(t.Context(), truth.Signals, asMethod(result), StabilityOptions{Pairs: 3, Seed: 7, Threads: threads, Report: func(done, all int) {
				if reports++; done != reports || all != 6 {
					t.Errorf("report %d says %d of %d", reports, done, all)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = c.Graph.Confidence()
			}
			if got := c.Graph.Confidence(); !slices.Equal(got, want) || c.Halves != 6 || reports != 6 || !slices.Equal(c.Graph.Edges(), result.Graph.Edges()) {
				t.Errorf("%s, %d threads: got %v from %d halves, want %v", name, threads, got, c.Halves, want)
			}
		}
	}
}

// Kernels that were chosen are not chosen again from each half.
func TestHalvesLearnTheModelThatWasFound(t *testing.T) {
	result, truth := learned(t, setting{synth.FamilyER, 16, 60, 3, 3, 0.5}, learn.Options{Kernels: learn.KernelsScaled})
	given := *result
	given.Options.Kernels = learn.KernelsGiven
	var want []float64
	for _, r := range []*learn.Result{&given, result} {
		c, err := Stability(t.Context(), truth.Signals, asMethod(r), StabilityOptions{Pairs: 2, Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = c.Graph.Confidence()
		}
		if got := c.Graph.Confidence(); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v as with these kernels given", got, want)
		}
	}
}

func TestWhatCannotBeLearnedFromIsAnError(t *testing.T) {
	g, broken := star(t, 6), errors.New("broken")
	failing := func(context.Context, *mat.Dense) (*graph.Graph, error) { return nil, broken }
	if _, err := tallyHalves(t.Context(), mat.NewDense(6, 40, nil), g, g, StabilityOptions{}, failing); !errors.Is(err, broken) {
		t.Errorf("a learner that fails: got %v", err)
	}
	for name, c := range map[string]struct {
		vertices, signals int
		o                 StabilityOptions
	}{
		"other vertices": {5, 40, StabilityOptions{}}, "few signals": {6, 7, StabilityOptions{}},
		"long blocks": {6, 40, StabilityOptions{Block: 20}}, "fewer than no pairs": {6, 40, StabilityOptions{Pairs: -1}},
	} {
		y := mat.NewDense(c.vertices, c.signals, nil)
		_, byHalves := tallyHalves(t.Context(), y, g, g, c.o, failing)
		_, ofField := FieldConfidence(t.Context(), y, g, g, nil, c.o)
		for _, err := range []error{byHalves, ofField} {
			if _, ok := errors.AsType[*input.Error](err); !ok {
				t.Errorf("%s: got %v, want an input.Error", name, err)
			}
		}
	}
}

// Of the edges at 0.9 or more, nine in ten at least are true, in settings of all
// kinds, and where signals determine the graph most edges are that sure.
func TestConfidenceIsCalibrated(t *testing.T) {
	slow(t)
	sure, right := 0, 0
	for k, s := range []setting{
		{synth.FamilyER, 20, 200, 4, 4, 0.1}, // easy
		{synth.FamilyRBF, 20, 60, 6, 4, 0.4},
		{synth.FamilyER, 20, 40, 2, 2, 0.4},
	} {
		result, truth := learned(t, s, learn.Options{})
		c, err := Stability(t.Context(), truth.Signals, asMethod(result), StabilityOptions{Seed: *seed, Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		for e, edge := range c.Graph.Edges() {
			if c.Graph.Confidence()[e] < 0.9 {
				continue
			}
			if sure++; truth.Graph.HasEdge(edge.I, edge.J) {
				right++
			}
		}
		if k == 0 && float64(right) < 0.8*float64(truth.Graph.EdgeCount()) {
			t.Errorf("of %d edges %d are sure, want four in five", truth.Graph.EdgeCount(), right)
		}
	}
	if float64(right) < 0.9*float64(sure) {
		t.Errorf("of %d edges at 0.9 or more %d are true, want nine in ten", sure, right)
	}
}
