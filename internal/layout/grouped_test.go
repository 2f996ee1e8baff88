package layout

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// grouped draws a graph of groups, denser within, and their labels. The last vertices
// are isolated.
func grouped(t *testing.T, groups, size, isolated int) (*graph.Graph, []int) {
	t.Helper()
	draw := rng.Stream(1, "grouped", groups)
	n := groups * size
	label := make([]int, n+isolated)
	var edges []graph.Edge
	for i := range label {
		label[i] = i / size
		if i >= n {
			label[i] = groups + i - n
			continue
		}
		for j := range i {
			if p := draw.Float64(); p < 0.02 || i/size == j/size && (p < 0.4 || i == j+1) {
				edges = append(edges, graph.Edge{I: j, J: i, Weight: 0.1 + draw.Float64()})
			}
		}
	}
	g, err := graph.New(graph.DefaultNames(len(label)), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g, label
}

func TestGroupsKeepToThemselves(t *testing.T) {
	for _, groups := range []int{2, 12} {
		g, label := grouped(t, groups, 9, 3)
		x, y := Grouped(t.Context(), g, label)
		// A line parts any two groups: the one halfway between the circles around them.
		type disc struct{ x, y, r float64 }
		discs := make([]disc, groups)
		for c := range discs {
			left, right, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
			for i := c * 9; i < c*9+9; i++ {
				left, right, low, high = min(left, x[i]), max(right, x[i]), min(low, y[i]), max(high, y[i])
			}
			discs[c] = disc{(left + right) / 2, (low + high) / 2, 0}
			for i := c * 9; i < c*9+9; i++ {
				discs[c].r = max(discs[c].r, math.Hypot(x[i]-discs[c].x, y[i]-discs[c].y))
			}
		}
		for a := range discs {
			for b := range a {
				if far := math.Hypot(discs[a].x-discs[b].x, discs[a].y-discs[b].y); far < discs[a].r+discs[b].r+0.9*apart {
					t.Errorf("%d groups: %d and %d are %g apart, with radii %g and %g", groups, a, b, far, discs[a].r, discs[b].r)
				}
			}
		}
		for i := range x {
			if math.IsNaN(x[i]) || math.IsInf(x[i], 0) || math.IsNaN(y[i]) || math.IsInf(y[i], 0) {
				t.Fatalf("%d groups: vertex %d is at (%g, %g)", groups, i, x[i], y[i])
			}
		}
	}
}

func TestOneGroupIsDrawnAsTheGraph(t *testing.T) {
	g, _ := grouped(t, 1, 20, 0)
	x, y := Grouped(t.Context(), g, make([]int, 20))
	wantX, wantY := Places(g)
	for i := range x {
		if math.Abs(x[i]-wantX[i]) > 1e-9 || math.Abs(y[i]-wantY[i]) > 1e-9 {
			t.Errorf("vertex %d is at (%g, %g), want (%g, %g)", i, x[i], y[i], wantX[i], wantY[i])
		}
	}
}

func TestGroupsAtOnePlaceArePushedApart(t *testing.T) {
	d := newDrawing(4)
	circles := []*circle{{radius: 1}, {radius: 2}, {radius: 0}, {radius: 5}}
	d.makeRoom(circles)
	for a := range circles {
		for b := range a {
			if r, _, _ := d.distance(a, b); r < circles[a].radius+circles[b].radius+apart-1e-6 {
				t.Errorf("circles %d and %d are %g apart", a, b, r)
			}
		}
	}
}
