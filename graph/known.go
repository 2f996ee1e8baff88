package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// edgeKnowledge is what is known of edges beside their weights, in their order.
type edgeKnowledge struct {
	confidence []float64  // in [0, 1]; nil means that none is known
	evidence   []Evidence // nil means that none is known
}

// pick returns what is known of the edges at the given places.
func (k edgeKnowledge) pick(places []int) edgeKnowledge {
	return edgeKnowledge{pick(k.confidence, places), pick(k.evidence, places)}
}

// pick returns the entries of a list at the given places, and nil of nil.
func pick[T any](list []T, places []int) []T {
	if list == nil {
		return nil
	}
	picked := make([]T, len(places))
	for k, p := range places {
		picked[k] = list[p]
	}
	return picked
}

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
	known := edgeKnowledge{slices.Clone(confidence), g.known.evidence}
	return &Graph{g.names, g.edges, known, g.directed}, nil
}

// Confidence returns a copy of the confidences, in the order of Edges, or nil if
// the graph has none or no edges.
func (g *Graph) Confidence() []float64 {
	if len(g.known.confidence) == 0 {
		return nil
	}
	return slices.Clone(g.known.confidence)
}

// Evidence is what the signals say of an edge beside its weight.
type Evidence struct {
	Partial   float64 // partial correlation of its vertices given all others, in [−1, 1]
	Low, High float64 // its 90 % interval
	Q         float64 // in [0, 1]: the false discovery rate at which it passes the test of being stronger than a floor
}

// intervalQuantile is that of the ends of a 90 % interval in standard errors.
const intervalQuantile = 1.6448536269514722

// OnFisherScale returns the partial correlation on the scale of the inverse hyperbolic tangent, on which
// its interval is symmetric, and its standard error there, infinite if the interval is all there can
// be. An end at 1 has been rounded: the other one tells the error.
func (e Evidence) OnFisherScale() (z, se float64) {
	const most = 0.9999 // by size, of partial correlations that were rounded to 1
	z = math.Atanh(max(-most, min(e.Partial, most)))
	low, high := math.Atanh(e.Low), math.Atanh(e.High)
	switch {
	case math.IsInf(low, 0) && math.IsInf(high, 0):
		return z, math.Inf(1)
	case math.IsInf(low, 0):
		return z, (high - z) / intervalQuantile
	case math.IsInf(high, 0):
		return z, (z - low) / intervalQuantile
	}
	return z, (high - low) / 2 / intervalQuantile
}

// fault says what is wrong with e; it is empty if e is valid.
func (e Evidence) fault() string {
	switch {
	case !(e.Partial >= -1 && e.Partial <= 1):
		return fmt.Sprintf("partial correlation: got %g, want a number from −1 to 1", e.Partial)
	case !(e.Low >= -1 && e.Low <= e.Partial && e.High >= e.Partial && e.High <= 1):
		return fmt.Sprintf(
			"interval: got %g to %g, want one within −1 to 1 that has the partial correlation, %g, in it", e.Low,
			e.High, e.Partial)
	case !(e.Q >= 0 && e.Q <= 1):
		return fmt.Sprintf("q: got %g, want a number from 0 to 1", e.Q)
	}
	return ""
}

// WithEvidence returns the same graph with evidence for each edge, in the order of
// Edges. It stays with its edge as confidence does; nil removes it. Arrows have none:
// a partial correlation has no direction.
func (g *Graph) WithEvidence(list []Evidence) (*Graph, error) {
	if list != nil && g.directed {
		return nil, errors.New("graph.WithEvidence: got a directed graph, want an undirected one")
	}
	if list != nil && len(list) != len(g.edges) {
		return nil, fmt.Errorf("graph.WithEvidence: got evidence of %d edges, want that of %d", len(list), len(g.edges))
	}
	for k, e := range list {
		if fault := e.fault(); fault != "" {
			return nil, fmt.Errorf("graph.WithEvidence: edge %s: %s", g.label(g.edges[k]), fault)
		}
	}
	known := edgeKnowledge{g.known.confidence, slices.Clone(list)}
	return &Graph{g.names, g.edges, known, g.directed}, nil
}

// Evidence returns a copy of the evidence, in the order of Edges, or nil if the graph
// has none or no edges.
func (g *Graph) Evidence() []Evidence {
	if len(g.known.evidence) == 0 {
		return nil
	}
	return slices.Clone(g.known.evidence)
}
