package plot

import (
	"testing"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
)

// Two triangles that share no edge, the smaller community first: a pair, then a triangle.
func TestVerticesArePlacedAsTheyAreDrawnAndNumberedByCommunity(t *testing.T) {
	g, err := graph.New(
		[]string{"a", "b", "c", "d", "e"},
		[]graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 2, J: 3, Weight: 1}, {I: 2, J: 4, Weight: 1}, {I: 3, J: 4, Weight: 1}},
	)
	if err != nil {
		t.Fatal(err)
	}
	known := &dataio.VertexTable{Names: g.Names(), Columns: []dataio.VertexColumn{{Name: "kind", Text: []string{"p", "q", "r", "s", "t"}}}}
	placed := Placed(g, known)
	if len(known.Columns) != 1 {
		t.Error("the table that was given has changed")
	}
	want := []string{"kind", "x", "y", "community"}
	if len(placed.Columns) != len(want) {
		t.Fatalf("got %d columns, want %q", len(placed.Columns), want)
	}
	for k, c := range placed.Columns {
		if c.Name != want[k] || len(c.Text) != g.Vertices() {
			t.Errorf("column %d: got %s of %d rows, want %s", k, c.Name, len(c.Text), want[k])
		}
	}
	n := Graph("", g, nil)
	for i, v := range n.Vertices {
		if placed.Columns[1].Numbers[i] != v.X || placed.Columns[2].Numbers[i] != v.Y {
			t.Errorf("vertex %s is drawn elsewhere than it is placed", v.Name)
		}
	}
	for i, want := range []float64{2, 2, 1, 1, 1} {
		if got := placed.Columns[3].Numbers[i]; got != want {
			t.Errorf("vertex %d: got community %g, want %g: the triangle is the larger", i, got, want)
		}
	}
	if again := Placed(g, placed); len(again.Columns) != len(want) {
		t.Errorf("placed twice: got %d columns, want %d", len(again.Columns), len(want))
	}
}
