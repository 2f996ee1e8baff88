package synth

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// barabasiAlbert grows a graph by preferential attachment ([barabasi1999]):
// from m+1 vertices that are all joined, each new vertex is joined to m others,
// drawn one after the other with probability proportional to their degrees
// among those not drawn yet. Edges have weight 1. There are exactly
// m·n − m(m+1)/2, no degree is below m, and the graph is connected.
//
// Departure from the source, which leaves the first vertices open: they form a
// complete graph, so that no vertex starts without a chance.
func barabasiAlbert(n, m int, r *rand.Rand) (Sample, error) {
	if err := checkVertices(n); err != nil {
		return Sample{}, err
	}
	if m < 1 || m >= n {
		return Sample{}, input.Errorf("synth.Graph", "edges per vertex", "got %d, want 1 to %d", m, n-1)
	}
	var edges []graph.Edge
	var ends []int // each vertex as often as its degree
	join := func(i, j int) {
		edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
		ends = append(ends, i, j)
	}
	for j := range m + 1 {
		for i := range j {
			join(i, j)
		}
	}
	for j := m + 1; j < n; j++ {
		var targets []int
		for len(targets) < m {
			if i := ends[r.IntN(len(ends))]; !slices.Contains(targets, i) {
				targets = append(targets, i)
			}
		}
		for _, i := range targets {
			join(i, j)
		}
	}
	return sample(n, edges, nil, nil)
}

// attachments returns the m for which [barabasiAlbert] comes nearest to factor·n
// edges, the smaller one if two are equally near.
func attachments(n int, factor float64) int {
	best, nearest := 1, math.Inf(1)
	for m := 1; m < n; m++ {
		edges := float64(m*n) - float64(m*(m+1))/2
		if d := math.Abs(edges - factor*float64(n)); d < nearest {
			best, nearest = m, d
		}
	}
	return best
}
