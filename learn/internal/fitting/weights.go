package fitting

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// MustGraph returns a graph of n vertices with edges that are valid by construction.
func MustGraph(n int, edges []graph.Edge) *graph.Graph {
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		panic(err)
	}
	return g
}

// GraphOf returns the graph of the weights w over the pairs.
func GraphOf(pairs dictionary.Pairs, w []float64) *graph.Graph {
	return MustGraph(pairs.N, pairs.Edges(w))
}

// Normalise scales weights over pairs of n vertices to mean degree 1. The
// normalised Laplacian, and so the fit, does not see it.
func Normalise(w []float64, n int) {
	if sum := portable.Sum(w); sum > 0 {
		floats.Scale(float64(n)/2/sum, w)
	}
}

// Balance gives every connected component the same mean edge weight. The
// normalised Laplacian fixes the weights within a component up to a factor, so
// the factors between components are ours to choose; this choice is right for
// graphs without weights. The mean degree stays 1.
func Balance(g *graph.Graph) *graph.Graph {
	if g.EdgeCount() == 0 {
		return g
	}
	label, components := g.Components()
	sum, count := make([]float64, components), make([]float64, components)
	edges := g.Edges()
	for _, e := range edges {
		sum[label[e.I]] += e.Weight
		count[label[e.I]]++
	}
	mean := float64(g.Vertices()) / 2 / float64(len(edges)) // for mean degree 1
	for k, e := range edges {
		c := label[e.I]
		edges[k].Weight *= mean * count[c] / sum[c]
	}
	return MustGraph(g.Vertices(), edges)
}

// Strongest returns the graph of the k edges of largest normalised weight, by
// which gaps are found.
func Strongest(g *graph.Graph, k int) *graph.Graph {
	edges, normalised := g.Edges(), g.NormalizedWeights()
	order := matrix.Sorted(len(edges), func(a, b int) int { return cmp.Compare(normalised[b].Weight, normalised[a].Weight) })
	var some []graph.Edge
	for _, e := range order[:min(k, len(order))] {
		some = append(some, edges[e])
	}
	return MustGraph(g.Vertices(), some)
}

// Lightest returns the least weight of an edge, 0 if there is none.
func Lightest(g *graph.Graph) float64 {
	if g.EdgeCount() == 0 {
		return 0
	}
	return slices.MinFunc(g.Edges(), func(a, b graph.Edge) int { return cmp.Compare(a.Weight, b.Weight) }).Weight
}

// MoveTowards moves weights over the pairs, of mean degree 1, by a share towards
// those of g. Pairs of a vertex without an edge in g stay as they are: g says
// nothing about it.
func MoveTowards(g *graph.Graph, share float64, pairs dictionary.Pairs, w []float64) {
	target := make(map[[2]int32]float64, g.EdgeCount())
	var sum float64
	for _, e := range g.Edges() {
		target[[2]int32{int32(e.I), int32(e.J)}] = e.Weight
		sum += e.Weight
	}
	unit := float64(pairs.N) / 2 / sum // to mean degree 1
	degree := g.Degrees()
	for e, i := range pairs.I {
		if j := pairs.J[e]; degree[i] > 0 && degree[j] > 0 {
			w[e] += share * (unit*target[[2]int32{i, j}] - w[e])
		}
	}
	Normalise(w, pairs.N)
}

// Revive gives a vertex that has lost its last edge a little weight to all
// others that it may share an edge with: at degree zero the derivative cannot
// bring it back. It reports whether there was one.
func Revive(pairs dictionary.Pairs, w []float64) bool {
	d := make([]float64, pairs.N)
	pairs.Degrees(d, w)
	revived := false
	for e := range w {
		if d[pairs.I[e]] == 0 || d[pairs.J[e]] == 0 {
			w[e], revived = 0.1/float64(pairs.N), true
		}
	}
	return revived
}
