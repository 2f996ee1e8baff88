package report

import (
	"io"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
)

// A Format is a format of pictures.
type Format = figure.Format

// The formats.
const (
	SVG = figure.SVG
	PNG = figure.PNG
	PDF = figure.PDF
)

// Picture draws a graph: the wider an edge, the larger its weight. Vertices stand where the
// table has them, or where its edges put them if it is nil or knows no places.
func Picture(w io.Writer, f Format, title string, g *graph.Graph, vertices *dataio.VertexTable) error {
	return figure.Write(w, f, figure.Page{}, plot.Graph(title, g, vertices))
}
