package baseline

import (
	"math"
	"slices"
	"testing"

	"github.com/nervure/nervure/method"
)

// Trees come one after another in the weights, each spanning and none with an edge of
// another; what is in no tree comes last, in the order of correlations.
func TestTreesAreLayers(t *testing.T) {
	const n = 12
	y := mixedSignals(stream("layers"), n, 60)
	one, two := learned(t, Tree{}, y), learned(t, Trees{}, y)
	if a, b := one.Graph.EdgeCount(), two.Graph.EdgeCount(); a != n-1 || b != 2*(n-1) {
		t.Fatalf("one tree has %d edges and two have %d, want %d and %d", a, b, n-1, 2*(n-1))
	}
	if !samePairs(one.Graph, two.Weights.Strongest(n-1)) {
		t.Error("the first tree of two is not the only one")
	}
	for _, g := range []*method.Result{one, two} {
		if _, parts := g.Graph.Components(); parts != 1 || g.Weights.EdgeCount() != n*(n-1)/2 {
			t.Errorf("the trees leave %d parts, and %d pairs have weights", parts, g.Weights.EdgeCount())
		}
	}
	r, _ := correlations(t.Context(), y)
	ratio := 0.0
	for _, e := range one.Weights.Edges() {
		r := math.Abs(r[pairIndex(n, e.I, e.J)])
		switch in := one.Graph.HasEdge(e.I, e.J); {
		case in && math.Abs(e.Weight-r) > 1e-15:
			t.Errorf("edge %d–%d weighs %g, want its correlation %g", e.I, e.J, e.Weight, r)
		case !in && ratio == 0:
			ratio = e.Weight / r
		case !in && math.Abs(e.Weight/r-ratio) > 1e-12:
			t.Errorf("pair %d–%d outside the tree weighs %g of its correlation, another %g", e.I, e.J, e.Weight/r, ratio)
		}
	}
}

// One tree of trees is the tree; more than there are pairs for are all pairs.
func TestTreesAreAsManyAsAskedFor(t *testing.T) {
	const n = 8
	y := mixedSignals(stream("how many"), n, 40)
	if !slices.Equal(learned(t, Trees{Trees: 1}, y).Graph.Edges(), learned(t, Tree{}, y).Graph.Edges()) {
		t.Error("one tree is not the tree")
	}
	if got := learned(t, Trees{Trees: 100}, y).Graph.EdgeCount(); got != n*(n-1)/2 {
		t.Errorf("100 trees have %d edges, want all %d", got, n*(n-1)/2)
	}
}
