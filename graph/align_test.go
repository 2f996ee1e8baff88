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
