package baseline

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/nervure/nervure/internal/checks"
)

// Among all pairs of a chain, the edges of the chain are left, and two vertices by
// themselves have their correlation, on one more signal.
func TestPruneToLeavesTheStrongest(t *testing.T) {
	const n, m = 12, 400
	y := checks.Chain(1, n, m)
	var pairs [][2]int
	for i := range n {
		for j := i + 1; j < n; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	g, err := PruneTo(t.Context(), y, pairs, n-1, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range g.Edges() {
		if e.J != e.I+1 {
			t.Errorf("got the edge %d–%d", e.I, e.J)
		}
	}
	if g.EdgeCount() != n-1 {
		t.Errorf("got %d edges, want %d", g.EdgeCount(), n-1)
	}
	one, err := PruneTo(t.Context(), y, [][2]int{{3, 4}}, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	u := standardised(y)
	want := 0.0
	for k := range m {
		want += u.Data[3*m+k] * u.Data[4*m+k] / (m + 1)
	}
	if got := one.Edges()[0].Weight; math.Abs(got-want) > 1e-9 {
		t.Errorf("one pair: got %g, want its correlation %g", got, want)
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
