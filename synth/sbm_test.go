package synth

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

func TestStochasticBlockFollowsBothProbabilities(t *testing.T) {
	const graphs = 40
	var inside, outside int
	for trial := range graphs {
		s := must(t)(stochasticBlock([]int{10, 20, 30}, 0.5, 0.1, rng.Stream(*seed, "sbm", trial)))
		for _, e := range s.Graph.Edges() {
			if s.Blocks[e.I] == s.Blocks[e.J] {
				inside++
			} else {
				outside++
			}
		}
	}
	checkCount(t, "edges inside blocks", inside, graphs*(45+190+435), 0.5)
	checkCount(t, "edges between blocks", outside, graphs*(200+300+600), 0.1)
}

func TestBlockLabelsFollowStrippedVertices(t *testing.T) {
	// Blocks 1 and 2 are single vertices: without edges outside, they go.
	s := must(t)(stochasticBlock([]int{2, 1, 1, 3}, 1, 0, rng.Stream(*seed, "sbm")))
	if want := []int{0, 0, 3, 3, 3}; !slices.Equal(s.Blocks, want) {
		t.Errorf("labels %v, want %v", s.Blocks, want)
	}
}

func TestBlockSizesDifferByOneAtMost(t *testing.T) {
	for _, c := range []struct{ n, k int }{{20, 3}, {7, 7}, {100, 4}, {5, 1}} {
		sizes := blockSizes(c.n, c.k)
		sum := 0
		for _, size := range sizes {
			sum += size
		}
		if sum != c.n || len(sizes) != c.k || slices.Max(sizes)-slices.Min(sizes) > 1 {
			t.Errorf("%d into %d: %v", c.n, c.k, sizes)
		}
	}
}

func TestBlockProbabilitiesMakeTheEdgesWanted(t *testing.T) {
	for name, c := range map[string]struct {
		sizes    []int
		factor   float64
		contrast float64 // 0 where the pairs inside do not suffice
	}{
		"four blocks of 25":            {[]int{25, 25, 25, 25}, 3, 10},
		"blocks too small for a tenth": {[]int{5, 5, 5, 5}, 3, 0},
		"one block, all pairs":         {[]int{20}, 9.5, 0},
	} {
		inside, outside := blockProbabilities(c.sizes, c.factor)
		n, within := 0, 0
		for _, size := range c.sizes {
			n += size
			within += size * (size - 1) / 2
		}
		between := n*(n-1)/2 - within
		edges := inside*float64(within) + outside*float64(between)
		if want := c.factor * float64(n); math.Abs(edges-want) > 1e-9 {
			t.Errorf("%s: %g edges expected, want %g", name, edges, want)
		}
		if inside > 1 || outside > 1 || inside < outside {
			t.Errorf("%s: probabilities %g and %g", name, inside, outside)
		}
		if c.contrast > 0 && math.Abs(inside/outside-c.contrast) > 1e-9 {
			t.Errorf("%s: contrast %g, want %g", name, inside/outside, c.contrast)
		}
	}
}
