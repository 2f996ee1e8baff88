package baseline

import (
	"testing"
	"time"

	"github.com/nervure/nervure/method"
)

// The time left falls as the stages go on, and is about what they take.
func TestLocalClock(t *testing.T) {
	const n, m = 10_000, 1000
	clock := Field{}.Clock(method.Size{Vertices: n, Signals: m, Threads: 1})
	if _, ok := clock.Left(0); ok {
		t.Error("the time is known before anything was done")
	}
	second := time.Duration(float64(time.Second))
	search, regress := 10*second, 6*second // as costs go
	steps := []struct {
		phase method.Phase
		share float64
		now   time.Duration
	}{
		{CandidatesSearched, 0.5, search / 2},
		{VerticesRegressed, 0, search},
		{VerticesRegressed, 0.5, search + regress/2},
	}
	for _, s := range steps {
		clock.Follow(method.Step{Phase: s.phase, Share: s.share}, s.now)
		left, ok := clock.Left(s.now)
		if want := search + regress - s.now; !ok || left < want*9/10 || left > want*11/10 {
			t.Errorf("after %v of %s at %v: got %v, want about %v", s.share, s.phase, s.now, left, want)
		}
	}
	if whole, _ := clock.Expected(method.StructurePart, 0); whole < search/2 || whole > 2*search {
		t.Errorf("the structure test is to take %v", whole)
	}
}
