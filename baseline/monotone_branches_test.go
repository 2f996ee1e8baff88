package baseline

import (
	"math"
	"testing"

	"github.com/nervure/nervure/kernel"
)

func TestInverseUndoesEveryBranch(t *testing.T) {
	wave, err := kernel.Polynomial("wave", []float64{0.1, 2, -3, 1})
	if err != nil {
		t.Fatal(err)
	}
	branches := branchesOf([]kernel.Kernel{wave})
	if len(branches) < 3 {
		t.Fatalf("%d branches of a kernel with three roots", len(branches))
	}
	for k, b := range branches {
		if k > 0 && b.low != branches[k-1].high {
			t.Errorf("branch %d begins at %g, want %g", k, b.low, branches[k-1].high)
		}
		for _, share := range []float64{0, 0.1, 0.5, 0.9, 1} {
			want := b.low + share*(b.high-b.low)
			if got := b.inverse(b.h(want)); math.Abs(got-want) > 1e-6 {
				t.Errorf("branch [%g, %g]: h⁻¹(h(%g)) = %g", b.low, b.high, want, got)
			}
		}
		below, above := b.inverse(b.least-1), b.inverse(b.great+1)
		if b.h(below) != b.least || b.h(above) != b.great {
			t.Errorf("branch [%g, %g]: values outside its range go to %g and %g", b.low, b.high, below, above)
		}
	}
}
