package figure

import (
	"cmp"
	"io"
	"math"
	"unicode/utf8"
)

// Sizes of the drawing, in its units, where there is room for them.
const (
	networkWidth = 800.0 // of its own
	margin       = 28.0
	thinnest     = 1.5
	thickest     = 8.0
	dotted       = 4.0  // a missed edge
	radius       = 16.0 // of a vertex that holds its name
	dot          = 6.0  // of a vertex whose name stands beside it
	smallestDot  = 1.2  // where few vertices stand close together
	mostDots     = 0.15 // share of the drawing that the smallest dots may cover
	hairline     = 0.35
	mostCover    = 0.2  // share of the drawing that edges may cover
	mostClutter  = 0.15 // of a drawing where names can be read
	fits         = 4    // characters that a vertex holds
)

// The colours are of middle lightness, so that they show on white and on black.
var (
	vertexColor = color{0x2f, 0x7d, 0x3b}
	kindPen     = map[Kind]pen{
		Found:  {ink: ink{color: color{0x57, 0xab, 0x5a}}, round: true},
		Missed: {ink: ink{color: color{0xd2, 0x99, 0x22}}, round: true, dash: []float64{0.1, 8}},
		Wrong:  {ink: ink{color: color{0xe5, 0x53, 0x4b}}, round: true, dash: []float64{10, 7}},
	}
	negativeColor = color{0x3d, 0x7e, 0xd9} // of edges between vertices that move against each other
	kindName      = map[Kind]string{Found: "found", Missed: "missed", Wrong: "wrong"}
)

// SVG writes the network as a drawing of its own.
func (n Network) SVG(w io.Writer) error { return Write(w, SVG, Page{}, n) }

func (n Network) about() string { return n.Title }

func (n Network) size(width float64) (w, h float64) {
	width = cmp.Or(width, networkWidth)
	return width, n.bodyHeight(width) + n.legendHeight()
}

// bodyHeight keeps the proportions of the network, within reason.
func (n Network) bodyHeight(width float64) float64 {
	inner := width - 2*margin
	return math.Floor(min(max(inner*n.proportion(), 4*margin), width) + 2*margin)
}

// proportion returns the height of the network over its width.
func (n Network) proportion() float64 {
	minX, maxX, minY, maxY := n.bounds()
	if maxX == minX {
		return 1
	}
	return (maxY - minY) / (maxX - minX)
}

// draw shows edges as lines, or arrows, as wide as they are heavy, missed ones dotted, wrong
// ones dashed, vertices with their names where there is room, and a legend of
// what needs one.
func (n Network) draw(on canvas, corner point, width float64) {
	body := n.bodyHeight(width)
	n.Vertices = shortened(n.Vertices)
	s := n.style(n.fit(corner.x+margin, corner.y+margin, width-2*margin, body-2*margin, 1))
	s.page = box{corner.x, corner.y, corner.x + width, corner.y + body}
	if !s.inside { // room for half of the longest name
		side := max(margin, names.width(n.longest())/2)
		if s.names = s.names && side < width/4; s.names {
			s.frame = n.fit(corner.x+side, corner.y+margin, width-2*side, body-2*margin, 1)
		}
	}
	n.drawEdges(on, s)
	n.drawVertices(on, s)
	n.drawLegend(on, corner.plus(margin, body), width-2*margin)
}

// A style is how large the parts of a network are drawn, so that they have room.
type style struct {
	frame
	inside   bool // names stand in their vertices, all of them
	names    bool // names may stand beside them
	page     box  // that they keep to
	radius   float64
	thinnest float64
	thickest float64
	faint    float64 // of edges
}

func (n Network) style(f frame) style {
	space := n.spacing(f)
	s := style{frame: f, inside: utf8.RuneCountInString(n.longest()) <= fits && space >= 1.8*radius}
	clutter := n.clutter(f)
	s.names = len(n.Vertices) <= mostNames && clutter < mostClutter
	s.thickest = min(thickest, max(min(space/4, mostCover/clutter), hairline))
	s.thinnest = min(thinnest, max(s.thickest/4, hairline))
	least := smallestDot
	if area := n.area() * f.scale * f.scale; area > 0 {
		least = min(least, math.Sqrt(mostDots*area/(math.Pi*float64(len(n.Vertices)))))
	}
	s.radius = min(dot, max(space/3, least))
	if s.inside {
		s.radius = radius
	}
	if space < 2*dot { // many edges over one another
		s.faint = 0.45
	}
	return s
}

// drawEdges draws what is odd last, so that it is not hidden.
func (n Network) drawEdges(on canvas, s style) {
	most, both := n.heaviest(), n.mirrored()
	for _, kind := range []Kind{Found, Wrong, Missed} {
		for k, e := range n.Edges {
			if e.Kind != kind {
				continue
			}
			p := n.pen(kind)
			if kind == Found && e.Weight < 0 {
				p.color = negativeColor
			}
			p.width, p.faint = e.width(most, s), s.faint
			if n.Confidence != nil {
				p = unsure(p, n.Confidence[k])
			}
			from, to := s.point(n.Vertices[e.From]), s.point(n.Vertices[e.To])
			if n.Directed {
				drawArrow(on, p, from, to, s.radius, both[[2]int{e.From, e.To}])
			} else {
				on.line(p, from, to)
			}
		}
	}
}

// pen returns the pen for edges of a kind.
func (n Network) pen(kind Kind) pen {
	p := kindPen[kind]
	if kind == Found && n.Coloring != nil && !n.signed() {
		p.color = neutral // the colours say something else
	}
	return p
}

// doubtful is the confidence below which an edge is dashed.
const doubtful = 0.5

// unsure makes a pen fainter the less sure an edge is.
func unsure(p pen, confidence float64) pen {
	p.faint = 1 - (1-p.faint)*(0.3+0.7*math.Round(confidence*10)/10)
	if confidence < doubtful {
		p.dash, p.round = []float64{max(3*p.width, 3), max(2*p.width, 2)}, false
	}
	return p
}

// width returns how wide to draw an edge beside the heaviest. One that was
// missed has no weight that could be compared.
func (e Edge) width(most float64, s style) float64 {
	switch {
	case e.Kind == Missed:
		return min(dotted, s.thickest)
	case !(most > 0):
		return s.thinnest
	}
	return s.thinnest + (s.thickest-s.thinnest)*math.Abs(e.Weight)/most
}

func (n Network) drawVertices(on canvas, s style) {
	for i, v := range n.Vertices {
		on.disc(ink{color: n.colorOf(i)}, s.point(v), s.radius)
	}
	switch {
	case s.inside:
		l := letters{size: 11, color: white, align: middle}
		for _, v := range n.Vertices {
			on.write(l, s.point(v).plus(0, l.low()), v.Name)
		}
	case s.names:
		for _, p := range n.placeNames(s) {
			on.write(p.letters, p.at, p.text)
		}
	}
}

// longest returns the name with the most characters.
func (n Network) longest() string {
	longest := ""
	for _, v := range n.Vertices {
		if utf8.RuneCountInString(v.Name) > utf8.RuneCountInString(longest) {
			longest = v.Name
		}
	}
	return longest
}

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
