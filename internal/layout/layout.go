// Package layout gives the vertices of a graph places in the plane, for drawings.
//
// A connected part is drawn in two steps: its distances along edges become
// distances in the plane, as near as they can ([zheng2019]); then edges hold on to
// their lengths while all vertices push one another apart ([gansner2013]), which
// parts what the distances alone leave in one heap, such as the leaves of a star.
// The parts are turned to lie flat and packed side by side, isolated vertices in
// rows below them.
//
// The places depend on the graph alone. Sums of products are rounded one by one,
// so that no machine fuses them, and no function is used that differs between
// machines.
package layout

import (
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
)

// Places gives each vertex of g a place so that joined vertices lie near one
// another, heavier edges a little nearer. The unit is the median length of an
// edge; the drawing is a little wider than tall where the graph lets it, and its
// middle is the origin.
func Places(g *graph.Graph) (x, y []float64) {
	x, y = make([]float64, g.Vertices()), make([]float64, g.Vertices())
	whole := newSpringGraph(g)
	var boxes []*box
	var isolated []int
	for _, part := range whole.parts() {
		if len(part.vertices) == 1 {
			isolated = append(isolated, part.vertices[0])
			continue
		}
		d := part.springs.clearest()
		d.turn()
		boxes = append(boxes, newBox(part.vertices, d))
	}
	unit := whole.unit(drawn(g.Vertices(), boxes))
	pack(boxes, isolated, unit, x, y)
	return x, y
}

// Move takes that many steps from the given places, which are finite, towards those
// where Places would have the vertices, for a picture that follows a graph as it
// changes. The middle of the drawing stays where it is, and the median length of
// an edge becomes 1. x and y are changed in place.
func Move(g *graph.Graph, x, y []float64, steps int) {
	w := newSpringGraph(g)
	if len(w.near) == 0 || steps < 1 {
		return
	}
	d := drawing{x, y}
	middleX, middleY := d.middle()
	d.shift(-middleX, -middleY)
	d.part()
	d.scale(w.naturalScale(d))
	d.spread(w, steps)
	d.scale(1 / w.unit(d))
	nowX, nowY := d.middle()
	d.shift(middleX-nowX, middleY-nowY)
}

// A drawing has a place for each vertex.
type drawing struct{ x, y []float64 }

func newDrawing(n int) drawing { return drawing{make([]float64, n), make([]float64, n)} }

// drawn puts the parts in one drawing, over one another.
func drawn(n int, boxes []*box) drawing {
	d := newDrawing(n)
	for _, b := range boxes {
		for k, v := range b.vertices {
			d.x[v], d.y[v] = b.x[k], b.y[k]
		}
	}
	return d
}

// middle returns the middle of the frame around the drawing.
func (d drawing) middle() (x, y float64) {
	if len(d.x) == 0 {
		return 0, 0
	}
	return (slices.Min(d.x) + slices.Max(d.x)) / 2, (slices.Min(d.y) + slices.Max(d.y)) / 2
}

func (d drawing) shift(byX, byY float64) {
	for i := range d.x {
		d.x[i] += byX
		d.y[i] += byY
	}
}

func (d drawing) scale(by float64) {
	for i := range d.x {
		d.x[i] *= by
		d.y[i] *= by
	}
}

// distance returns how far apart two vertices are, with the way from the second
// to the first.
func (d drawing) distance(i, j int) (r, dx, dy float64) {
	dx, dy = d.x[i]-d.x[j], d.y[i]-d.y[j]
	return math.Sqrt(float64(dx*dx) + float64(dy*dy)), dx, dy
}
