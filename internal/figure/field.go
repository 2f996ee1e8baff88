package figure

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/nervure/nervure/internal/matrix"
)

// A Field is a network with a value at each vertex, such as a signal on a graph.
// Its edges are thin and all alike: they are there to show who is near whom.
type Field struct {
	Title   string
	Network Network
	Values  []float64 // finite, in the order of the vertices
	Marked  []int     // vertices that get a ring
}

// Fields are fields side by side, that many in a row, each over a scale of colours
// of its own, symmetric about zero. Colours go with the square root of a value, so
// that the small ones around a large one still have a sign that can be seen.
type Fields struct {
	Title  string // for those who cannot see them
	PerRow int    // zero: all in one
	Fields []Field
}

// Sizes of a field and its parts, in the units of the drawing.
const (
	fieldWidth   = 400.0 // of its own
	fieldLeast   = 180.0
	fieldMargin  = 20.0 // room for a ring
	fieldTop     = 40.0
	fieldBelow   = 16.0 // between the network and the bar
	vertexRadius = 7.0
	ringRadius   = 12.0
	barHeight    = 10.0
	barRoom      = 36.0 // with its numbers
	barShare     = 0.65 // of the width
	narrowBar    = 200.0
)

// The scale of colours goes from blue to orange, which the colour-blind tell
// apart, over a grey. All are of middle lightness, and so show on white and on dark.
var (
	negative = color{0x0b, 0x62, 0xd6}
	neutral  = color{0xa3, 0xab, 0xb5}
	positive = color{0xe2, 0x58, 0x0a}
)

// WriteFields draws fields as SVG, each of the usual width.
func WriteFields(w io.Writer, title string, fields ...Field) error {
	return Write(w, SVG, Page{}, Fields{Title: title, Fields: fields})
}

func (f Fields) about() string { return f.Title }

func (f Fields) size(width float64) (w, h float64) {
	if width == 0 {
		width = float64(max(min(f.perRow(), len(f.Fields)), 1)) * fieldWidth
	}
	_, rows, each := inRows(len(f.Fields), f.perRow(), width, fieldLeast)
	return width, float64(max(rows, 1)) * f.eachHeight(each)
}

func (f Fields) perRow() int { return cmp.Or(f.PerRow, len(f.Fields)) }

// eachHeight lets networks be square, unless all of them are flat.
func (f Fields) eachHeight(each float64) float64 {
	inner := each - 2*fieldMargin
	tallest := 0.0
	for _, one := range f.Fields {
		tallest = max(tallest, one.Network.proportion())
	}
	return fieldTop + inner*min(max(tallest, 0.4), 1) + fieldMargin/2 + fieldBelow + barRoom
}

func (f Fields) draw(on canvas, corner point, width float64) {
	columns, _, each := inRows(len(f.Fields), f.perRow(), width, fieldLeast)
	tall := f.eachHeight(each)
	for k, one := range f.Fields {
		one.draw(on, corner.plus(float64(k%columns)*each, float64(k/columns)*tall), each, tall)
	}
}

func (f Field) draw(on canvas, corner point, width, height float64) {
	n, most := f.Network, f.largest()
	title := titles
	title.align = middle
	on.write(title, corner.plus(width/2, 18), title.fitted(f.Title, width-8))
	side := width - 2*fieldMargin
	at := n.fit(corner.x+fieldMargin, corner.y+fieldTop, side, height-fieldTop-fieldMargin/2-fieldBelow-barRoom, 1)
	shrink := min(1, n.spacing(at)/(1.5*vertexRadius))
	// Edges recede the more there are of them.
	thin := pen{ink: ink{muted, 1 - 0.5*min(1, mostClutter/n.clutter(at))}, width: max(shrink, hairline), round: true}
	for _, e := range n.Edges {
		on.line(thin, at.point(n.Vertices[e.From]), at.point(n.Vertices[e.To]))
	}
	for _, i := range f.smallFirst() {
		r := max(vertexRadius*shrink, smallestDot)
		r = max(r, rootShare(f.Values[i], most)*vertexRadius/2) // a large value shows among many small dots
		on.disc(ink{color: tint(f.Values[i], most)}, at.point(n.Vertices[i]), r)
	}
	for _, i := range f.Marked {
		on.ring(pen{ink: ink{color: muted}, width: 2}, at.point(n.Vertices[i]), max(ringRadius*shrink, 3*smallestDot))
	}
	if most > 0 {
		drawBar(on, corner.plus(width*(1-barShare)/2, height-barRoom), width*barShare, most)
	}
}

// largest returns the value at the ends of the scale.
func (f Field) largest() float64 {
	most := 0.0
	for _, v := range f.Values {
		most = max(most, math.Abs(v))
	}
	return most
}

// smallFirst returns the vertices in the order of their values' sizes, so that
// large ones are not hidden.
func (f Field) smallFirst() []int {
	return matrix.Sorted(len(f.Values), func(a, b int) int { return cmp.Compare(math.Abs(f.Values[a]), math.Abs(f.Values[b])) })
}

// tint returns the colour of a value on the scale from −most to most.
func tint(v, most float64) color {
	end := positive
	if v < 0 {
		end = negative
	}
	return neutral.between(end, rootShare(v, most))
}

// rootShare returns how far from zero a value is on the scale, by its square root.
func rootShare(v, most float64) float64 {
	if !(most > 0) {
		return 0
	}
	return math.Sqrt(min(math.Abs(v)/most, 1))
}

// drawBar shows which colour is which value.
func drawBar(on canvas, corner point, width, most float64) {
	drawScale(on, corner, width, func(share float64) color {
		v := 2*share - 1
		return tint(v*math.Abs(v), 1)
	})
	shares := []float64{-1, -0.5, 0, 0.5, 1}
	if width < narrowBar {
		shares = []float64{-1, 0, 1}
	}
	for _, share := range shares {
		x := width * (1 + share) / 2
		value := most * share * math.Abs(share) // the square root the other way
		drawTick(on, corner.plus(x, barHeight), barLabel(value))
	}
}

// drawTick draws a tick below a bar, and its number.
func drawTick(on canvas, at point, number string) {
	on.line(axisPen, at, at.plus(0, tickLength))
	on.write(centred, at.plus(0, 18), number)
}

// drawScale draws a bar of colours that go with the share of the way along it.
func drawScale(on canvas, corner point, width float64, colors func(share float64) color) {
	const steps = 64
	for k := range steps {
		// Each reaches below the next, so that there are no gaps.
		on.box(
			ink{color: colors((float64(k) + 0.5) / steps)},
			corner.plus(width*float64(k)/steps, 0),
			width*min(float64(2), float64(steps-k))/steps,
			barHeight,
		)
	}
}

// barLabel has two digits and a sign: the scale has two sides.
func barLabel(v float64) string {
	if v == 0 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+.2g", v), "-", "−", 1)
}
