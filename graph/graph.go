// Package graph is the weighted graph that is learned: its edges, degrees,
// Laplacians, components, and the ways to cut weak edges.
//
// A Graph is immutable. It has no self-loops and only finite weights, which are positive unless
// the graph is signed: see [Graph.Negative]. Vertices are 0 … N−1 and carry names. It is undirected
// unless it was made by [NewDirected].
package graph

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// An Edge joins vertices I and J with a weight, which is negative if the two move against each
// other. In an undirected Graph, I < J; in a directed one it is an arrow from I to J.
type Edge struct {
	I, J   int
	Weight float64
}

// A Graph is an immutable weighted graph.
type Graph struct {
	names    []string
	edges    []Edge // sorted by (I, J), weights ≠ 0, I < J unless directed
	known    edgeKnowledge
	directed bool
}

// New returns the undirected graph with the given vertex names and edges, in any
// order and orientation. Edges of weight zero are dropped. Names must be distinct;
// a vertex outside the range, a self-loop, an edge given twice, or a non-finite weight is an
// error. Negative weights make a signed graph.
func New(names []string, edges []Edge) (*Graph, error) {
	return build("graph.New", names, edges, false)
}

// build is New and NewDirected.
func build(op string, names []string, edges []Edge, directed bool) (*Graph, error) {
	if err := checkNames(names); err != nil {
		return nil, err
	}
	g := &Graph{names: slices.Clone(names), edges: make([]Edge, 0, len(edges)), directed: directed}
	for _, e := range edges {
		e.I, e.J = g.ends(e.I, e.J)
		switch {
		case min(e.I, e.J) < 0 || max(e.I, e.J) >= len(names):
			return nil, fmt.Errorf("%s: edge (%d, %d): the vertices are 0 to %d", op, e.I, e.J, len(names)-1)
		case e.I == e.J:
			return nil, fmt.Errorf("%s: self-loop at vertex %q", op, names[e.I])
		case math.IsNaN(e.Weight) || math.IsInf(e.Weight, 0):
			return nil, fmt.Errorf("%s: edge %s: weight %g is not a finite number", op, g.label(e), e.Weight)
		case e.Weight != 0:
			g.edges = append(g.edges, e)
		}
	}
	slices.SortFunc(g.edges, byPair)
	for k := 1; k < len(g.edges); k++ {
		if byPair(g.edges[k-1], g.edges[k]) == 0 {
			return nil, fmt.Errorf("%s: edge %s is given twice", op, g.label(g.edges[k]))
		}
	}
	return g, nil
}

// ends returns the vertices of an edge in the order in which g keeps them.
func (g *Graph) ends(i, j int) (from, to int) {
	if g.directed {
		return i, j
	}
	return min(i, j), max(i, j)
}

// label names an edge in errors.
func (g *Graph) label(e Edge) string {
	return fmt.Sprintf("%q %s %q", g.names[e.I], g.Joint(), g.names[e.J])
}

func checkNames(names []string) error {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if first, twice := seen[name]; twice {
			return fmt.Errorf("graph: vertices %d and %d have the same name %q", first, i, name)
		}
		seen[name] = i
	}
	return nil
}

func byPair(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
}

// FromWeights returns the graph whose edges are the entries above the diagonal of w
// that are not zero. They must be finite, and zero on the diagonal.
func FromWeights(names []string, w mat.Symmetric) (*Graph, error) {
	n := w.SymmetricDim()
	if n != len(names) {
		return nil, fmt.Errorf("graph.FromWeights: got %d names for %d vertices", len(names), n)
	}
	var edges []Edge
	for i := range n {
		if w.At(i, i) != 0 {
			return nil, fmt.Errorf("graph.FromWeights: entry (%d, %d) on the diagonal is not zero", i, i)
		}
		for j := i + 1; j < n; j++ {
			if v := w.At(i, j); v != 0 {
				edges = append(edges, Edge{i, j, v})
			}
		}
	}
	return New(names, edges)
}

// DefaultNames returns v0, v1, …, v(n−1).
func DefaultNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = "v" + strconv.Itoa(i)
	}
	return names
}

// Vertices returns the number of vertices N.
func (g *Graph) Vertices() int { return len(g.names) }

// Names returns a copy of the vertex names, in vertex order.
func (g *Graph) Names() []string { return slices.Clone(g.names) }

// EdgeCount returns the number of edges.
func (g *Graph) EdgeCount() int { return len(g.edges) }

// Negative returns the number of edges with a negative weight. A graph that has any is signed:
// such an edge joins vertices that move against each other. Degrees, cuts, communities and both
// Laplacians count weights by their size.
func (g *Graph) Negative() int {
	count := 0
	for _, e := range g.edges {
		if e.Weight < 0 {
			count++
		}
	}
	return count
}

// Edges returns a copy of the edges, sorted by (I, J); I < J unless g is directed.
func (g *Graph) Edges() []Edge { return slices.Clone(g.edges) }

// Pairs returns the vertices of each edge, in the order of [Graph.Edges]. It is
// empty, not nil, for a graph without edges.
func (g *Graph) Pairs() [][2]int {
	pairs := make([][2]int, len(g.edges))
	for k, e := range g.edges {
		pairs[k] = [2]int{e.I, e.J}
	}
	return pairs
}

// HasEdge reports whether an edge joins vertices i and j, in either order; if g is
// directed, whether an arrow leads from i to j.
func (g *Graph) HasEdge(i, j int) bool {
	i, j = g.ends(i, j)
	_, found := slices.BinarySearchFunc(g.edges, Edge{I: i, J: j}, byPair)
	return found
}

// Rename returns the same graph with other vertex names.
func (g *Graph) Rename(names []string) (*Graph, error) {
	if len(names) != len(g.names) {
		return nil, fmt.Errorf("graph.Rename: got %d names for %d vertices", len(names), len(g.names))
	}
	if err := checkNames(names); err != nil {
		return nil, err
	}
	return &Graph{slices.Clone(names), g.edges, g.known, g.directed}, nil
}

// Weights returns the weight matrix W, of a directed graph that of
// [Graph.Undirected]; [Graph.Adjacency] has direction.
func (g *Graph) Weights() *mat.SymDense {
	w := g.symmetric()
	for _, e := range g.Undirected().edges {
		w.SetSym(e.I, e.J, e.Weight)
	}
	return w
}

// symmetric returns an N×N matrix of zeros, empty for a graph without vertices.
func (g *Graph) symmetric() *mat.SymDense {
	if len(g.names) == 0 {
		return &mat.SymDense{}
	}
	return mat.NewSymDense(len(g.names), nil)
}

// Degrees returns d = |W|·1: negative weights count by their size. In a directed graph arrows
// count at both ends.
func (g *Graph) Degrees() []float64 {
	d := make([]float64, len(g.names))
	for _, e := range g.edges {
		d[e.I] += math.Abs(e.Weight)
		d[e.J] += math.Abs(e.Weight)
	}
	return d
}

// NormalizedWeights returns the edges with A_ij = W_ij / √(d_i d_j) as weights,
// where in a directed graph d_i is of the arrows that leave i and d_j of those that
// reach j. They do not depend on the scale of W.
func (g *Graph) NormalizedWeights() []Edge {
	// In units of the heaviest weight, so that no degree or product overflows.
	var heaviest float64
	for _, e := range g.edges {
		heaviest = max(heaviest, math.Abs(e.Weight))
	}
	edges := slices.Clone(g.edges)
	for k := range edges {
		edges[k].Weight /= heaviest
	}
	out, in := (&Graph{names: g.names, edges: edges, directed: g.directed}).strengths()
	for k, e := range edges {
		edges[k].Weight = e.Weight / math.Sqrt(out[e.I]*in[e.J])
	}
	return edges
}

// Laplacian returns the normalised Laplacian L = I − D^(−1/2) W D^(−1/2), with
// spectrum in [0, 2]. An isolated vertex has d^(−1/2) := 0, hence L_ii = 1 and
// zeros in the rest of its row. That of a directed graph is of [Graph.Undirected].
func (g *Graph) Laplacian() *mat.SymDense {
	l := g.symmetric()
	for i := range g.names {
		l.SetSym(i, i, 1)
	}
	for _, e := range g.Undirected().NormalizedWeights() {
		l.SetSym(e.I, e.J, -e.Weight)
	}
	return l
}

// CombinatorialLaplacian returns diag(d) − W, with d of [Graph.Degrees], of a directed graph that of
// [Graph.Undirected].
func (g *Graph) CombinatorialLaplacian() *mat.SymDense {
	g = g.Undirected()
	l := g.symmetric()
	for i, d := range g.Degrees() {
		l.SetSym(i, i, d)
	}
	for _, e := range g.edges {
		l.SetSym(e.I, e.J, -e.Weight)
	}
	return l
}

// Permuted returns the graph whose vertex k is vertex order[k] of g, name included.
func (g *Graph) Permuted(order []int) (*Graph, error) {
	place := make([]int, len(g.names)) // place[i] is where vertex i goes
	for i := range place {
		place[i] = -1
	}
	if len(order) != len(g.names) {
		return nil, fmt.Errorf("graph.Permuted: got %d positions for %d vertices", len(order), len(g.names))
	}
	names := make([]string, len(order))
	for k, i := range order {
		if i < 0 || i >= len(place) || place[i] >= 0 {
			return nil, errors.New("graph.Permuted: order is not a permutation")
		}
		place[i], names[k] = k, g.names[i]
	}
	return g.onto(names, func(i int) int { return place[i] }), nil
}

// onto returns g on the named vertices, its vertex i being place(i) of them. What is known of edges stays with them.
func (g *Graph) onto(names []string, place func(i int) int) *Graph {
	moved := &Graph{names, g.Edges(), g.known, g.directed}
	for k, e := range moved.edges {
		moved.edges[k].I, moved.edges[k].J = g.ends(place(e.I), place(e.J))
	}
	return moved.pick(moved.places(byPair))
}

// Embed returns g on more vertices: vertex k of g becomes vertex vertices[k] of
// those named, and the others are isolated. What is known of edges stays with them.
// Vertices that are not distinct, or not among the names, are a bug of the caller.
func (g *Graph) Embed(vertices []int, names []string) *Graph {
	embedded := g.onto(slices.Clone(names), func(i int) int { return vertices[i] })
	if _, err := build("graph.Embed", names, embedded.edges, g.directed); err != nil {
		panic(err)
	}
	return embedded
}

// Part returns the graph of some vertices, which are distinct, and of the edges
// between them: vertex k of it is vertex vertices[k] of g.
func (g *Graph) Part(vertices []int) *Graph {
	place := make(map[int]int, len(vertices))
	names := make([]string, len(vertices))
	for k, i := range vertices {
		place[i], names[k] = k, g.names[i]
	}
	within := g.where(func(e Edge) bool {
		_, from := place[e.I]
		_, to := place[e.J]
		return from && to
	})
	return within.onto(names, func(i int) int { return place[i] })
}
