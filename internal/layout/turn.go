package layout

import (
	"math"
	"slices"
)

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
