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
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
)

// Places gives each vertex of g a place so that joined vertices lie near one
// another, heavier edges a little nearer. The unit is the median length of an
// edge; the drawing is a little wider than tall where the graph lets it, and its
// middle is the origin.
func Places(g *graph.Graph) (x, y []float64) { return PlacesUntil(context.Background(), g) }

// PlacesUntil is Places, with the vertices where they are when ctx ends. What is left to do then takes
// a tenth of a second at 10,000 vertices.
func PlacesUntil(ctx context.Context, g *graph.Graph) (x, y []float64) {
	x, y = make([]float64, g.Vertices()), make([]float64, g.Vertices())
	whole := newSpringGraph(g)
	var boxes []*box
	var isolated []int
	for _, part := range whole.parts() {
		if len(part.vertices) == 1 {
			isolated = append(isolated, part.vertices[0])
			continue
		}
		d := part.springs.withoutShortcuts().clearest(ctx)
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
	d.spread(context.Background(), w, steps)
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

// proportion is the width over the height that drawings should have.
const proportion = 4.0 / 3

// between is the space between two parts, and between isolated vertices.
const between = 1.0

// A box is a drawn component with its lower left corner at the origin.
type box struct {
	vertices      []int
	x, y          []float64
	width, height float64
}

func newBox(vertices []int, d drawing) *box {
	d.shift(-slices.Min(d.x), -slices.Min(d.y))
	return &box{vertices, d.x, d.y, slices.Max(d.x), slices.Max(d.y)}
}

// pack sets the places of all vertices: boxes in rows, isolated vertices below
// them. Lengths in boxes become those in units.
func pack(boxes []*box, isolated []int, unit float64, x, y []float64) {
	for _, b := range boxes {
		drawing{b.x, b.y}.scale(1 / unit)
		b.width, b.height = b.width/unit, b.height/unit
	}
	slices.SortStableFunc(boxes, func(a, b *box) int { return cmp.Compare(b.height, a.height) })
	width := bestWidth(boxes, len(isolated))
	_, low := inRows(boxes, width, func(b *box, left, bottom float64) {
		for k, v := range b.vertices {
			x[v], y[v] = left+b.x[k], bottom+b.y[k]
		}
	})
	perRow := max(int(width/between)+1, 1)
	for k, v := range isolated {
		x[v], y[v] = between*float64(k%perRow), low-between*float64(k/perRow)
	}
	d := drawing{x, y}
	middleX, middleY := d.middle()
	d.shift(-middleX, -middleY)
}

// inRows puts boxes into rows of a width, downwards from zero, and returns the
// width they use and where the next row would be. Boxes of a row stand on middle
// lines.
func inRows(boxes []*box, width float64, put func(b *box, left, bottom float64)) (used, low float64) {
	for len(boxes) > 0 {
		row, right := 1, boxes[0].width
		for row < len(boxes) && right+between+boxes[row].width <= width {
			right += between + boxes[row].width
			row++
		}
		left, tall := 0.0, boxes[0].height // the tallest comes first
		for _, b := range boxes[:row] {
			put(b, left, low-(tall+b.height)/2)
			left += b.width + between
		}
		used, low = max(used, right), low-tall-between
		boxes = boxes[row:]
	}
	return used, low
}

// bestWidth returns the width of rows that shows everything largest on a page of
// the wanted proportion.
func bestWidth(boxes []*box, isolated int) float64 {
	area, widest := between*between*float64(isolated), 0.0
	for _, b := range boxes {
		area += float64((b.width + between) * (b.height + between))
		widest = max(widest, b.width)
	}
	best, smallest := widest, math.Inf(1)
	for _, stretch := range []float64{0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.7, 2} {
		width := max(widest, stretch*math.Sqrt(proportion*area))
		used, low := inRows(boxes, width, func(*box, float64, float64) {})
		if isolated > 0 {
			perRow := max(int(width/between)+1, 1)
			used = max(used, between*float64(min(isolated, perRow)-1))
			low -= between * float64((isolated+perRow-1)/perRow)
		}
		if page := max(used, -low*proportion); page < smallest {
			best, smallest = width, page
		}
	}
	return best
}

// turn lays a drawing flat: into the smallest frame that it has when turned, with
// the long side level.
func (d drawing) turn() {
	const steps = 60 // of a quarter turn
	best, smallest := 0, math.Inf(1)
	for k := range steps {
		width, height := d.turned(k, steps).frame()
		// Nearly equal ones, as of a disc, are not told apart by rounding.
		if area := float64(width * height); area < smallest*(1-1e-6) {
			best, smallest = k, area
		}
	}
	t := d.turned(best, steps)
	if width, height := t.frame(); height > width*(1+1e-6) {
		t.x, t.y = t.y, t.x
	}
	copy(d.x, t.x)
	copy(d.y, t.y)
}

// turned returns the drawing turned by k of that many steps of a quarter turn.
func (d drawing) turned(k, steps int) drawing {
	s, c := math.Sincos(math.Pi / 2 * float64(k) / float64(steps))
	t := newDrawing(len(d.x))
	for i := range d.x {
		t.x[i] = float64(c*d.x[i]) - float64(s*d.y[i])
		t.y[i] = float64(s*d.x[i]) + float64(c*d.y[i])
	}
	return t
}

// frame returns the size of the frame around the drawing.
func (d drawing) frame() (width, height float64) {
	if len(d.x) == 0 {
		return 0, 0
	}
	return slices.Max(d.x) - slices.Min(d.x), slices.Max(d.y) - slices.Min(d.y)
}

// Settle makes places from elsewhere fit to be drawn: vertices without one, NaN, go
// in a row below the others, and numbers too large to compute with are scaled down.
// x and y are changed in place.
func Settle(x, y []float64) {
	avoidOverflow(x, y)
	left, right, low, high := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	var homeless []int
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) {
			homeless = append(homeless, i)
			continue
		}
		left, right = min(left, x[i]), max(right, x[i])
		low, high = min(low, y[i]), max(high, y[i])
	}
	if len(homeless) == len(x) {
		left, right, low, high = 0, 0, 0, 0
	}
	size := cmp.Or(max(right-left, high-low), 1)
	for k, i := range homeless {
		x[i] = (left+right)/2 + size*(float64(k+1)/float64(len(homeless)+1)-0.5)
		y[i] = low - size/12
	}
}

// avoidOverflow scales places whose squares would not be numbers.
func avoidOverflow(x, y []float64) {
	most := 0.0
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(y[i]) {
			most = max(most, math.Abs(x[i]), math.Abs(y[i]))
		}
	}
	if most < 1e100 {
		return
	}
	for i := range x {
		x[i], y[i] = x[i]/most, y[i]/most
	}
}
