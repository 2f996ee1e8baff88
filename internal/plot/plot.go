// Package plot draws what there is to see of a learned graph: the graph itself, its
// weights, its atoms, and how it was learned. Every function returns a drawing of package
// figure, which writes it as SVG, PNG or PDF.
package plot

import (
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/layout"
)

// Graph draws a graph. Its vertices lie where the table, which may be nil, says,
// or else near those they are joined to.
func Graph(title string, g *graph.Graph, table *dataio.VertexTable) figure.Network {
	x, y := Places(g, table)
	n := figure.Network{Title: title, Confidence: g.Confidence(), Directed: g.Directed()}
	for i, name := range g.Names() {
		n.Vertices = append(n.Vertices, figure.Vertex{Name: name, X: x[i], Y: y[i]})
	}
	for _, e := range g.Edges() {
		n.Edges = append(n.Edges, figure.Edge{From: e.I, To: e.J, Weight: e.Weight})
	}
	return n
}

// Places are where the vertices of a graph are drawn: where the table, which may
// be nil, has them, or else near those they are joined to.
func Places(g *graph.Graph, table *dataio.VertexTable) (x, y []float64) {
	if x, y, ok := KnownPlaces(table); ok {
		return x, y
	}
	return layout.Places(g)
}

// KnownPlaces are those that a table, which may be nil, has for at least some of
// its vertices.
func KnownPlaces(table *dataio.VertexTable) (x, y []float64, ok bool) {
	if table == nil {
		return nil, nil, false
	}
	if x, y, _, ok = table.Places(); ok {
		layout.Settle(x, y)
	}
	return x, y, ok
}

// Against draws a graph with its edges marked against the truth, on the same
// vertices. If only one of them is directed, neither is drawn so.
func Against(title string, found, truth *graph.Graph, table *dataio.VertexTable) figure.Network {
	if found.Directed() != truth.Directed() {
		found, truth = found.Undirected(), truth.Undirected()
	}
	n := Graph(title, found, table)
	for k, e := range n.Edges {
		if !truth.HasEdge(e.From, e.To) {
			n.Edges[k].Kind = figure.Wrong
		}
	}
	for _, e := range truth.Edges() {
		if !found.HasEdge(e.I, e.J) { // its weight is on another scale
			n.Edges = append(n.Edges, figure.Edge{From: e.I, To: e.J, Kind: figure.Missed})
		}
	}
	return n
}
