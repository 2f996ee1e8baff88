package figure

import "testing"

// Edges of both signs have the colours of signs, also where vertices are coloured; edges of one do not compete
// with vertices.
func TestSignsHaveTheirColours(t *testing.T) {
	n := Network{Edges: []Edge{{From: 0, To: 1, Weight: 1}}, Coloring: &Coloring{}}
	if got := n.pen(Found).color; got != neutral {
		t.Errorf("beside coloured vertices, edges are %s, want %s", got, neutral)
	}
	n.Edges = append(n.Edges, Edge{From: 1, To: 2, Weight: -1})
	if got, want := n.pen(Found).color, kindPen[Found].color; got != want {
		t.Errorf("beside negative edges, positive ones are %s, want %s", got, want)
	}
	if plus, minus := cellColor(1, 1, 1), cellColor(-1, 1, 1); plus[1] <= plus[2] || minus[2] <= minus[1] {
		t.Errorf("the cells are %s and %s, want green and blue as edges are", plus, minus)
	}
}
