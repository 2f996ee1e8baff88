package model

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/modelfile"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// Vertices with equal values were learned as one: the first of them, the origin, has a mean, a
// scale and a place in the Gaussians, and the others have none. So new signals are computed with the
// origin alone, and what comes out of it holds for the others, too. The graph has the edges of all
// of them, because that is what people see.

// isEqual reports whether a vertex was learned as one with an earlier one.
func (m *Model) isEqual(i int) bool {
	return slices.ContainsFunc(m.equal, func(e prepare.Equal) bool { return e.Vertex == i })
}

// distinct returns the graph that computations are on: equal vertices but the first have no edges.
func (m *Model) distinct() *graph.Graph {
	if len(m.equal) == 0 {
		return m.Graph
	}
	return m.Graph.Without(m.isEqual)
}

// idle are the vertices that take no part in codes.
func (m *Model) idle() []signals.Aside {
	list := slices.Clip(m.aside)
	for _, e := range m.equal {
		list = append(list, signals.Aside{Vertex: e.Vertex})
	}
	return list
}

// merged returns signals, which are not modified, with the values of equal vertices at the first of
// them only: its own and, in its gaps, those of the others.
func (m *Model) merged(y *mat.Dense) *mat.Dense {
	if len(m.equal) == 0 {
		return y
	}
	z := mat.DenseCopyOf(y)
	for _, e := range m.equal {
		origin, other := z.RawRowView(e.Origin), z.RawRowView(e.Vertex)
		for k, v := range other {
			if math.IsNaN(origin[k]) {
				origin[k] = v
			}
			other[k] = math.NaN()
		}
	}
	return z
}

// A turn is signals in which other vertices stand for those that they are equal to.
type turn struct {
	y      *mat.Dense
	equal  []prepare.Equal // whose turn it is
	differ bool            // y is not what merged returns
}

// turns returns signals in which each equal vertex stands for its origin once, where it has a value:
// later signals may differ, and then each of them is to be judged. merged are the same without them.
func (m *Model) turns(y, merged *mat.Dense) []turn {
	var list []turn
	taken := map[int]int{} // turns, by origin
	for _, e := range m.equal {
		at := taken[e.Origin]
		if taken[e.Origin]++; at == len(list) {
			list = append(list, turn{y: mat.DenseCopyOf(merged)})
		}
		t := &list[at]
		t.equal = append(t.equal, e)
		origin := t.y.RawRowView(e.Origin)
		for k, v := range y.RawRowView(e.Vertex) {
			if !math.IsNaN(v) && v != origin[k] {
				origin[k], t.differ = v, true
			}
		}
	}
	return list
}

// copyEqual gives equal vertices what came out of the first of them.
func (m *Model) copyEqual(y *mat.Dense) {
	for _, e := range m.equal {
		y.SetRow(e.Vertex, y.RawRowView(e.Origin))
	}
}

// onAllEdges adds entries of zero to a Gaussian on the distinct graph for edges that only the whole
// one has: files have an entry for each edge.
func (m *Model) onAllEdges(g *assess.EdgeGaussian) {
	if len(m.equal) == 0 {
		return
	}
	entry := map[[2]int]float64{}
	for k, pair := range g.Pairs {
		entry[pair] = g.Precision[k]
	}
	g.Pairs, g.Precision = m.Graph.Undirected().Pairs(), nil
	for _, pair := range g.Pairs {
		g.Precision = append(g.Precision, entry[pair])
	}
}

func (m *Model) equalDocument() (list []document.EqualVertex) {
	names := m.Graph.Names()
	for _, e := range m.equal {
		list = append(list, document.EqualVertex{Vertex: names[e.Vertex], Origin: names[e.Origin]})
	}
	return list
}

func (m *Model) readEqual(d *modelfile.Document) error {
	for _, e := range d.Equal {
		vertex, origin := slices.Index(d.Vertices, e.Vertex), slices.Index(d.Vertices, e.Origin)
		if vertex < 0 || origin < 0 {
			return fmt.Errorf("it has equal vertices %q and %q, of which one is no vertex of it", e.Vertex, e.Origin)
		}
		if vertex == origin || m.isEqual(vertex) || m.isEqual(origin) ||
			slices.ContainsFunc(m.equal, func(other prepare.Equal) bool { return other.Origin == vertex }) {
			return fmt.Errorf(
				"it has equal vertices %q and %q, of which the first is also given as equal to another, or the other way round",
				e.Vertex,
				e.Origin,
			)
		}
		m.equal = append(m.equal, prepare.Equal{Vertex: vertex, Origin: origin})
	}
	return nil
}
