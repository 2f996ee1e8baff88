package graph_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// arrows has two vertices joined both ways, an arrow against vertex order and an
// isolated vertex.
func arrows(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graph.NewDirected([]string{"a", "b", "c", "d"}, []graph.Edge{{I: 2, J: 0, Weight: 3}, {I: 1, J: 0, Weight: 2}, {I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestArrowsKeepTheirDirection(t *testing.T) {
	g := arrows(t)
	if want := []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 0, Weight: 2}, {I: 2, J: 0, Weight: 3}}; !slices.Equal(g.Edges(), want) {
		t.Errorf("got %v, want %v", g.Edges(), want)
	}
	if !g.Directed() || g.HasEdge(0, 2) || !g.HasEdge(2, 0) || g.OneWay() != 1 {
		t.Errorf("directed %t, %d of %d arrows are one-way", g.Directed(), g.OneWay(), g.EdgeCount())
	}
	if _, err := graph.NewDirected([]string{"a", "b"}, []graph.Edge{{I: 1, J: 0, Weight: 1}, {I: 1, J: 0, Weight: 2}}); err == nil ||
		err.Error() != `graph.NewDirected: edge "b" → "a" is given twice` {
		t.Errorf("got %v", err)
	}
}

func TestAGraphWithoutDirectionHasTheLargerWeights(t *testing.T) {
	g, err := arrows(t).WithConfidence([]float64{0.6, 0.2, 0.3})
	if err != nil {
		t.Fatal(err)
	}
	u := g.Undirected()
	if want := []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 0, J: 2, Weight: 3}}; u.Directed() || !slices.Equal(u.Edges(), want) || !slices.Equal(u.Confidence(), []float64{0.6, 0.3}) {
		t.Errorf("got %v with %v, want %v", u.Edges(), u.Confidence(), want)
	}
	if !mat.Equal(g.Weights(), u.Weights()) || !mat.Equal(g.Laplacian(), u.Laplacian()) || !mat.Equal(g.CombinatorialLaplacian(), u.CombinatorialLaplacian()) {
		t.Error("matrices of the undirected graph differ")
	}
	if u.Undirected() != u || !mat.Equal(u.Adjacency(), u.Weights()) || mat.Equal(g.Adjacency(), mat.DenseCopyOf(g.Adjacency().T())) {
		t.Error("an undirected graph is not its own, or a directed one symmetric")
	}
	if label, count := g.Components(); count != 2 || !slices.Equal(label, []int{0, 0, 0, 1}) || !slices.Equal(g.Isolated(), []int{3}) {
		t.Errorf("%d components %v", count, label)
	}
}

// Arrows of equal weights out of and into vertices of equal degrees stay equal, and
// those before a gap are kept, in whichever direction they point.
func TestArrowsAreCutAtTheirGap(t *testing.T) {
	n := 6
	var list []graph.Edge
	for i := range n {
		list = append(list, graph.Edge{I: i, J: (i + 1) % n, Weight: 5}, graph.Edge{I: (i + 1) % n, J: i, Weight: 0.1})
	}
	g, err := graph.NewDirected(graph.DefaultNames(n), list)
	if err != nil {
		t.Fatal(err)
	}
	kept, gap := g.CutAtGap()
	if gap.Edges != n || kept.EdgeCount() != n || !kept.Directed() || kept.OneWay() != n {
		t.Errorf("gap %+v, kept %v", gap, kept.Edges())
	}
	cut := graph.Cut{Rule: graph.CutEdges, Edges: n * (n - 1)}
	if _, fault := cut.DirectedFault(n); fault != "" {
		t.Error(fault)
	}
	if _, fault := cut.Fault(n); fault == "" {
		t.Error("an undirected graph has room for as many edges as a directed one")
	}
}
