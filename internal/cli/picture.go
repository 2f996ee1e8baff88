package cli

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/figure"
)

// network is the drawing of a graph whose vertices lie at places, in the same
// order, with its edges marked against the truth.
func network(title string, places []place, found, truth *graph.Graph) figure.Network {
	n := figure.Network{Title: title}
	for _, p := range places {
		n.Vertices = append(n.Vertices, figure.Vertex{Name: p.Name, X: p.X, Y: p.Y})
	}
	isTrue := pairs(truth)
	for _, e := range found.Edges() {
		kind := figure.Found
		if !isTrue[[2]int{e.I, e.J}] {
			kind = figure.Wrong
		}
		n.Edges = append(n.Edges, figure.Edge{From: e.I, To: e.J, Weight: e.Weight, Kind: kind})
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
