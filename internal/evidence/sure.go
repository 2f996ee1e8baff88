package evidence

import (
	"math"

	"github.com/nervure/nervure/graph"
)

const (
	// sureChance is the p-value from which on an edge may be one that is below the floor.
	sureChance = 0.1
	// pathShare is by how much an edge must exceed what a path past a third vertex may leave. Noise of
	// measurement at that vertex leaves less than the product of its two partial correlations,
	// sensors that are mixed and signals that are smoothed up to twice as much.
	pathShare = 2
	// mostUnsure is the most confidence of an edge that may be below the floor, or come from a path:
	// of such edges in measured and simulated sets three quarters were true.
	mostUnsure = 0.75
)

// Most returns the most confidence that each edge of the graph may have by its evidence.
func (f *Finding) Most(g *graph.Graph) []float64 {
	most := make([]float64, len(f.Edges))
	past := f.pastVertex(g)
	for k := range most {
		if most[k] = 1; f.Chance[k] > sureChance || past[k] {
			most[k] = mostUnsure
		}
	}
	return most
}

// pastVertex reports which edges i–k may be nothing but a path i–j–k: the weakest of a triangle, if its
// interval reaches down to what the path may leave.
func (f *Finding) pastVertex(g *graph.Graph) []bool {
	edges := g.Edges()
	neighbours := make([]map[int]float64, g.Vertices())
	for v := range neighbours {
		neighbours[v] = map[int]float64{}
	}
	for k, e := range edges {
		size := math.Abs(f.Edges[k].Partial)
		neighbours[e.I][e.J], neighbours[e.J][e.I] = size, size
	}
	past := make([]bool, len(edges))
	for k, e := range edges {
		size := math.Abs(f.Edges[k].Partial)
		least := max(f.Edges[k].Low, -f.Edges[k].High, 0)
		a, b := neighbours[e.I], neighbours[e.J]
		if len(b) < len(a) {
			a, b = b, a
		}
		for j, first := range a {
			if second, closed := b[j]; closed && size < min(first, second) && least < pathShare*first*second {
				past[k] = true
				break
			}
		}
	}
	return past
}
