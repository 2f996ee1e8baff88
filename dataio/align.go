package dataio

import (
	"slices"

	"github.com/nervure/nervure/graph"
)

// Align returns two graphs that were read from files on the same vertices, matched
// by name: those of truth, then those that only found has.
//
// A file that only numbers its vertices has those of truth in order, if that tells
// their order; an edge list does not, unless its vertices have the default names.
// Graphs without a vertex in common are an [input.Error].
func Align(truth, found *GraphFile) (alignedTruth, alignedFound *graph.Graph, err error) {
	g, err := found.namedLike(truth)
	if err != nil {
		return nil, nil, inFile(found.file, err)
	}
	alignedTruth, alignedFound, shared := graph.Align(truth.Graph, g)
	if shared == 0 && truth.Graph.Vertices() > 0 && g.Vertices() > 0 {
		return nil, nil, inFile(found.file, fault("it has no vertex in common with %s (%q and %q, for example): are they graphs of the same signals?",
			truth.file, g.Names()[0], truth.Graph.Names()[0]))
	}
	return alignedTruth, alignedFound, nil
}

// With returns the graph on the named vertices, then on those that only it has. A
// file that only numbers its vertices must have as many as there are names. A graph
// without any vertex of those names is an [input.Error].
func (g *GraphFile) With(names []string) (*graph.Graph, error) {
	if g.numbered && !slices.Equal(names, graph.DefaultNames(len(names))) {
		if len(names) != g.Graph.Vertices() {
			return nil, inFile(g.file, countFault(g.Graph.Vertices(), len(names)))
		}
		return g.Graph.Rename(names)
	}
	named, err := graph.New(names, nil)
	if err != nil {
		return nil, err
	}
	_, aligned, shared := graph.Align(named, g.Graph)
	if shared == 0 && g.Graph.Vertices() > 0 {
		return nil, inFile(g.file, fault("none of its vertices is expected (%q instead of %q, for example): is it a graph of other signals?",
			g.Graph.Names()[0], names[0]))
	}
	return aligned, nil
}

// namedLike returns the graph with the names of another if it has none of its own.
func (g *GraphFile) namedLike(other *GraphFile) (*graph.Graph, error) {
	names := other.Graph.Names()
	switch {
	case !g.numbered:
		return g.Graph, nil
	case other.unordered: // it may leave out vertices, but not name any that is not there
		if _, err := other.Graph.OnVertices(g.Graph.Names()); err != nil {
			return nil, fault("an array has no names, and an edge list does not tell their order: write the graph as .csv")
		}
		return g.Graph, nil
	case slices.Equal(names, graph.DefaultNames(len(names))):
		return g.Graph, nil
	case len(names) != g.Graph.Vertices():
		return nil, countFault(g.Graph.Vertices(), len(names))
	}
	return g.Graph.Rename(names)
}
