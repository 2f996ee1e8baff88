package graph

import (
	"fmt"
	"slices"
)

// Components labels each vertex with its connected component. Labels count from
// zero in the order of each component's first vertex; an isolated vertex is a
// component of its own. count is the number of components. Arrows join their ends
// in either direction.
func (g *Graph) Components() (label []int, count int) {
	parent := make([]int, len(g.names))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, e := range g.edges {
		a, b := root(e.I), root(e.J)
		parent[max(a, b)] = min(a, b) // the root is the component's first vertex
	}
	label = make([]int, len(parent))
	for i := range label {
		if r := root(i); r == i {
			label[i] = count
			count++
		} else {
			label[i] = label[r]
		}
	}
	return label, count
}

// Isolated returns the vertices that have no edge, in order.
func (g *Graph) Isolated() []int {
	var isolated []int
	for i, d := range g.Degrees() {
		if d == 0 {
			isolated = append(isolated, i)
		}
	}
	return isolated
}

// WithoutIsolated returns the graph without its isolated vertices, and for each
// vertex left its number in g.
func (g *Graph) WithoutIsolated() (stripped *Graph, kept []int) {
	for i, d := range g.Degrees() {
		if d > 0 {
			kept = append(kept, i)
		}
	}
	return g.Part(kept), kept
}

// Without returns g without the edges of some vertices, which stay.
func (g *Graph) Without(isLeft func(vertex int) bool) *Graph {
	return g.where(func(e Edge) bool { return !isLeft(e.I) && !isLeft(e.J) })
}

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
	return g.onto(slices.Clone(names), func(i int) int { return number[g.names[i]] }), nil
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
