package method

import (
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// Known is what is known about the edges before the signals are seen. The zero value is
// nothing.
type Known struct {
	// Allow lists the pairs of vertices that may have an edge, nil meaning all; Forbid
	// lists pairs that may not, even if they are allowed. Vertices are numbered from 0.
	Allow, Forbid [][2]int
	Init          *graph.Graph // to start from; nil if there is none
	Prior         *graph.Graph // that the weights are pulled towards; nil if there is none
	PriorWeight   float64      // as how many signals the prior counts; zero means the method's own
}

// IsEmpty reports whether nothing is known.
func (k Known) IsEmpty() bool {
	return k.Allow == nil && k.Forbid == nil && k.Init == nil && k.Prior == nil && k.PriorWeight == 0
}

// OnVertices returns k with its graphs on the named vertices, matched by name. A graph
// of as many vertices without names of its own is taken in their order.
func (k Known) OnVertices(names []string) (Known, error) {
	for _, g := range []struct {
		field input.Field
		graph **graph.Graph
	}{{input.Init, &k.Init}, {input.Prior, &k.Prior}} {
		var err error
		if *g.graph, err = OnVertices(g.field, *g.graph, names); err != nil {
			return k, err
		}
	}
	return k, nil
}

// OnVertices returns a graph, which may be nil, on the named vertices, matched by name if
// it has other names than the default ones.
func OnVertices(field input.Field, g *graph.Graph, names []string) (*graph.Graph, error) {
	if g == nil || g.Vertices() == len(names) && slices.Equal(g.Names(), graph.DefaultNames(len(names))) {
		return g, nil
	}
	moved, err := g.OnVertices(names)
	if err != nil {
		return nil, input.Errorf("nervure", field, "it has a vertex that the signals do not have: %v", err)
	}
	return moved, nil
}

// refusedBy returns an error if a method cannot use what is known.
func (k Known) refusedBy(m Method) error {
	if k.IsEmpty() || Has(m, UsesKnown) {
		return nil
	}
	field := input.ForbiddenPairs
	switch {
	case k.Prior != nil:
		field = input.Prior
	case k.Init != nil:
		field = input.Init
	case k.Allow != nil:
		field = input.AllowedPairs
	}
	return input.Errorf(m.Name(), field, "the method has no use for edges that are known beforehand")
}
