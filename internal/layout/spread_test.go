package layout

import (
	"math"
	"slices"
	"testing"
)

func TestMoveLeavesAFinishedDrawingNearlyAlone(t *testing.T) {
	for name, g := range examples(t) {
		d := placed(g)
		moved := drawing{slices.Clone(d.x), slices.Clone(d.y)}
		Move(g, moved.x, moved.y, 3)
		width, height := d.frame()
		for i := range d.x {
			if r := math.Hypot(moved.x[i]-d.x[i], moved.y[i]-d.y[i]); r > 0.25+0.02*max(width, height) {
				t.Errorf("%s: vertex %d went %g in a drawing of %g by %g", name, i, r, width, height)
			}
		}
	}
}

// From one place for all, too: there is no symmetry that holds vertices together.
func TestMovePartsVertices(t *testing.T) {
	for name, g := range examples(t) {
		if g.EdgeCount() == 0 {
			continue
		}
		n := g.Vertices()
		d := newDrawing(n)
		Move(g, d.x, d.y, 100)
		if !finite(d) || gap(d) < 1e-3 {
			t.Errorf("%s: two vertices are %g apart", name, gap(d))
		}
		if got := newSpringGraph(g).unit(d); math.Abs(got-1) > 1e-9 {
			t.Errorf("%s: the median edge is %g long", name, got)
		}
	}
}

func TestNaturalScaleIsABestOne(t *testing.T) {
	g := random(t, 30, 0.15)
	w := newSpringGraph(g)
	energy := func(d drawing) float64 {
		e := 0.0
		for i := range d.x {
			near, length := w.around(i)
			for k, j := range near {
				r, _, _ := d.distance(i, int(j))
				e += math.Pow(r*whole/float64(length[k])-1, 2) / 2 // from both ends
			}
			for j := range i {
				if r, _, _ := d.distance(i, j); !w.apart(i, j) {
					e += 2 * repulsion / r
				}
			}
		}
		return e
	}
	d := placed(g)
	d.scale(w.naturalScale(d))
	best := energy(d)
	for _, by := range []float64{0.99, 1.01} {
		other := drawing{slices.Clone(d.x), slices.Clone(d.y)}
		other.scale(by)
		if energy(other) <= best {
			t.Errorf("scaled by %g, the energy falls from %g to %g", by, best, energy(other))
		}
	}
}
