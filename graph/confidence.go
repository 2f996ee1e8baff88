package graph

import (
	"fmt"
	"slices"
)

// WithConfidence returns the same graph with a number in [0, 1] for each edge,
// in the order of Edges: how sure it is that the edge exists. Methods that cut,
// rename or reorder a graph keep them; nil removes them.
func (g *Graph) WithConfidence(confidence []float64) (*Graph, error) {
	if confidence != nil && len(confidence) != len(g.edges) {
		return nil, fmt.Errorf("graph.WithConfidence: got %d numbers for %d edges", len(confidence), len(g.edges))
	}
	for k, c := range confidence {
		if !(c >= 0 && c <= 1) {
			return nil, fmt.Errorf("graph.WithConfidence: edge %s: got %g, want a number from 0 to 1", g.label(g.edges[k]), c)
		}
	}
	return &Graph{g.names, g.edges, slices.Clone(confidence), g.directed}, nil
}

// Confidence returns a copy of the confidences, in the order of Edges, or nil if
// the graph has none or no edges.
func (g *Graph) Confidence() []float64 {
	if len(g.confidence) == 0 {
		return nil
	}
	return slices.Clone(g.confidence)
}
