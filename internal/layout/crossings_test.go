package layout

import "testing"

func TestCrossingsAreCounted(t *testing.T) {
	// The complete graph on the corners of a square has its diagonals to cross.
	g := complete(t, 4)
	d := drawing{[]float64{0, 1, 1, 0}, []float64{0, 0, 1, 1}}
	if got := newSpringGraph(g).crossings(d); got != 1 {
		t.Errorf("%d crossings in a square with its diagonals, want 1", got)
	}
	d.x[2], d.y[2], d.x[3], d.y[3] = 0.5, 0.4, 0.5, 1 // one corner inside a triangle
	if got := newSpringGraph(g).crossings(d); got != 0 {
		t.Errorf("%d crossings with a corner inside, want 0", got)
	}
}

// Small planar graphs whose drawing is rigid, or nearly, have no crossing.
func TestPlanarGraphsAreDrawnPlane(t *testing.T) {
	for name, g := range examples(t) {
		switch name {
		case "a path", "a ring", "a star", "a grid", "two joined":
			if got := newSpringGraph(g).crossings(placed(g)); got != 0 {
				t.Errorf("%s: %d edges cross", name, got)
			}
		}
	}
}
