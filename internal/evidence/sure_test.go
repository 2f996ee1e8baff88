package evidence

import (
	"math"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
)

func TestFloorFollowsTheDegree(t *testing.T) {
	ring := func(n, reach int) *graph.Graph {
		var edges []graph.Edge
		for i := range n {
			for step := 1; step <= reach; step++ {
				edges = append(edges, graph.Edge{I: min(i, (i+step)%n), J: max(i, (i+step)%n), Weight: 1})
			}
		}
		return must.Get(graph.New(graph.DefaultNames(n), edges))
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

// The weakest edge of a triangle is sure only if it is clearly above what the other two may leave
// between its ends.
func TestTheWeakestOfATriangleMayBeAPath(t *testing.T) {
	g := must.Get(graph.New(graph.DefaultNames(4),
		[]graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: 1}, {I: 2, J: 3, Weight: 1}}))
	around := func(partial, reach float64) graph.Evidence {
		return graph.Evidence{Partial: partial, Low: partial - reach, High: partial + reach}
	}
	for _, c := range []struct {
		weakest graph.Evidence
		path    float64
		unsure  bool
	}{
		{around(0.35, 0.05), 0.35 / 0.16, true},  // 1.2/1.645 of 0.05 less is below 2·0.4·0.4
		{around(0.37, 0.05), 0.37 / 0.16, false}, // and above
		{around(-0.37, 0.05), 0.37 / 0.16, false},
		{around(-0.35, 0.05), 0.35 / 0.16, true},
		{around(0.41, 0.3), math.Inf(1), false}, // it is not the weakest
	} {
		f := &Finding{
			Edges: []graph.Evidence{around(0.4, 0.05), around(0.4, 0.05), c.weakest, around(0.1, 0.05)},
			Above: []float64{3, 3, 3, sureErrors - 0.1},
		}
		want := []Margin{
			{3, math.Inf(1), false, false},
			{3, math.Inf(1), false, false},
			{3, c.path, false, c.unsure},
			{sureErrors - 0.1, math.Inf(1), true, false},
		}
		for k, got := range f.Margins(g) {
			if got.Floor != want[k].Floor || got.Below != want[k].Below || got.OfPath != want[k].OfPath ||
				!(got.Path == want[k].Path || math.Abs(got.Path-want[k].Path) < 1e-12) {
				t.Errorf("%+v: edge %d: got %+v, want %+v", c.weakest, k, got, want[k])
			}
		}
	}
}

func TestRoundedZeroHasNoSign(t *testing.T) {
	if got := rounded(-0.00001); got != 0 || math.Signbit(got) {
		t.Errorf("got %g, want 0 without a sign", got)
	}
}
