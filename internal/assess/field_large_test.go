package assess

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// The edges of a chain are sure; an edge that skips a vertex is not, nor is one between vertices that have nothing
// to do with each other: with all pairs looked at and without, on any number of threads.
func TestEdgesOfAFieldAreSureAndOthersAreNot(t *testing.T) {
	const n = 15
	y, r := chainField(t, n, 300)
	edges := []graph.Edge{{I: 2, J: 4, Weight: 0.5}, {I: 0, J: 12, Weight: 0.5}}
	for i := range n - 1 {
		edges = append(edges, graph.Edge{I: i, J: i + 1, Weight: 0.5})
	}
	g := mustGraph(t, n, edges...)
	for _, dense := range []int{0, MostDensePairs} {
		var all [][]float64
		for _, threads := range []int{1, 3} {
			c, err := fieldConfidence(t.Context(), y, r.Weights, g, evidenceOf(t, y, r.Weights, g), StabilityOptions{Seed: *seed, Threads: threads}, dense)
			if err != nil {
				t.Fatal(err)
			}
			for k, e := range c.Graph.Edges() {
				if got := c.Graph.Confidence()[k]; (got >= 0.9) != (e.J == e.I+1) {
					t.Errorf("edge %d–%d: got %g", e.I, e.J, got)
				}
			}
			all = append(all, c.Graph.Confidence())
		}
		if !slices.Equal(all[0], all[1]) {
			t.Errorf("got %v and %v", all[0], all[1])
		}
	}
}

// In noise no edge is sure, though the strongest of all pairs are edges.
func TestNoEdgeOfManyInNoiseIsSure(t *testing.T) {
	const n, m = 120, 200
	draw := rng.Stream(*seed, "noise of many")
	y := mat.NewDense(n, m, nil)
	for i := range n {
		for k := range m {
			y.Set(i, k, draw.NormFloat64())
		}
	}
	c := correlations(y)
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if r := c.Data[i*n+j]; r > 0.15 {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: r})
			}
		}
	}
	g := mustGraph(t, n, edges...)
	got, err := fieldConfidence(t.Context(), y, g, g, evidenceOf(t, y, g, g), StabilityOptions{Seed: *seed}, 0)
	if err != nil || got.AtLeast(0.5) > 0 {
		t.Errorf("%d of %d edges have a confidence of at least a half, %v", got.AtLeast(0.5), g.EdgeCount(), err)
	}
}

func TestNotByChanceIsOneLessTheRate(t *testing.T) {
	tally := fieldTally{vertices: 5, observed: 103, edges: []graph.Edge{{I: 0, J: 1}, {I: 0, J: 2}}}
	correlation := linalg.NewDense(5, 5)
	correlation.Data[1], correlation.Data[2] = -math.Tanh(0.25), math.Tanh(0.2) // 2.5 and 2 standard errors of 0.1
	tally.near = allPairs{correlation: correlation}
	chance := func(z float64) float64 { return 2 * distuv.UnitNormal.Survival(z) }
	for k, want := range []float64{1 - 10*chance(2.5), 1 - 5*chance(2)} { // of ten pairs
		if got := tally.notByChance()[k]; math.Abs(got-want) > 6e-4 {
			t.Errorf("edge %d: got %g, want %g", k, got, want)
		}
	}
}

// Pairs are the edges, the largest weights and those with a common neighbour; the forest of their
// largest correlations is the tree of all, where that has no other pair.
func TestFewPairs(t *testing.T) {
	y, r := chainField(t, 9, 400)
	x := unitsOf(y).standardised(y)
	var chain []graph.Edge
	for i := range 8 {
		chain = append(chain, graph.Edge{I: i, J: i + 1, Weight: 1})
	}
	g := mustGraph(t, 9, chain...)
	few, all := newFewPairs(x, r.Weights.Strongest(0), g, 2, false, 2), allPairs{correlation: correlations(y)}
	if want := all.tree(); len(few.tree()) != len(want) {
		t.Errorf("got a forest of %d edges, want %d", len(few.tree()), len(want))
	} else {
		for pair := range want {
			if !few.tree()[pair] {
				t.Errorf("%v is not in the forest", pair)
			}
		}
	}
	for _, e := range chain {
		if a, b := few.at(e.I, e.J), all.at(e.I, e.J); math.Abs(a-b) > 1e-12 {
			t.Errorf("edge %d–%d: got a correlation of %g, want %g", e.I, e.J, a, b)
		}
	}
	pairs := few.candidates(nil, nil, 2)
	skipping := slices.DeleteFunc(slices.Clone(pairs), func(p [2]int) bool { return p[1] == p[0]+1 })
	if len(pairs) != 10 || len(skipping) != 2 || !slices.IsSortedFunc(pairs, comparePairs) {
		t.Errorf("got %v", pairs)
	}
	for _, p := range skipping {
		for i := range 7 {
			if p != [2]int{i, i + 2} && !slices.Contains(skipping, [2]int{i, i + 2}) && all.at(i, i+2) > all.at(p[0], p[1]) {
				t.Errorf("%v is a candidate before %d–%d, which is closer", p, i, i+2)
			}
		}
	}
}

// Regressed on all others, vertices have the partial correlations of the inverse covariance.
func TestRegressedPairsAreThoseOfTheInverse(t *testing.T) {
	y, _ := chainField(t, 6, 300)
	c := correlations(y)
	var inverse mat.Dense
	if err := inverse.Inverse(mat.NewDense(6, 6, c.Data)); err != nil {
		t.Fatal(err)
	}
	var pairs [][2]int
	for i := range 6 {
		for j := i + 1; j < 6; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	g, err := pruneRegressed(t.Context(), y, pairs, len(pairs), true, 2)
	if err != nil || g.EdgeCount() != len(pairs) {
		t.Fatal(g, err)
	}
	for _, e := range g.Edges() {
		if want := -inverse.At(e.I, e.J) / math.Sqrt(inverse.At(e.I, e.I)*inverse.At(e.J, e.J)); math.Abs(e.Weight-want) > 1e-9 {
			t.Errorf("edge %d–%d: got %g, want %g", e.I, e.J, e.Weight, want)
		}
	}
}

// Regressions and the likelihood of all pairs prune to the same edges of a field, of about the same weight.
func TestRegressionsPruneAsTheLikelihoodDoes(t *testing.T) {
	y, r := chainField(t, 40, 400)
	pairs := allPairs{correlation: correlations(y)}.candidates(r.Weights, r.Graph, 39)
	want, err := baseline.PruneTo(t.Context(), y, pairs, 39, false)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pruneRegressed(t.Context(), y, pairs, 39, false, 1)
	if err != nil || !slices.Equal(got.Pairs(), want.Pairs()) {
		t.Fatalf("got %v, want %v, %v", got.Pairs(), want.Pairs(), err)
	}
	for k, e := range got.Edges() {
		if w := want.Edges()[k].Weight; math.Abs(e.Weight-w) > 0.05 {
			t.Errorf("edge %d–%d: got %g, want about %g", e.I, e.J, e.Weight, w)
		}
	}
}

// Where signals are few, a vertex of many neighbours is regressed on the closest.
func TestHubsAreRegressedOnTheClosest(t *testing.T) {
	y, _ := chainField(t, 12, 20) // four regressors
	var pairs [][2]int
	for j := 1; j < 12; j++ {
		pairs = append(pairs, [2]int{0, j})
	}
	x := unitsOf(y).standardised(y)
	on := newRegressions(t.Context(), x, pairs, 1).vertices[0].on
	if len(on) != 4 || !slices.IsSorted(on) {
		t.Fatalf("got %v", on)
	}
	size := func(j int) float64 { return math.Abs(linalg.Dot(linalg.Row(x, 0), linalg.Row(x, j))) }
	for j := 1; j < 12; j++ {
		for _, i := range on {
			if !slices.Contains(on, j) && size(j) > size(i) {
				t.Errorf("%d is left out for %d, which is less close", j, i)
			}
		}
	}
	if g, err := pruneRegressed(t.Context(), y, pairs, 11, true, 1); err != nil || g.EdgeCount() != 11 {
		t.Errorf("got %v, %v: regressions of the others are left", g, err)
	}
}
