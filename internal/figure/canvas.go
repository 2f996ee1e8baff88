package figure

import "fmt"

// A canvas is what figures are drawn on. Places and lengths are in units of the
// drawing; y points down.
type canvas interface {
	line(p pen, from, to point)
	curve(p pen, places []point)
	disc(i ink, at point, radius float64)
	ring(p pen, at point, radius float64)
	box(i ink, corner point, width, height float64)
	write(l letters, at point, text string) // at is on the line that letters stand on
}

type point struct{ x, y float64 }

func (p point) plus(x, y float64) point { return point{p.x + x, p.y + y} }

// A color is red, green and blue.
type color [3]float64

func (c color) String() string {
	return fmt.Sprintf("#%02x%02x%02x", int(c[0]+0.5), int(c[1]+0.5), int(c[2]+0.5))
}

// between returns the colour so far on the way from c to another.
func (c color) between(other color, share float64) color {
	for k := range c {
		c[k] += share * (other[k] - c[k])
	}
	return c
}

// muted is for what is not data, of middle lightness: a drawing in SVG has no
// background, and can stand on white and on black.
var (
	muted = color{0x7d, 0x85, 0x90}
	white = color{0xff, 0xff, 0xff}
)

// An ink fills; what is behind shows through as far as it is faint.
type ink struct {
	color color
	faint float64 // from 0 to 1
}

// A pen draws lines.
type pen struct {
	ink
	width float64
	dash  []float64 // lengths of line and gap; nil for none
	round bool      // at the ends
}

// alignment says which end of a text is at its place.
type alignment int

const (
	start alignment = iota
	middle
	end
)

// letters are how text looks.
type letters struct {
	size   float64
	color  color
	align  alignment
	bold   bool
	upward bool // read from bottom to top
	rim    bool // in the colour of the page, so that it can be read on lines
}

// low is how far below the middle of letters the line is that they stand on.
func (l letters) low() float64 { return 0.35 * l.size }

// What is of middle lightness in a file that may stand on dark is dark on paper.
var mutedOnPaper = color{0x3d, 0x44, 0x4d}

func (i ink) onPaper() ink {
	if i.color == muted {
		i.color = mutedOnPaper
	}
	return i
}

// onPaper returns the dashes of a pen whose lines may have no round ends: what
// would have been a dot is as long as the line is wide.
func (p pen) onPaper() []float64 {
	if !p.round || len(p.dash) == 0 {
		return p.dash
	}
	dash := make([]float64, len(p.dash))
	for k, d := range p.dash {
		dash[k] = max(d, p.width)
	}
	return dash
}

// rim puts a text on a piece of paper, so that lines below it do not disturb.
func rim(c canvas, l letters, at point, text string) {
	width := l.width(text)
	left := at.x - width*float64(l.align)/2
	c.box(ink{white, 0.3}, point{left - 1, at.y - 0.8*l.size}, width+2, l.size)
}
