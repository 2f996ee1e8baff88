package layout

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// A grid whose edges are drawn true though some light ones lead across it: those are left out of what is
// unfolded, and distances in the drawing are those on the grid.
func TestShortcutsDoNotFoldASheet(t *testing.T) {
	const side = 40
	draw := rng.Stream(1, "shortcuts")
	sheet := grid(t, side*side).Edges()
	edges := sheet
	for range 20 {
		i, j := draw.IntN(side*side), draw.IntN(side*side)
		if math.Abs(float64(i%side-j%side))+math.Abs(float64(i/side-j/side)) > 2*longLoop {
			edges = append(edges, graph.Edge{I: min(i, j), J: max(i, j), Weight: 0.3})
		}
	}
	g, err := graph.New(graph.DefaultNames(side*side), edges)
	if err != nil {
		t.Fatal(err)
	}
	if kept := len(newSpringGraph(g).withoutShortcuts().near) / 2; kept != len(sheet) {
		t.Errorf("%d edges are unfolded, want the %d of the sheet", kept, len(sheet))
	}
	d := placed(g)
	for range 500 {
		i, j := draw.IntN(side*side), draw.IntN(side*side)
		if i == j {
			continue
		}
		want := math.Hypot(float64(i%side-j%side), float64(i/side-j/side))
		if r, _, _ := d.distance(i, j); math.Abs(r-want) > 2+0.35*want {
			t.Errorf("vertices %d and %d are %.1f apart, and %.1f on the grid", i, j, r, want)
		}
	}
}

// What holds a graph together is no shortcut, and neither are edges as heavy as others.
func TestEdgesThatHoldAGraphTogetherStay(t *testing.T) {
	for name, g := range map[string]*graph.Graph{"ring": ring(t, 400), "path": path(t, 400), "star": star(t, 400)} {
		if w := newSpringGraph(g); len(w.withoutShortcuts().near) != len(w.near) {
			t.Errorf("%s: edges are gone", name)
		}
	}
	edges := ring(t, 400).Edges()
	for k := range edges {
		if k%2 == 0 {
			edges[k].Weight = 0.01 // light ones, but for one of them all are needed
		}
	}
	g, err := graph.New(graph.DefaultNames(400), edges)
	if err != nil {
		t.Fatal(err)
	}
	if rest := newSpringGraph(g).withoutShortcuts(); len(rest.near)/2 != 399 {
		t.Errorf("%d edges are left of 400, want 399", len(rest.near)/2)
	}
}
