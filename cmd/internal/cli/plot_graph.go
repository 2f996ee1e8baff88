package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/layout"
	"github.com/nervure/nervure/internal/words"
)

// drawGraph draws a figure of a graph.
func (p *plot) drawGraph(kind string, c console) (figure.Drawing, string, error) {
	file, err := p.readGraph(c)
	if err != nil {
		return nil, "", err
	}
	g := file.Graph
	words := plural(g.Vertices(), "vertex") + " and " + plural(g.EdgeCount(), "edge")
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
		return weightsChart(title, weights, 0), words, nil
	case plotHeatmap:
		return heatmap(title, g), words, nil
	}
	table, err := p.readVertices(file)
	if err != nil {
		return nil, "", err
	}
	if table != nil {
		words += missingWords(table)
	}
	n := placedNetwork(p.in+": "+words, g, table)
	if kind == plotAtoms {
		fields, err := p.atoms(g, n)
		return fields, words, err
	}
	n.Coloring, err = p.coloring(g, table)
	return n, words, err
}

func (p *plot) readGraph(c console) (*dataio.GraphFile, error) {
	if p.in == "-" {
		return dataio.DecodeGraphFile(c.in, "standard input", dataio.CSV)
	}
	return readGraphFile(p.in)
}

// readVertices returns what is known about vertices, from the table that was given
// or else from the graph's own file; nil if nothing is.
func (p *plot) readVertices(file *dataio.GraphFile) (*dataio.VertexTable, error) {
	if p.vertices == "" {
		return file.Vertices, nil
	}
	table, _, err := readVertices(p.vertices, file.Graph.Names())
	return table, err
}

// missingWords says how many vertices have no place where others have one.
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
	if lost == 1 {
		return "; 1 vertex has no place and is below"
	}
	return fmt.Sprintf("; %d vertices have no place and are below", lost)
}

// placedNetwork is the drawing of a graph whose vertices lie where the table says,
// or else near those they are joined to.
func placedNetwork(title string, g *graph.Graph, table *dataio.VertexTable) figure.Network {
	x, y := placesOf(g, table)
	n := figure.Network{Title: title, Confidence: g.Confidence()}
	for i, name := range g.Names() {
		n.Vertices = append(n.Vertices, figure.Vertex{Name: name, X: x[i], Y: y[i]})
	}
	for _, e := range g.Edges() {
		n.Edges = append(n.Edges, figure.Edge{From: e.I, To: e.J, Weight: e.Weight})
	}
	return n
}

func placesOf(g *graph.Graph, table *dataio.VertexTable) (x, y []float64) {
	if x, y, ok := knownPlaces(table); ok {
		return x, y
	}
	return layout.Places(g)
}

// coloring gives vertices the colours that --color asks for, nil if it does not.
func (p *plot) coloring(g *graph.Graph, table *dataio.VertexTable) (*figure.Coloring, error) {
	switch {
	case p.color == "":
		return nil, nil
	case table == nil && p.color != colorComponent:
		return nil, misuse("--color %s needs --vertices, a table with such a column; without one there is --color %s", p.color, colorComponent)
	case table != nil:
		var columns []string
		for _, c := range table.Columns {
			if strings.EqualFold(c.Name, p.color) {
				return colorsOf(c), nil
			}
			columns = append(columns, c.Name)
		}
		if p.color != colorComponent {
			return nil, misuse("--color %s: %s has no such column; it has %s", p.color, cmp.Or(p.vertices, p.in), words.List(columns, "and"))
		}
	}
	return colorsOf(componentColumn(g)), nil
}

// componentColumn numbers components from the largest, and leaves out vertices
// that are alone.
func componentColumn(g *graph.Graph) dataio.VertexColumn {
	label, count := g.Components()
	size, order := make([]int, count), make([]int, count)
	for _, c := range label {
		size[c]++
	}
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	rank := make([]int, count)
	for k, c := range order {
		rank[c] = k + 1
	}
	column := dataio.VertexColumn{Name: colorComponent, Text: make([]string, len(label))}
	for i, c := range label {
		if size[c] > 1 {
			column.Text[i] = fmt.Sprint(rank[c])
		}
	}
	return column
}

// mostGroups is how many different numbers are drawn as groups, each with a colour
// of its own.
const mostGroups = 6

// colorsOf gives a colour to each text of a column, those that most vertices have
// first; or shades to its numbers, if there are many of them.
func colorsOf(c dataio.VertexColumn) *figure.Coloring {
	times := map[string]int{}
	for _, text := range c.Text {
		if text != "" {
			times[text]++
		}
	}
	if c.Numbers != nil && len(times) > mostGroups {
		return &figure.Coloring{Label: c.Name, Values: c.Numbers}
	}
	coloring := &figure.Coloring{Label: c.Name, Of: make([]int, len(c.Text))}
	for text := range times {
		coloring.Groups = append(coloring.Groups, text)
	}
	slices.SortFunc(coloring.Groups, func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	place := map[string]int{"": -1}
	for k, text := range coloring.Groups {
		place[text] = k
	}
	for i, text := range c.Text {
		coloring.Of[i] = place[text]
	}
	return coloring
}
