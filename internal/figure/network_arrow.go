package figure

import "math"

// Sizes of arrows, in the units of the drawing.
const (
	headAngle  = 0.45 // between the line of an arrow and each side of its head, in radians
	headLeast  = 5.0  // length of its sides
	headWidths = 2.2  // of it, in widths of the line
)

// mirrored says which pairs are joined both ways.
func (n Network) mirrored() map[[2]int]bool {
	has := make(map[[2]int]bool, len(n.Edges))
	for _, e := range n.Edges {
		has[[2]int{e.From, e.To}] = true
	}
	both := make(map[[2]int]bool)
	for pair := range has {
		if has[[2]int{pair[1], pair[0]}] {
			both[pair] = true
		}
	}
	return both
}

// drawArrow draws a line up to the rim of the vertex it leads to, and its head. One
// of two that lead both ways is drawn to the right of the middle.
func drawArrow(on canvas, p pen, from, to point, rim float64, aside bool) {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return
	}
	x, y := (to.x-from.x)/length, (to.y-from.y)/length
	if aside {
		shift := p.width/2 + 2
		from, to = from.plus(-y*shift, x*shift), to.plus(-y*shift, x*shift)
	}
	back := min(rim+p.width/2, length/2)
	tip := to.plus(-x*back, -y*back)
	side := min(headLeast+headWidths*p.width, length/2)
	sin, cos := math.Sincos(headAngle)
	solid := p
	solid.dash = nil
	on.line(p, from, tip)
	on.curve(solid, []point{
		tip.plus(-side*(x*cos-y*sin), -side*(y*cos+x*sin)), tip, tip.plus(-side*(x*cos+y*sin), -side*(y*cos-x*sin)),
	})
}

// drawDirection says in the legend what arrows are.
func drawDirection(on canvas, at point, p pen) {
	p.width = 3
	drawArrow(on, p, at.plus(0, legendRow/2-4), at.plus(44, legendRow/2-4), 0, false)
	on.write(plain, at.plus(56, legendRow/2-4+plain.low()), "from source to target")
}
