package figure

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// A Field is a network with a value at each vertex, such as a signal on a graph.
// Its edges are thin and all alike: they are there to show who is near whom.
type Field struct {
	Title   string
	Network Network
	Values  []float64 // finite, in the order of the vertices
	Marked  []int     // vertices that get a ring
}

// Sizes of a field and its parts, in the units of the drawing.
const (
	fieldWidth, fieldHeight = 400.0, 436.0
	fieldMargin             = 20.0 // room for a ring
	fieldTop                = 40.0
	fieldSide               = fieldWidth - 2*fieldMargin
	vertexRadius            = 7.0
	ringRadius              = 12.0
	barTop, barHeight       = 400.0, 10.0
	barLeft, barWidth       = 70.0, 260.0
)

// A color is red, green and blue.
type color [3]float64

// The scale of colours goes from blue to orange, which the colour-blind tell
// apart, over a grey. All are of middle lightness, and so show on white and on dark.
var (
	negative = color{0x0b, 0x62, 0xd6}
	neutral  = color{0xa3, 0xab, 0xb5}
	positive = color{0xe2, 0x58, 0x0a}
)

func (c color) String() string { return fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2])) }

// WriteFields draws fields side by side, each over a scale of colours of its
// own, symmetric about zero. Colours go with the square root of a value, so that
// the small ones around a large one still have a sign that can be seen.
func WriteFields(w io.Writer, title string, fields ...Field) error {
	var b strings.Builder
	begin(&b, title, float64(max(len(fields), 1))*fieldWidth, fieldHeight)
	fmt.Fprintf(&b, `<linearGradient id="scale"><stop offset="0" stop-color="%s"/><stop offset=".5" stop-color="%s"/><stop offset="1" stop-color="%s"/></linearGradient>`+"\n",
		negative, neutral, positive)
	for k, f := range fields {
		fmt.Fprintf(&b, `<g transform="translate(%.0f 0)">`+"\n", float64(k)*fieldWidth)
		f.draw(&b)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f Field) draw(b *strings.Builder) {
	n, most := f.Network, f.largest()
	at := n.fit(fieldMargin, fieldTop, fieldSide, fieldSide-fieldMargin, 1)
	fmt.Fprintf(b, `<text class="title" x="%.0f" y="18" text-anchor="middle">%s</text>`+"\n", fieldWidth/2, escape(f.Title))
	b.WriteString(`<g class="axis" stroke-opacity=".5">` + "\n")
	for _, e := range n.Edges {
		n.svgLine(b, at, e, 1)
	}
	b.WriteString("</g>\n")
	for i, v := range n.Vertices {
		x, y := at.place(v)
		fmt.Fprintf(b, `<circle fill="%s" r="%g" cx="%.1f" cy="%.1f"/>`+"\n", tint(f.Values[i], most), vertexRadius, x, y)
	}
	for _, i := range f.Marked {
		x, y := at.place(n.Vertices[i])
		fmt.Fprintf(b, `<circle class="axis" fill="none" stroke-width="2" r="%g" cx="%.1f" cy="%.1f"/>`+"\n", ringRadius, x, y)
	}
	if most > 0 {
		drawBar(b, most)
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

// tint returns the colour of a value on the scale from −most to most.
func tint(v, most float64) color {
	if !(most > 0) {
		return neutral
	}
	end := positive
	if v < 0 {
		end = negative
	}
	share := math.Sqrt(min(math.Abs(v)/most, 1))
	var c color
	for k := range c {
		c[k] = math.Round(neutral[k] + share*(end[k]-neutral[k]))
	}
	return c
}

// drawBar shows which colour is which value.
func drawBar(b *strings.Builder, most float64) {
	fmt.Fprintf(b, `<rect fill="url(#scale)" x="%g" y="%g" width="%g" height="%g"/>`+"\n", barLeft, barTop, barWidth, barHeight)
	for _, share := range []float64{-1, -0.5, 0, 0.5, 1} {
		x := barLeft + barWidth*(1+share)/2
		value := most * share * math.Abs(share) // the square root the other way
		fmt.Fprintf(b, `<line class="axis" x1="%g" y1="%g" x2="%g" y2="%g"/>`+"\n", x, barTop+barHeight, x, barTop+barHeight+4)
		fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="middle">%s</text>`+"\n", x, barTop+barHeight+18, barLabel(value))
	}
}

// barLabel has two digits and a sign: the scale has two sides.
func barLabel(v float64) string {
	if v == 0 {
		return "0"
	}
	return strings.Replace(fmt.Sprintf("%+.2g", v), "-", "−", 1)
}
