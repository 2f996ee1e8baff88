package figure

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"unicode/utf8"
)

// Sizes of the drawing, in SVG units.
const (
	svgWidth  = 800.0
	margin    = 28.0
	thinnest  = 1.5
	thickest  = 8.0
	dotted    = 4.0  // a missed edge
	radius    = 16.0 // of a vertex that holds its name
	dot       = 6.0  // of a vertex whose name stands below it
	fits      = 4    // characters that a vertex holds
	letter    = 7.0  // about the width of a character
	legendRow = 30.0
)

// The colours are of middle lightness, so that the drawing, which has no
// background, can stand on white and on black.
const svgStyle = `<style>
text{font:500 11px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;fill:#fff;text-anchor:middle}
.beside,.legend{fill:#7d8590}
.legend{font-weight:400;font-size:13px;text-anchor:start}
line{stroke-linecap:round}
.found{stroke:#57ab5a}
.missed{stroke:#d29922;stroke-dasharray:.1 8}
.wrong{stroke:#e5534b;stroke-dasharray:10 7}
circle{fill:#2f7d3b}
</style>
`

// Names that stand among the lines have a rim in the colour of the page, as far as
// that can be told.
const besideStyle = `<style>
.beside{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-opacity:.8;stroke-linejoin:round}
@media (prefers-color-scheme:dark){.beside{stroke:#0d1117}}
</style>
`

// SVG writes the network as a drawing of its own: edges as lines as wide as they
// are heavy, missed ones dotted, wrong ones dashed, with a legend if there are
// any of these.
func (n Network) SVG(w io.Writer) error {
	odd := n.count(Missed)+n.count(Wrong) > 0
	height := n.svgHeight()
	full := height
	if odd {
		full += legendRow
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img">`+"\n", svgWidth, full)
	fmt.Fprintf(&b, "<title>%s</title>\n%s", escape(n.Title), svgStyle)
	side := margin
	if !n.namesInside() { // room for half of the longest
		side = max(margin, letter/2*float64(n.longestName()))
		b.WriteString(besideStyle)
	}
	f := n.fit(side, margin, svgWidth-2*side, height-2*margin, 1)
	n.svgEdges(&b, f)
	n.svgVertices(&b, f)
	if odd {
		n.svgLegend(&b, height)
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// svgHeight keeps the proportions of the network, within reason.
func (n Network) svgHeight() float64 {
	minX, maxX, minY, maxY := n.bounds()
	if maxX == minX {
		return svgWidth
	}
	inner := (svgWidth - 2*margin) * (maxY - minY) / (maxX - minX)
	return float64(int(min(max(inner, 4*margin), svgWidth) + 2*margin))
}

// svgEdges draws what is odd last, so that it is not hidden.
func (n Network) svgEdges(b *bytes.Buffer, f frame) {
	most := n.heaviest()
	for _, kind := range []Kind{Found, Wrong, Missed} {
		if n.count(kind) == 0 {
			continue
		}
		fmt.Fprintf(b, "<g class=%q>\n", className[kind])
		for _, e := range n.Edges {
			if e.Kind != kind {
				continue
			}
			n.svgLine(b, f, e, e.width(most))
		}
		b.WriteString("</g>\n")
	}
}

func (n Network) svgLine(w io.Writer, f frame, e Edge, width float64) {
	x1, y1 := f.place(n.Vertices[e.From])
	x2, y2 := f.place(n.Vertices[e.To])
	fmt.Fprintf(w, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-width="%.1f"/>`+"\n", x1, y1, x2, y2, width)
}

var className = map[Kind]string{Found: "found", Missed: "missed", Wrong: "wrong"}

// width returns how wide to draw an edge beside the heaviest. One that was
// missed has no weight that could be compared.
func (e Edge) width(most float64) float64 {
	if e.Kind == Missed {
		return dotted
	}
	if !(most > 0) {
		return thinnest
	}
	return thinnest + (thickest-thinnest)*max(e.Weight, 0)/most
}

func (n Network) longestName() int {
	most := 0
	for _, v := range n.Vertices {
		most = max(most, utf8.RuneCountInString(v.Name))
	}
	return most
}

// namesInside says whether names stand in their vertices, all or none of them.
func (n Network) namesInside() bool { return n.longestName() <= fits }

func (n Network) svgVertices(b *bytes.Buffer, f frame) {
	inside := n.namesInside()
	for _, v := range n.Vertices {
		x, y := f.place(v)
		if inside {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%g"/><text x="%.1f" y="%.1f" dy=".35em">%s</text>`+"\n", x, y, radius, x, y, escape(v.Name))
		} else {
			fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%g"/><text class="beside" x="%.1f" y="%.1f" dy=".35em">%s</text>`+"\n", x, y, dot, x, y+2.4*dot, escape(v.Name))
		}
	}
}

func (n Network) svgLegend(b *bytes.Buffer, top float64) {
	x, y := margin, top+legendRow/2-4
	for _, kind := range []Kind{Found, Missed, Wrong} {
		fmt.Fprintf(b, `<line class=%q x1="%g" y1="%g" x2="%g" y2="%g" stroke-width="4"/>`, className[kind], x, y, x+44, y)
		fmt.Fprintf(b, `<text class="legend" x="%g" y="%g" dy=".35em">%d %s</text>`+"\n", x+56, y, n.count(kind), className[kind])
		x += 170
	}
}

func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer does not fail
	return b.String()
}
