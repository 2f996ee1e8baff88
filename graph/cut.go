package graph

import (
	"cmp"
	"math"
	"slices"
)

// Strongest returns the graph of the k heaviest edges of g, or g itself if it
// has no more than k. Equal weights are taken in the order of (I, J).
func (g *Graph) Strongest(k int) *Graph {
	if k >= len(g.edges) {
		return g
	}
	edges := slices.Clone(g.edges)
	slices.SortStableFunc(edges, heaviestFirst)
	return g.with(edges[:max(k, 0)])
}

// Above returns the graph of the edges with weight at least x.
func (g *Graph) Above(x float64) *Graph {
	return g.with(slices.DeleteFunc(g.Edges(), func(e Edge) bool { return !(e.Weight >= x) }))
}

// A Gap is a place in the sorted edge weights where they fall steeply.
type Gap struct {
	Edges int     // how many edges stand before the gap
	Ratio float64 // weight before it over weight after it, 1 if there is no gap
}

// gapFloor is the normalised weight below which edges count as absent, so that
// the noise among vanishing weights cannot pose as the largest gap.
const gapFloor = 1e-4

// LargestGap finds the largest ratio between neighbours among the sorted
// normalised weights A_ij = W_ij/√(d_i d_j), looking only at cuts that keep
// between N/2 and 10N edges. Without noise it stands exactly at the true edges.
func (g *Graph) LargestGap() Gap {
	n := len(g.names)
	edges := g.NormalizedWeights()
	slices.SortStableFunc(edges, heaviestFirst)
	weight := func(k int) float64 { // of the k-th heaviest pair
		if k < len(edges) {
			return max(edges[k].Weight, gapFloor)
		}
		return gapFloor
	}
	gap := Gap{Edges: len(edges), Ratio: 1}
	pairs := n * (n - 1) / 2
	for k := max(n/2, 1); k <= min(len(edges), 10*n, pairs-1); k++ {
		if r := weight(k-1) / weight(k); r > gap.Ratio {
			gap = Gap{k, r}
		}
	}
	return gap
}

// CutAtGap returns the edges of g that stand before its largest gap, with their
// weights in g, and the gap.
func (g *Graph) CutAtGap() (*Graph, Gap) {
	gap := g.LargestGap()
	order := g.NormalizedWeights()
	slices.SortStableFunc(order, heaviestFirst)
	keep := make(map[[2]int]bool, gap.Edges)
	for _, e := range order[:gap.Edges] {
		keep[[2]int{e.I, e.J}] = true
	}
	return g.with(slices.DeleteFunc(g.Edges(), func(e Edge) bool { return !keep[[2]int{e.I, e.J}] })), gap
}

// Density returns the number of edges over the number of pairs, 0 for fewer than two vertices.
func (g *Graph) Density() float64 {
	n := float64(len(g.names))
	return float64(len(g.edges)) / math.Max(n*(n-1)/2, 1)
}

func heaviestFirst(a, b Edge) int { return cmp.Compare(b.Weight, a.Weight) }

// with returns a graph of g's vertices and some of its edges, in any order.
func (g *Graph) with(edges []Edge) *Graph {
	edges = slices.Clip(edges)
	slices.SortFunc(edges, byPair)
	return &Graph{g.names, edges}
}
