package simulate

import (
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// Feeder draws a tree that grows from vertex 0, and chords between vertices that are
// two or three branches apart, as distribution grids have ring connections. Each new
// vertex hangs on one of the last few, so that there are long branches. Weights are
// uniform in [0.5, 1.5).
func Feeder(n, chords int, r *rand.Rand) (*graph.Graph, error) {
	if n < 3 || chords < 0 || chords > n {
		return nil, input.Errorf("simulate.Feeder", "", "got %d vertices and %d chords, want at least 3 vertices and at most as many chords as vertices", n, chords)
	}
	parent := make([]int, n)
	joined := map[[2]int]bool{}
	var edges []graph.Edge
	join := func(i, j int) bool {
		pair := [2]int{min(i, j), max(i, j)}
		if i == j || joined[pair] {
			return false
		}
		joined[pair] = true
		edges = append(edges, graph.Edge{I: pair[0], J: pair[1], Weight: 0.5 + r.Float64()})
		return true
	}
	for i := 1; i < n; i++ {
		parent[i] = max(0, i-1-r.IntN(feederReach))
		join(i, parent[i])
	}
	for tries := 0; chords > 0 && tries < feederTries*n; tries++ {
		i := 1 + r.IntN(n-1)
		j := parent[parent[i]]
		if r.IntN(2) == 0 {
			j = parent[j]
		}
		if join(i, j) {
			chords--
		}
	}
	return graph.New(graph.DefaultNames(n), edges)
}

const (
	feederReach = 4  // of how many last vertices one carries the next
	feederTries = 20 // for each vertex, to find the chords
)
