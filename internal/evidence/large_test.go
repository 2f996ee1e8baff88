package evidence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// suggesting returns the edges of a field among as many pairs that are none, with random weights, as a
// method may weigh them.
func (of truth) suggesting(t *testing.T, draw *rand.Rand) *graph.Graph {
	t.Helper()
	n := of.graph.Vertices()
	edges := of.graph.Edges()
	for range of.graph.EdgeCount() {
		i, j := draw.IntN(n), draw.IntN(n)
		known := slices.ContainsFunc(edges, func(e graph.Edge) bool { return e.I == min(i, j) && e.J == max(i, j) })
		if i != j && !known {
			edges = append(edges, graph.Edge{I: min(i, j), J: max(i, j), Weight: 0.1 * draw.Float64()})
		}
	}
	g, err := graph.New(graph.DefaultNames(n), edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Without matrices of all pairs, intervals cover as often as they say: those of edges and of pairs that are
// none, from fewer signals than three for each vertex.
func TestIntervalsCoverWithoutAllPairs(t *testing.T) {
	for _, c := range []struct {
		follow    float64
		heavy     bool
		low, high float64
	}{{0, true, 0.87, 0.93}, {0.9, false, 0.87, 0.96}} {
		t.Run(fmt.Sprintf("autoregression=%g heavy=%t", c.follow, c.heavy), func(t *testing.T) {
			t.Parallel()
			covered, all := 0, 0
			for seed := range 3 {
				draw := rng.Stream(1, "coverage of many", seed)
				of := lattice(t, 14, seed%2 == 1, draw)
				g := of.suggesting(t, draw)
				found, err := of.lookAt(t, g, c.follow, c.heavy, draw)
				if err != nil || !found.Regressed {
					t.Fatal("looked at together", err)
				}
				for k, e := range g.Edges() {
					all++
					if rho := of.partial(e.I, e.J); found.Edges[k].Low <= rho && rho <= found.Edges[k].High {
						covered++
					}
				}
			}
			if share := float64(covered) / float64(all); share < c.low || share > c.high {
				t.Errorf("%.3f of %d intervals cover, want %g to %g", share, all, c.low, c.high)
			} else {
				t.Logf("%.3f of %d", share, all)
			}
		})
	}
}

// lookAt tests the edges of g by 500 signals, as if vertices were too many for all pairs.
func (of truth) lookAt(t *testing.T, g *graph.Graph, follow float64, heavy bool, draw *rand.Rand) (*Finding, error) {
	t.Helper()
	return findings(t.Context(), of.signals(500, follow, heavy, draw), g, g, Options{InTime: follow > 0, Threads: 2}, 0)
}

// What is found among the pairs of the weights is about what is found among all: estimates and intervals
// are the same if the same vertices are suggested, and no q-value is less.
func TestFewPairsSayWhatAllSay(t *testing.T) {
	draw := rng.Stream(1, "few pairs")
	of := lattice(t, 9, false, draw)
	weights := of.suggesting(t, draw)
	y := of.signals(200, 0, false, draw)
	for k := range 200 {
		y.Set(4, k, 1)
	}
	var found [2]*Finding
	for k, dense := range []int{81, 0} {
		var err error
		if found[k], err = findings(t.Context(), y, weights, of.graph, Options{}, dense); err != nil {
			t.Fatal(err)
		}
	}
	for k, e := range of.graph.Edges() {
		all, few := found[0].Edges[k], found[1].Edges[k]
		if math.Abs(all.Partial-few.Partial) > 1e-4 || math.Abs(all.Low-few.Low) > 1e-4 || math.Abs(all.High-few.High) > 1e-4 || few.Q < all.Q-1e-4 {
			t.Errorf("edge %d–%d: got %+v, among all pairs %+v", e.I, e.J, few, all)
		}
	}
}
