package evidence

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
)

func TestFloorFollowsTheDegree(t *testing.T) {
	ring := func(n, reach int) *graph.Graph {
		var edges []graph.Edge
		for i := range n {
			for step := 1; step <= reach; step++ {
				edges = append(edges, graph.Edge{I: min(i, (i+step)%n), J: max(i, (i+step)%n), Weight: 1})
			}
		}
		g, err := graph.New(graph.DefaultNames(n), edges)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for reach, want := range map[int]float64{1: 0.2, 2: 0.1, 4: 0.05} {
		if got := FloorOf(ring(20, reach)); got != want {
			t.Errorf("degree %d: got %g, want %g", 2*reach, got, want)
		}
	}
	if got := FloorOf(ring(20, 1).Strongest(1)); got != 0.2 {
		t.Errorf("one edge: got %g", got)
	}
}

// The weakest edge of a triangle is sure only if its interval is above what the other two may leave
// between its ends.
func TestTheWeakestOfATriangleMayBeAPath(t *testing.T) {
	g, err := graph.New(graph.DefaultNames(4), []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	around := func(partial, reach float64) graph.Evidence {
		return graph.Evidence{Partial: partial, Low: partial - reach, High: partial + reach}
	}
	for _, c := range []struct {
		weakest graph.Evidence
		past    bool
	}{
		{around(0.3, 0.05), true},   // 2·0.4·0.4 = 0.32
		{around(0.38, 0.05), false}, // 0.33 is above
		{around(-0.38, 0.05), false},
		{around(-0.3, 0.05), true},
		{around(0.41, 0.3), false}, // it is not the weakest
	} {
		f := &Finding{Edges: []graph.Evidence{around(0.4, 0.05), around(0.4, 0.05), c.weakest, around(0.1, 0.05)}, Chance: make([]float64, 4)}
		if got, want := f.pastVertex(g), []bool{false, false, c.past, false}; !slices.Equal(got, want) {
			t.Errorf("%+v: got %v", c.weakest, got)
		}
		f.Chance[3] = 0.2
		want := []float64{1, 1, 1, mostUnsure}
		if c.past {
			want[2] = mostUnsure
		}
		if got := f.Most(g); !slices.Equal(got, want) {
			t.Errorf("%+v: got %v, want %v", c.weakest, got, want)
		}
	}
}
