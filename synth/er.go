package synth

import (
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
)

// erdosRenyi draws the random graph G(n, p): each of the n(n−1)/2 pairs is an
// edge of weight 1 with probability p, independently ([erdos1960]).
// Its expected number of edges is p·n(n−1)/2; see [edgeProbability].
func erdosRenyi(n int, p float64, r *rand.Rand) (Sample, error) {
	if err := checkVertices(n); err != nil {
		return Sample{}, err
	}
	if err := checkProbability("probability", p); err != nil {
		return Sample{}, err
	}
	var edges []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if r.Float64() < p {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: 1})
			}
		}
	}
	return sample(n, edges, nil, nil)
}

// edgeProbability returns the share 2·factor/(n−1) of the pairs of n vertices
// that makes factor·n edges. It is above 1 if there are not that many pairs.
func edgeProbability(n int, factor float64) float64 {
	return 2 * factor / float64(n-1)
}
