package evidence

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
)

// What is said of a pair does not depend on whether it is an edge, where signals are many.
func TestUndrawnPairsAreTheEdgesThatAGraphLacks(t *testing.T) {
	of := lattice(t, 4, true, rng.Stream(920, "undrawn"))
	y := of.signals(2000, 0, false, rng.Stream(920, "undrawn signals"))
	o := Options{Floor: 0.05}
	all := complete(t, 16)
	drawn := of.graph.Strongest(of.graph.EdgeCount() / 2)
	want := map[[2]int]graph.Evidence{}
	for k, e := range find(t, y, all, o).Edges {
		if p := all.Pairs()[k]; !drawn.HasEdge(p[0], p[1]) && e.Q <= Rate {
			want[p] = e
		}
	}
	found := find(t, y, drawn, o)
	if len(found.Undrawn) != len(want) || found.UndrawnCount != len(want) || len(want) == 0 {
		t.Fatalf("%d pairs, of %d, want %d", len(found.Undrawn), found.UndrawnCount, len(want))
	}
	last := math.Inf(1)
	for _, p := range found.Undrawn {
		if want[[2]int{p.I, p.J}] != p.Evidence {
			t.Errorf("pair %d, %d: got %+v, want %+v", p.I, p.J, p.Evidence, want[[2]int{p.I, p.J}])
		}
		if size := math.Abs(p.Partial); size > last {
			t.Errorf("pair %d, %d is stronger than the one before", p.I, p.J)
		} else {
			last = size
		}
	}
	if of := find(t, y, of.graph, o); slices.ContainsFunc(of.Undrawn, func(p Pair) bool { return math.Abs(p.Partial) < o.Floor }) {
		t.Errorf("pairs below the floor are listed: %+v", of.Undrawn)
	}
}
