package graph

import (
	"slices"
	"strings"
	"testing"
)

func named(t *testing.T, names string, edges ...Edge) *Graph {
	t.Helper()
	g, err := New(strings.Fields(names), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// edgesByName lists edges by the names of their ends, in any direction and order.
func edgesByName(g *Graph) map[[2]string]float64 {
	weights := map[[2]string]float64{}
	for _, e := range g.Edges() {
		a, b := g.names[e.I], g.names[e.J]
		weights[[2]string{min(a, b), max(a, b)}] = e.Weight
	}
	return weights
}

func TestOnVerticesKeepsEdgesAndConfidenceByName(t *testing.T) {
	g := marked(t, 12)
	names := append([]string{"new"}, g.Names()...)
	slices.Reverse(names[3:])
	moved, err := g.OnVertices(append(names, "last"))
	if err != nil {
		t.Fatal(err)
	}
	if moved.Vertices() != 14 || !slices.Equal(moved.Isolated(), append([]int{0}, append(isolatedAmong(g, names), 13)...)) {
		t.Errorf("isolated are %v", moved.Isolated())
	}
	want, got := edgesByName(g), edgesByName(moved)
	if len(want) != len(got) {
		t.Errorf("%d edges, want %d", len(got), len(want))
	}
	for pair, weight := range want {
		if got[pair] != weight {
			t.Errorf("%v: weight %g, want %g", pair, got[pair], weight)
		}
	}
	for k, e := range moved.Edges() {
		if e.I >= e.J || moved.Confidence()[k] != markOf(moved, e) || moved.Evidence()[k] != evidenceOf(markOf(moved, e)) {
			t.Errorf("edge %v has confidence %g and evidence %v", e, moved.Confidence()[k], moved.Evidence()[k])
		}
	}
}

// isolatedAmong are the places in names of the isolated vertices of g.
func isolatedAmong(g *Graph, names []string) []int {
	var places []int
	for i, name := range names {
		if k := slices.Index(g.names, name); k >= 0 && slices.Contains(g.Isolated(), k) {
			places = append(places, i)
		}
	}
	return places
}

func TestOnVerticesRefuses(t *testing.T) {
	g := named(t, "a b", Edge{0, 1, 1})
	for names, want := range map[string]string{
		"a c":   `vertex "b" is not among the 2 names`,
		"a b a": `vertices 0 and 2 have the same name "a"`,
	} {
		if _, err := g.OnVertices(strings.Fields(names)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", names, err, want)
		}
	}
}

func TestAlignedGraphsHaveTheSameVertices(t *testing.T) {
	a := named(t, "a b c", Edge{0, 1, 1}, Edge{1, 2, 2})
	b := named(t, "d c a", Edge{0, 1, 3}, Edge{1, 2, 4})
	onA, onB, shared := Align(a, b)
	if got := strings.Join(onA.Names(), " "); got != "a b c d" || !slices.Equal(onA.Names(), onB.Names()) || shared != 2 {
		t.Errorf("vertices %s and %q, %d of them shared", got, onB.Names(), shared)
	}
	if !slices.Equal(onA.Edges(), a.Edges()) || !slices.Equal(onB.Edges(), []Edge{{0, 2, 4}, {2, 3, 3}}) {
		t.Errorf("edges %v and %v", onA.Edges(), onB.Edges())
	}
	if _, _, shared := Align(a, named(t, "x y")); shared != 0 {
		t.Errorf("strangers share %d vertices", shared)
	}
}
