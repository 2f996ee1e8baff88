package cli

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/internal/words"
)

// drawGraph draws a figure of a graph.
func (p *plotting) drawGraph(kind string, c console) (figure.Drawing, string, error) {
	file, err := readGraphAs(c.in, p.in, p.directed)
	if err != nil {
		return nil, "", err
	}
	noteGraph(c, p.in, file)
	g := file.Graph
	words := plural(g.Vertices(), "vertex") + " and " + plural(g.EdgeCount(), g.Word())
	switch title := p.in + ": " + words; kind {
	case plotWeights:
		weights := make([]float64, 0, g.EdgeCount())
		for _, e := range g.Edges() {
			weights = append(weights, e.Weight)
		}
		slices.SortFunc(weights, func(a, b float64) int { return cmp.Compare(b, a) })
		if len(weights) == 0 {
			return nil, "", misuse("%s: the graph has no edges, so there are no weights to draw", p.in)
		}
		return plot.Weights(title, weights, 0), words, nil
	case plotHeatmap:
		return plot.Heatmap(title, g), words, nil
	}
	table, err := p.readVertices(file)
	if err != nil {
		return nil, "", err
	}
	if table != nil {
		words += missingWords(table)
	}
	n := plot.Graph(p.in+": "+words, g, table)
	if kind == plotAtoms {
		fields, err := p.atoms(g, n)
		return fields, words, err
	}
	n.Coloring, err = p.coloring(g, table)
	return n, words, err
}

// readVertices returns what is known about vertices, from the table that was given
// or else from the graph's own file; nil if nothing is.
func (p *plotting) readVertices(file *dataio.GraphFile) (*dataio.VertexTable, error) {
	if p.vertices == "" {
		return file.Vertices, nil
	}
	table, _, err := readVertices(p.vertices, file.Graph.Names())
	return table, err
}

// missingWords says how many vertices have no coordinates where others have some.
func missingWords(table *dataio.VertexTable) string {
	x, _, _, ok := table.Places()
	lost := 0
	for _, v := range x {
		if math.IsNaN(v) {
			lost++
		}
	}
	if !ok || lost == 0 {
		return ""
	}
	return "; " + plural(lost, "vertex") + " without coordinates drawn below"
}

// coloring gives vertices the colours that --color asks for, nil if it does not.
func (p *plotting) coloring(g *graph.Graph, table *dataio.VertexTable) (*figure.Coloring, error) {
	switch {
	case p.color == "":
		return nil, nil
	case table == nil && p.color != colorComponent:
		return nil, misuse("--color %s needs --vertices with a table that has such a column; without a table, use --color %s", p.color, colorComponent)
	case table != nil:
		var columns []string
		for _, c := range table.Columns {
			if strings.EqualFold(c.Name, p.color) {
				return plot.Coloring(c), nil
			}
			columns = append(columns, c.Name)
		}
		if p.color != colorComponent {
			return nil, misuse("--color %s: %s has no such column; it has %s", p.color, cmp.Or(p.vertices, p.in), words.List(columns, "and"))
		}
	}
	return plot.Coloring(plot.ComponentColumn(g)), nil
}
