package plot

import (
	"io"

	"github.com/nervure/nervure/internal/figure"
)

// A Drawing is something to draw: a graph, charts, a matrix.
type Drawing = figure.Drawing

// The kinds of drawings. Their fields can be changed before they are written.
type (
	Network   = figure.Network  // a graph
	Fields    = figure.Fields   // values on the vertices of a graph, one picture each
	Charts    = figure.Charts   // lines over an axis
	Matrix    = figure.Matrix   // a heat map
	Raster    = figure.Raster   // what is there at which times
	VertexHue = figure.Coloring // the colours of the vertices of a Network
)

// A Page is the title and the size of a drawing.
type Page = figure.Page

// A Format is a format of image files.
type Format = figure.Format

// The formats.
const (
	SVG = figure.SVG
	PNG = figure.PNG
	PDF = figure.PDF
)

// Write writes a drawing.
func Write(w io.Writer, f Format, p Page, d Drawing) error { return figure.Write(w, f, p, d) }
