package graph

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// NewDirected returns the directed graph with the given vertex names and arrows, in
// any order. Two vertices may be joined by an arrow each way. Everything else is as
// for [New].
func NewDirected(names []string, arrows []Edge) (*Graph, error) {
	return build("graph.NewDirected", names, arrows, true)
}

// Directed reports whether edges are arrows.
func (g *Graph) Directed() bool { return g.directed }

// Joint is what stands between the names of two vertices that an edge joins: – or →.
func (g *Graph) Joint() string {
	if g.directed {
		return "→"
	}
	return "–"
}

// Word is what an edge of g is called: "edge" or "arrow".
func (g *Graph) Word() string {
	if g.directed {
		return "arrow"
	}
	return "edge"
}

// Undirected returns g without direction: two vertices are joined if an arrow leads
// from either to the other, with the larger of the weights by size, and the larger of the
// confidences. It is g itself if g is undirected.
func (g *Graph) Undirected() *Graph {
	if !g.directed {
		return g
	}
	turned := &Graph{names: g.names, edges: make([]Edge, len(g.edges)), known: g.known}
	for k, e := range g.edges {
		turned.edges[k] = Edge{min(e.I, e.J), max(e.I, e.J), e.Weight}
	}
	turned = turned.pick(turned.places(byPair))
	kept := &Graph{names: g.names}
	for k, e := range turned.edges {
		last := len(kept.edges) - 1
		if last < 0 || byPair(kept.edges[last], e) != 0 {
			kept.edges = append(kept.edges, e)
			if g.known.confidence != nil {
				kept.known.confidence = append(kept.known.confidence, turned.known.confidence[k])
			}
			continue
		}
		if math.Abs(e.Weight) > math.Abs(kept.edges[last].Weight) {
			kept.edges[last].Weight = e.Weight
		}
		if g.known.confidence != nil {
			kept.known.confidence[last] = max(kept.known.confidence[last], turned.known.confidence[k])
		}
	}
	return kept
}

// Adjacency returns the weight matrix W as it is: W_ij is the weight of the edge
// from i to j. It is symmetric if g is undirected.
func (g *Graph) Adjacency() *mat.Dense {
	if len(g.names) == 0 {
		return &mat.Dense{}
	}
	w := mat.NewDense(len(g.names), len(g.names), nil)
	for _, e := range g.edges {
		w.Set(e.I, e.J, e.Weight)
		if !g.directed {
			w.Set(e.J, e.I, e.Weight)
		}
	}
	return w
}

// OneWay returns how many arrows of a directed graph have none the other way; 0 if
// g is undirected.
func (g *Graph) OneWay() int {
	count := 0
	for _, e := range g.edges {
		if !g.HasEdge(e.J, e.I) {
			count++
		}
	}
	return count
}

// strengths returns the sums of the weights that leave and that reach each vertex.
// If g is undirected, both are its degrees.
func (g *Graph) strengths() (out, in []float64) {
	if !g.directed {
		d := g.Degrees()
		return d, d
	}
	out, in = make([]float64, len(g.names)), make([]float64, len(g.names))
	for _, e := range g.edges {
		out[e.I] += math.Abs(e.Weight)
		in[e.J] += math.Abs(e.Weight)
	}
	return out, in
}
