package baseline

import (
	"context"
	"errors"
	"testing"

	"github.com/nervure/nervure/internal/checks"
)

// Among all pairs of a chain, the edges of the chain are left.
func TestPruneToLeavesTheStrongest(t *testing.T) {
	const n = 12
	var pairs [][2]int
	eachPair(n, func(_, i, j int) { pairs = append(pairs, [2]int{i, j}) })
	g, err := PruneTo(t.Context(), checks.Chain(1, n, 400), pairs, n-1, false)
	if err != nil || g.EdgeCount() != n-1 {
		t.Fatalf("got %v, %v", g, err)
	}
	for _, e := range g.Edges() {
		if e.J != e.I+1 {
			t.Errorf("got the edge %d–%d", e.I, e.J)
		}
	}
}

func TestPruneToEndsWithItsContext(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if g, err := PruneTo(ctx, checks.Chain(1, 5, 20), [][2]int{{0, 1}, {1, 2}}, 1, false); g != nil || !errors.Is(err, why) {
		t.Errorf("got %v, %v", g, err)
	}
}
