package graph

import (
	"fmt"
	"slices"
)

// OnVertices returns g on the named vertices, each of its own being the one with
// the same name; those that g does not have are isolated. A vertex of g that is not
// among the names, or a name given twice, is an error.
func (g *Graph) OnVertices(names []string) (*Graph, error) {
	if err := checkNames(names); err != nil {
		return nil, err
	}
	number := make(map[string]int, len(names))
	for i, name := range names {
		number[name] = i
	}
	for _, name := range g.names {
		if _, ok := number[name]; !ok {
			return nil, fmt.Errorf("graph.OnVertices: vertex %q is not among the %d names", name, len(names))
		}
	}
	edges := make([]Edge, len(g.edges))
	for k, e := range g.edges {
		i, j := g.ends(number[g.names[e.I]], number[g.names[e.J]])
		edges[k] = Edge{i, j, e.Weight}
	}
	moved := &Graph{slices.Clone(names), edges, g.confidence, g.directed}
	return moved.pick(moved.places(byPair)), nil
}

// Align returns a and b on the union of their vertices, matched by name: those of
// a in order, then those that only b has in theirs. shared is how many vertices
// both have.
func Align(a, b *Graph) (alignedA, alignedB *Graph, shared int) {
	isKnown := make(map[string]bool, len(a.names))
	for _, name := range a.names {
		isKnown[name] = true
	}
	union := slices.Clone(a.names)
	for _, name := range b.names {
		if isKnown[name] {
			shared++
		} else {
			union = append(union, name)
		}
	}
	return a.mustOnVertices(union), b.mustOnVertices(union), shared
}

// mustOnVertices is OnVertices for names that include all of g's.
func (g *Graph) mustOnVertices(names []string) *Graph {
	moved, err := g.OnVertices(names)
	if err != nil {
		panic(err)
	}
	return moved
}
