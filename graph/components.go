package graph

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
	place := make([]int, len(g.names))
	stripped = &Graph{confidence: g.confidence, directed: g.directed} // edges keep their order
	for i, d := range g.Degrees() {
		if d > 0 {
			place[i] = len(kept)
			kept = append(kept, i)
			stripped.names = append(stripped.names, g.names[i])
		}
	}
	for _, e := range g.edges {
		stripped.edges = append(stripped.edges, Edge{place[e.I], place[e.J], e.Weight})
	}
	return stripped, kept
}
