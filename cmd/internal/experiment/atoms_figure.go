package experiment

import (
	"fmt"
	"io"

	"github.com/nervure/nervure/internal/figure"
)

// atomFigure draws the graph once for each kernel, its vertices coloured by the
// kernel's atom at the one with a ring.
func atomFigure(w io.Writer, records []Record) error {
	vertices := sortedBy(where(records, Measuring, text("kind", "vertex")), "vertex")
	edges := sortedBy(where(records, Measuring, text("kind", "edge")), "source", "target")
	n := figure.Network{}
	var centre []int
	place := map[float64]int{} // of a vertex in the network
	for i, v := range vertices {
		place[v.Number("vertex")] = i
		n.Vertices = append(n.Vertices, figure.Vertex{X: v.Number("x"), Y: v.Number("y")})
		if v.Number("centre") == 1 {
			centre = append(centre, i)
		}
	}
	for _, e := range edges {
		i, foundI := place[e.Number("source")]
		j, foundJ := place[e.Number("target")]
		if foundI && foundJ { // an interrupted run may lack them
			n.Edges = append(n.Edges, figure.Edge{From: i, To: j})
		}
	}
	var fields []figure.Field
	for s, formula := range kernelFormulas {
		f := figure.Field{Title: "Atom of " + formula, Network: n, Marked: centre}
		for _, v := range vertices {
			f.Values = append(f.Values, v.Number(fmt.Sprintf("atom_%d", s+1)))
		}
		fields = append(fields, f)
	}
	return figure.WriteFields(w, "Atoms of both kernels at one vertex of a graph of points in the plane", fields...)
}
