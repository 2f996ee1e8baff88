package plot

import (
	"io"

	"github.com/nervure/nervure/internal/figure"
)

// A Drawing is something to draw: a graph, charts, a matrix.
type Drawing = figure.Drawing

// A Network is a drawing of a graph. Its fields, as those of all drawings, can be changed before
// it is written.
type Network = figure.Network

// Fields are values on the vertices of a graph, one picture each.
type Fields = figure.Fields

// Charts are lines over an axis.
type Charts = figure.Charts

// A Matrix is a heat map.
type Matrix = figure.Matrix

// A Raster is a table of weights as an image, such as edges by time.
type Raster = figure.Raster

// A VertexHue is the colours of the vertices of a [Network].
type VertexHue = figure.Coloring

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
