package graph

import (
	"slices"
	"testing"
)

// told is all that a graph says of an edge.
type told struct {
	weight, confidence float64
	evidence           Evidence
}

// tell says it by the names of the vertices, from source to target if there is a direction.
func tell(g *Graph) map[[2]string]told {
	all := map[[2]string]told{}
	for k, e := range g.edges {
		pair := [2]string{g.names[e.I], g.names[e.J]}
		one := told{weight: e.Weight, confidence: g.known.confidence[k]}
		if !g.directed {
			slices.Sort(pair[:])
			one.evidence = g.known.evidence[k]
		}
		all[pair] = one
	}
	return all
}

// Whatever moves a graph, an edge joins the vertices of the same names, in the same direction, and what is known of it
// stays with it; only cuts leave edges out.
func TestWhateverMovesAGraphKeepsItsEdges(t *testing.T) {
	undirected := marked(t, 12)
	var arrows []Edge
	for k, e := range undirected.Edges() {
		arrows = append(arrows, Edge{e.J, e.I, e.Weight})
		if k%3 == 0 {
			arrows = append(arrows, Edge{e.I, e.J, 2 * e.Weight})
		}
	}
	directed := must(t)(NewDirected(undirected.names, arrows))
	var marks []float64
	for k := range directed.edges {
		marks = append(marks, 1/float64(k+1))
	}
	for _, g := range []*Graph{undirected, must(t)(directed.WithConfidence(marks))} {
		order := []int{3, 11, 0, 7, 5, 1, 2, 10, 9, 8, 4, 6}
		elsewhere := make([]string, len(order))
		for k, to := range order {
			elsewhere[to] = g.names[k]
		}
		more := append(slices.Clone(elsewhere), "new")
		want, all := tell(g), g.EdgeCount()
		for what, c := range map[string]struct {
			g    *Graph
			kept int
		}{
			"permuted": {must(t)(g.Permuted(order)), all}, "embedded": {g.Embed(order, more), all},
			"on more vertices": {must(t)(g.OnVertices(more)), all}, "stripped": {first(g.WithoutIsolated()), all},
			"the strongest": {g.Strongest(7), 7}, "above": {g.Above(0.5), 1}, "cut at the gap": {first(g.CutAtGap()), 1},
			"above a share": {g.AboveShare(0.9), 1}, "a part": {g.Part([]int{9, 2, 4, 7, 5, 1}), 1},
		} {
			got := tell(c.g)
			if c.g.directed != g.directed || len(got) < c.kept || !slices.IsSortedFunc(c.g.edges, byPair) {
				t.Errorf("%s: %d edges, directed %t, want %d: %v", what, len(got), c.g.directed, c.kept, c.g.edges)
			}
			for pair, one := range got {
				if one != want[pair] {
					t.Errorf("%s: %v says %v, want %v", what, pair, one, want[pair])
				}
			}
		}
		renamed := must(t)(g.Rename(DefaultNames(40)[28:]))
		if !slices.Equal(renamed.edges, g.edges) || !slices.Equal(renamed.Confidence(), g.Confidence()) || renamed.directed != g.directed {
			t.Errorf("renamed: got %v with %v", renamed.edges, renamed.Confidence())
		}
		if moved := must(t)(g.Permuted(order)); moved.names[0] != g.names[3] || len(moved.Isolated()) != len(g.Isolated()) {
			t.Errorf("permuted: the names are %v", moved.names)
		}
	}
	if _, err := undirected.Permuted([]int{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}); err == nil {
		t.Error("a repeated vertex was accepted")
	}
}
