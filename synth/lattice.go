package synth

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
)

// grid returns the square lattice of n vertices, row after row of ⌈√n⌉, the last
// row being filled as far as they go. Each is joined to its neighbours to the
// right and below with weight 1. Nothing is random.
func grid(n int) (Sample, error) {
	if err := checkVertices(n); err != nil {
		return Sample{}, err
	}
	columns := int(math.Ceil(math.Sqrt(float64(n))))
	points := make([][2]float64, n)
	var edges []graph.Edge
	for v := range n {
		row, column := v/columns, v%columns
		points[v] = [2]float64{float64(column) / float64(columns-1), float64(row) / float64(columns-1)}
		if right := v + 1; column+1 < columns && right < n {
			edges = append(edges, graph.Edge{I: v, J: right, Weight: 1})
		}
		if below := v + columns; below < n {
			edges = append(edges, graph.Edge{I: v, J: below, Weight: 1})
		}
	}
	return sample(n, edges, points, nil)
}

// ring returns n vertices on a circle, each joined to the k nearest on either
// side with weight 1: k·n edges, or k·n − n/2 if k = n/2, where the farthest
// neighbour is the same on both sides. Nothing is random.
func ring(n, k int) (Sample, error) {
	if err := checkVertices(n); err != nil {
		return Sample{}, err
	}
	if k < 1 || k > n/2 {
		return Sample{}, input.Errorf("synth.Graph", "neighbours on each side", "got %d, want 1 to %d", k, n/2)
	}
	points := make([][2]float64, n)
	var edges []graph.Edge
	for v := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(v) / float64(n))
		points[v] = [2]float64{(1 + cos) / 2, (1 + sin) / 2}
		for step := 1; step <= k; step++ {
			if 2*step == n && v >= step {
				continue // the pair is there already
			}
			edges = append(edges, graph.Edge{I: v, J: (v + step) % n, Weight: 1})
		}
	}
	return sample(n, edges, points, nil)
}

// neighbours returns the k for which [ring] has about factor·n edges: factor
// rounded, at least 1 and at most n/2.
func neighbours(n int, factor float64) int {
	return max(min(int(math.Round(factor)), n/2), 1)
}
