package metrics

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
)

func arrows(t *testing.T, n int, list ...graph.Edge) *graph.Graph {
	t.Helper()
	g, err := graph.NewDirected(graph.DefaultNames(n), list)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Of three true arrows one is found, one is found the wrong way round and one is
// missed; one is wrong altogether.
func TestArrowsAreScoredByTheirDirection(t *testing.T) {
	truth := arrows(t, 4, graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 1, J: 2, Weight: 1}, graph.Edge{I: 3, J: 0, Weight: 1})
	found := arrows(t, 4, graph.Edge{I: 0, J: 1, Weight: 3}, graph.Edge{I: 2, J: 1, Weight: 2}, graph.Edge{I: 1, J: 3, Weight: 1})
	for what, c := range map[string]struct {
		found, truth *graph.Graph
		correct      int
		pairs        float64 // over which NMI is
	}{
		"both directed":       {found, truth, 1, 12},
		"an undirected truth": {found, truth.Undirected(), 2, 6},
		"an undirected graph": {found.Undirected(), truth, 2, 6},
	} {
		s, err := Edges(c.found, c.truth)
		if err != nil || s.Correct != c.correct || s.Found != 3 || s.True != 3 {
			t.Errorf("%s: got %+v, %v, want %d correct", what, s, err, c.correct)
		}
		// Both graphs have three of that many pairs: 1 − H(joint)/2H + 1 from the definition.
		entropy := func(counts ...float64) (h float64) {
			for _, k := range counts {
				h -= k / c.pairs * math.Log(k/c.pairs)
			}
			return h
		}
		both := float64(c.correct)
		want := 2 - entropy(both, 3-both, 3-both, c.pairs-6+both)/entropy(3, c.pairs-3)
		if nmi, err := NMI(c.found, c.truth); err != nil || math.Abs(nmi-want) > 1e-12 {
			t.Errorf("%s: NMI is %g, want %g (%v)", what, nmi, want, err)
		}
	}
}
