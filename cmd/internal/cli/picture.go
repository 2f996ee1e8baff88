package cli

import (
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/figure"
	"github.com/nervure/nervure/graph"
)

// comparedNetwork is the drawing of a graph with its edges marked against the
// truth, on the same vertices.
func comparedNetwork(title string, about *dataio.VertexTable, found, truth *graph.Graph) figure.Network {
	n := placedNetwork(title, found, about)
	isTrue := pairs(truth)
	for k, e := range n.Edges {
		if !isTrue[[2]int{e.From, e.To}] {
			n.Edges[k].Kind = figure.Wrong
		}
	}
	isFound := pairs(found)
	for _, e := range truth.Edges() {
		if !isFound[[2]int{e.I, e.J}] { // its weight is on another scale
			n.Edges = append(n.Edges, figure.Edge{From: e.I, To: e.J, Kind: figure.Missed})
		}
	}
	return n
}

func pairs(g *graph.Graph) map[[2]int]bool {
	set := map[[2]int]bool{}
	for _, e := range g.Edges() {
		set[[2]int{e.I, e.J}] = true
	}
	return set
}
