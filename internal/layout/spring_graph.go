package layout

import (
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
)

// A springGraph is what drawing needs of a graph: who is joined to whom, at which length.
type springGraph struct {
	first  []int   // the neighbours of vertex i are near[first[i]:first[i+1]]
	near   []int32 // each edge from both of its ends
	length []int32 // in units of 1/whole
	label  []int   // components; nil if all are one
}

// Lengths are whole numbers: whole for an edge of median weight, and by the
// logarithm of its weight a little less or more for others.
const (
	whole    = 8
	shortest = 6
	longest  = 11
)

func newSpringGraph(g *graph.Graph) *springGraph {
	edges := g.Undirected().Edges()
	weights := make([]float64, len(edges))
	for k, e := range edges {
		weights[k] = e.Weight
	}
	slices.Sort(weights)
	n := g.Vertices()
	w := &springGraph{first: make([]int, n+1), near: make([]int32, 2*len(edges)), length: make([]int32, 2*len(edges))}
	w.label, _ = g.Components()
	for _, e := range edges {
		w.first[e.I+1]++
		w.first[e.J+1]++
	}
	for i := range n {
		w.first[i+1] += w.first[i]
	}
	next := slices.Clone(w.first)
	for _, e := range edges {
		l := lengthOf(e.Weight, weights[len(weights)/2])
		for _, ends := range [2][2]int{{e.I, e.J}, {e.J, e.I}} {
			w.near[next[ends[0]]], w.length[next[ends[0]]] = int32(ends[1]), l
			next[ends[0]]++
		}
	}
	return w
}

// lengthOf takes a length of 1/whole away for every factor of three in weight.
func lengthOf(weight, median float64) int32 {
	steps := math.Round(math.Log(weight/median) / math.Log(3)) // infinite ones are held below
	return int32(max(min(whole-steps, longest), shortest))
}

func (w *springGraph) vertices() int { return len(w.first) - 1 }

// around returns the neighbours of a vertex and the lengths of the edges to them.
func (w *springGraph) around(i int) (near, length []int32) {
	return w.near[w.first[i]:w.first[i+1]], w.length[w.first[i]:w.first[i+1]]
}

// apart reports whether two vertices are in different components.
func (w *springGraph) apart(i, j int) bool { return w.label != nil && w.label[i] != w.label[j] }

// A part is a component, with its vertices as the whole numbers them.
type part struct {
	vertices []int
	springs  *springGraph
}

// parts returns the components in the order of their first vertices.
func (w *springGraph) parts() []part {
	var parts []part
	place := make([]int32, w.vertices()) // in its own component
	for i, c := range w.label {
		if c == len(parts) {
			parts = append(parts, part{springs: &springGraph{first: []int{0}}})
		}
		place[i] = int32(len(parts[c].vertices))
		parts[c].vertices = append(parts[c].vertices, i)
	}
	for i, c := range w.label {
		p := parts[c].springs
		near, length := w.around(i)
		for _, j := range near {
			p.near = append(p.near, place[j])
		}
		p.length = append(p.length, length...)
		p.first = append(p.first, len(p.near))
	}
	return parts
}

// unit returns the median length of an edge in a drawing, 1 if there is none.
func (w *springGraph) unit(d drawing) float64 {
	var lengths []float64
	for i := range w.vertices() {
		near, _ := w.around(i)
		for _, j := range near {
			if int(j) > i {
				r, _, _ := d.distance(i, int(j))
				lengths = append(lengths, r)
			}
		}
	}
	if len(lengths) == 0 {
		return 1
	}
	slices.Sort(lengths)
	if median := lengths[len(lengths)/2]; median > 0 {
		return median
	}
	return 1
}

const unreached = -1

// distances fills to with the distances along edges from a vertex to all, in units of
// 1/whole. The graph is connected, and its lengths are so alike that few vertices are
// visited twice.
func (w *springGraph) distances(from int, to []int32) {
	for i := range to {
		to[i] = unreached
	}
	to[from] = 0
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		near, length := w.around(queue[0])
		for e, u := range near {
			if far := to[queue[0]] + length[e]; to[u] == unreached || far < to[u] {
				to[u], queue = far, append(queue, int(u))
			}
		}
	}
}
