package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func mustNew(t *testing.T, n int, edges ...Edge) *Graph {
	t.Helper()
	g, err := New(DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func random(t *testing.T, n int, p float64) *Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(n)))
	var edges []Edge
	for i := range n {
		for j := range i {
			if r.Float64() < p {
				edges = append(edges, Edge{i, j, 0.1 + r.Float64()})
			}
		}
	}
	return mustNew(t, n, edges...)
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		names []string
		edge  []Edge
		want  string
	}{
		"a vertex that does not exist": {DefaultNames(2), []Edge{{0, 2, 1}}, "the vertices are 0 to 1"},
		"a self-loop":                  {DefaultNames(2), []Edge{{1, 1, 1}}, `self-loop at vertex "v1"`},
		"a NaN":                        {DefaultNames(2), []Edge{{0, 1, math.NaN()}}, "not a finite number"},
		"an infinite weight":           {DefaultNames(2), []Edge{{0, 1, math.Inf(1)}}, "not a finite number"},
		"an edge in both directions":   {DefaultNames(2), []Edge{{0, 1, 1}, {1, 0, 1}}, "given twice"},
		"two vertices of one name":     {[]string{"a", "b", "a"}, nil, `vertices 0 and 2 have the same name "a"`},
	} {
		if _, err := New(c.names, c.edge); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func TestEdgesAreSortedAndOriented(t *testing.T) {
	g := mustNew(t, 4, Edge{3, 2, 1}, Edge{2, 0, 2}, Edge{1, 0, 3}, Edge{1, 2, 0})
	want := []Edge{{0, 1, 3}, {0, 2, 2}, {2, 3, 1}}
	if got := g.Edges(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestLaplacianSpectrumLiesInZeroTwo(t *testing.T) {
	g := random(t, 30, 0.2)
	var eig mat.EigenSym
	if !eig.Factorize(g.Laplacian(), false) {
		t.Fatal("eigendecomposition failed")
	}
	values := eig.Values(nil)
	_, components := g.Components()
	zeros := 0
	for _, v := range values {
		if v < -1e-12 || v > 2+1e-12 {
			t.Errorf("eigenvalue %g outside [0, 2]", v)
		}
		if math.Abs(v) < 1e-10 {
			zeros++
		}
	}
	// An isolated vertex has L_ii = 1 here, so it adds no zero eigenvalue.
	if want := components - len(g.Isolated()); zeros != want {
		t.Errorf("%d zero eigenvalues, want %d", zeros, want)
	}
}

func TestLaplacianOfIsolatedVertexIsFinite(t *testing.T) {
	l := mustNew(t, 3, Edge{0, 1, 5}).Laplacian()
	want := mat.NewSymDense(3, []float64{1, -1, 0, -1, 1, 0, 0, 0, 1})
	if !mat.EqualApprox(l, want, 1e-15) {
		t.Errorf("got %v", mat.Formatted(l))
	}
}

func TestLaplacianIgnoresScale(t *testing.T) {
	g := random(t, 12, 0.4)
	for _, scale := range []float64{1e-300, 3, 1e307} {
		edges := g.Edges()
		for k := range edges {
			edges[k].Weight *= scale
		}
		s := mustNew(t, 12, edges...)
		if !mat.EqualApprox(s.Laplacian(), g.Laplacian(), 1e-12) {
			t.Errorf("scale %g changes the normalised Laplacian", scale)
		}
	}
}

func TestCombinatorialLaplacianIsQuadraticForm(t *testing.T) {
	g := random(t, 10, 0.5)
	x := mat.NewVecDense(10, nil)
	for i := range 10 {
		x.SetVec(i, float64(i*i%7))
	}
	var want float64
	for _, e := range g.Edges() {
		want += e.Weight * math.Pow(x.AtVec(e.I)-x.AtVec(e.J), 2)
	}
	if got := mat.Inner(x, g.CombinatorialLaplacian(), x); math.Abs(got-want) > 1e-12*want {
		t.Errorf("xᵀLx = %g, want Σ w(x_i − x_j)² = %g", got, want)
	}
}

func TestFromWeightsInvertsWeights(t *testing.T) {
	g := random(t, 15, 0.3)
	back, err := FromWeights(g.Names(), g.Weights())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Edges(), g.Edges()) {
		t.Error("edges changed on the way through the weight matrix")
	}
	bad := mat.NewSymDense(2, []float64{1, 0, 0, 0})
	if _, err := FromWeights(DefaultNames(2), bad); err == nil {
		t.Error("a diagonal entry was accepted")
	}
}

func TestComponents(t *testing.T) {
	g := mustNew(t, 7, Edge{5, 1, 1}, Edge{1, 3, 1}, Edge{2, 4, 1})
	label, count := g.Components()
	if want := []int{0, 1, 2, 1, 2, 1, 3}; !slices.Equal(label, want) || count != 4 {
		t.Errorf("got %v (%d components), want %v", label, count, want)
	}
	if got := g.Isolated(); !slices.Equal(got, []int{0, 6}) {
		t.Errorf("isolated: got %v", got)
	}
	s, kept := g.WithoutIsolated()
	if s.Vertices() != 5 || s.EdgeCount() != 3 || !slices.Equal(kept, []int{1, 2, 3, 4, 5}) || s.Names()[0] != "v1" {
		t.Errorf("stripped: %d vertices, %d edges, kept %v, names %v", s.Vertices(), s.EdgeCount(), kept, s.Names())
	}
}

func TestCuts(t *testing.T) {
	g := mustNew(t, 5, Edge{0, 1, 3}, Edge{1, 2, 1}, Edge{2, 3, 2}, Edge{3, 4, 1})
	for k, want := range []int{0, 1, 2, 3, 4, 4} {
		if got := g.Strongest(k).EdgeCount(); got != want {
			t.Errorf("Strongest(%d) keeps %d edges, want %d", k, got, want)
		}
	}
	if got := g.Strongest(3).Edges(); !slices.Equal(got, []Edge{{0, 1, 3}, {1, 2, 1}, {2, 3, 2}}) {
		t.Errorf("Strongest(3) = %v: a tie must go to the first pair", got)
	}
	for x, want := range map[float64]int{0: 4, 1: 4, 1.5: 2, 3: 1, 4: 0} {
		if got := g.Above(x).EdgeCount(); got != want {
			t.Errorf("Above(%g) keeps %d edges, want %d", x, got, want)
		}
	}
	if g.Above(math.NaN()).EdgeCount() != 0 {
		t.Error("Above(NaN) keeps edges")
	}
}

func TestCutAppliesItsRule(t *testing.T) {
	g := random(t, 20, 0.4)
	for name, c := range map[string]struct {
		cut  Cut
		want *Graph
	}{
		"nothing said": {Cut{}, first(g.CutAtGap())},
		"auto":         {Cut{Rule: CutAuto}, first(g.CutAtGap())},
		"edges":        {Cut{Rule: CutEdges, Edges: 7}, g.Strongest(7)},
		"threshold":    {Cut{Rule: CutThreshold, Threshold: 0.5}, g.Above(0.5)},
	} {
		if _, fault := c.cut.Fault(20); fault != "" {
			t.Errorf("%s: %s", name, fault)
		}
		if !slices.Equal(c.cut.Apply(g).Edges(), c.want.Edges()) {
			t.Errorf("%s: other edges than the rule's", name)
		}
	}
	for field, c := range map[string]Cut{
		"cut": {Rule: "soup"}, "edges": {Rule: CutEdges, Edges: 191}, "threshold": {Rule: CutThreshold, Threshold: math.NaN()},
	} {
		if got, _ := c.Fault(20); got != field {
			t.Errorf("%+v: fault in %q, want %q", c, got, field)
		}
	}
}

func first[A, B any](a A, _ B) A { return a }

func TestGapStandsAtPlantedEdges(t *testing.T) {
	planted := random(t, 40, 0.15)
	w := planted.Weights()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		for j := i + 1; j < 40; j++ {
			if w.At(i, j) == 0 {
				w.SetSym(i, j, 1e-3*r.Float64())
			}
		}
	}
	noisy, err := FromWeights(planted.Names(), w)
	if err != nil {
		t.Fatal(err)
	}
	cut, gap := noisy.CutAtGap()
	if !slices.Equal(cut.Edges(), planted.Edges()) || gap.Edges != planted.EdgeCount() || gap.Ratio < 10 {
		t.Errorf("gap %+v keeps %d edges, want the %d planted ones", gap, cut.EdgeCount(), planted.EdgeCount())
	}
}

func TestAboveShareIsRelativeToTheHeaviest(t *testing.T) {
	// A ring has equal normalised weights; a chord of a thousandth is negligible.
	edges := []Edge{{0, 2, 1e-3}}
	for i := range 6 {
		edges = append(edges, Edge{i, (i + 1) % 6, 1})
	}
	g := mustNew(t, 6, edges...)
	for share, want := range map[float64]int{0: 7, 1e-4: 7, 0.01: 6, 2: 0} {
		if got := g.AboveShare(share).EdgeCount(); got != want {
			t.Errorf("AboveShare(%g) keeps %d edges, want %d", share, got, want)
		}
	}
}

func TestFewEdgesStandBeforeAGap(t *testing.T) {
	g := mustNew(t, 10, Edge{0, 1, 1}, Edge{1, 2, 1}, Edge{4, 5, 1}) // fewer than N/2
	if cut, gap := g.CutAtGap(); cut.EdgeCount() != 3 || gap.Ratio < 10 {
		t.Errorf("cut to %d edges (%+v)", cut.EdgeCount(), gap)
	}
}

func TestGapOfGraphsWithoutOneKeepsEverything(t *testing.T) {
	var all []Edge
	for i := range 6 {
		for j := range i {
			all = append(all, Edge{i, j, 1})
		}
	}
	for name, g := range map[string]*Graph{
		"complete": mustNew(t, 6, all...),
		"empty":    mustNew(t, 6),
		"one edge": mustNew(t, 2, Edge{0, 1, 1}),
	} {
		if cut, gap := g.CutAtGap(); cut.EdgeCount() != g.EdgeCount() || gap.Ratio < 1 {
			t.Errorf("%s: cut to %d edges (%+v)", name, cut.EdgeCount(), gap)
		}
	}
}

// Pairs and HasEdge tell the same edges, whichever way round they are asked for.
func TestPairsAreThoseThatHaveAnEdge(t *testing.T) {
	g, err := New(DefaultNames(4), []Edge{{3, 1, 2}, {0, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	pairs := g.Pairs()
	if want := [][2]int{{0, 1}, {1, 3}}; !slices.Equal(pairs, want) {
		t.Errorf("got %v, want %v", pairs, want)
	}
	for i := range 4 {
		for j := range 4 {
			if want := slices.Contains(pairs, [2]int{min(i, j), max(i, j)}); g.HasEdge(i, j) != want {
				t.Errorf("(%d, %d): got %t", i, j, !want)
			}
		}
	}
	if none, err := New(DefaultNames(2), nil); err != nil || none.Pairs() == nil {
		t.Errorf("the pairs of a graph without edges are nil (%v)", err)
	}
}

func TestVerticesWithoutTheirEdgesStay(t *testing.T) {
	g := mustNew(t, 3, Edge{0, 1, 1}, Edge{1, 2, 2})
	alone := g.Without(func(i int) bool { return i == 0 })
	if alone.Vertices() != 3 || !slices.Equal(alone.Edges(), []Edge{{1, 2, 2}}) {
		t.Errorf("got %v", alone.Edges())
	}
	part := g.Part([]int{2, 1})
	if !slices.Equal(part.Names(), []string{"v2", "v1"}) || !slices.Equal(part.Edges(), []Edge{{0, 1, 2}}) {
		t.Errorf("got %v, %v", part.Names(), part.Edges())
	}
}
