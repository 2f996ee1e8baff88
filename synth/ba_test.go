package synth

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

func TestBarabasiAlbertCountsAreExact(t *testing.T) {
	for _, c := range []struct{ n, m int }{{2, 1}, {30, 1}, {30, 3}, {12, 11}} {
		g := must(t)(barabasiAlbert(c.n, c.m, rng.Stream(*seed, "ba"))).Graph
		if want := c.m*c.n - c.m*(c.m+1)/2; g.Vertices() != c.n || g.EdgeCount() != want {
			t.Errorf("n = %d, m = %d: %d vertices and %d edges, want %d edges", c.n, c.m, g.Vertices(), g.EdgeCount(), want)
		}
		if least := slices.Min(g.Degrees()); least < float64(c.m) {
			t.Errorf("n = %d, m = %d: a vertex has degree %g", c.n, c.m, least)
		}
		if _, components := g.Components(); components != 1 {
			t.Errorf("n = %d, m = %d: %d components", c.n, c.m, components)
		}
	}
}

// Of four vertices with one edge each, the third joins an end of the first
// edge, which then has 2 of the 4 ends: the fourth makes a star of it with
// probability 1/2. Were all vertices equally attractive, it would be 1/3.
func TestBarabasiAlbertPrefersHighDegrees(t *testing.T) {
	const trials = 2000
	stars := 0
	for trial := range trials {
		g := must(t)(barabasiAlbert(4, 1, rng.Stream(*seed, "star", trial))).Graph
		if slices.Max(g.Degrees()) == 3 {
			stars++
		}
	}
	checkCount(t, "stars", stars, trials, 1./2)
}

func TestAttachmentsComeNearestToTheFactor(t *testing.T) {
	for _, c := range []struct {
		n      int
		factor float64
		want   int
	}{
		{100, 3, 3},  // 294 edges, 390 with 4
		{10, 3, 4},   // 30 edges, 24 with 3
		{10, 4.5, 9}, // all 45 pairs
		{10, 0.1, 1},
	} {
		if got := attachments(c.n, c.factor); got != c.want {
			t.Errorf("n = %d, factor %g: m = %d, want %d", c.n, c.factor, got, c.want)
		}
	}
}
