package local

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nervure/nervure/internal/rng"
)

// However little time there is, there is a graph before it is over, and it says what it rests on. Work takes as
// long as progress is told, a second each time.
func TestHurriedGraphsAreThereInTime(t *testing.T) {
	draw := rng.Stream(1, "local haste")
	of := gridField(t, 23, 0, draw)
	x := of.signals(400, draw)
	for name, c := range map[string]struct {
		run, answer time.Duration // until the end of the run, and from then on for an answer
	}{
		"the run is over when it begins":                {0, 7 * time.Second},
		"the search for candidates is cut":              {1500 * time.Millisecond, 7 * time.Second},
		"it would not end, and is given up":             {2500 * time.Millisecond, 7 * time.Second},
		"regressions are cut":                           {3500 * time.Millisecond, 7 * time.Second},
		"a second search may be cut, the first is kept": {0, 9 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), c.run)
				defer cancel()
				late, cancelLate := context.WithTimeout(t.Context(), c.run+c.answer)
				defer cancelLate()
				time.Sleep(time.Nanosecond) // so that an end at once has come
				fit := Learn(ctx, x, Options{
					Observations: 400, Late: func() context.Context { return late },
					Progress: func(Stage, float64) { time.Sleep(time.Second) },
				})
				switch {
				case fit == nil:
					t.Fatal("no graph")
				case time.Since(begun) > c.run+c.answer+time.Second: // the last work that was begun
					t.Errorf("it took %s", time.Since(begun))
				case fit.Haste == nil:
					t.Error("it does not say that it was in a hurry")
				}
				if f1 := of.score(fit.Kept); f1 < 0.7 {
					t.Errorf("F1 %.3f, %+v", f1, *fit.Haste)
				}
				t.Logf("%+v: F1 %.3f", *fit.Haste, of.score(fit.Kept))
			})
		})
	}
}

// Where nobody waits, nothing is done in a hurry.
func TestNobodyWaitsForHurriedGraphs(t *testing.T) {
	draw := rng.Stream(1, "local haste", 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x := gridField(t, 5, 0, draw).signals(50, draw)
	if fit := Learn(ctx, x, Options{Observations: 50, Late: func() context.Context { return nil }}); fit != nil {
		t.Errorf("%+v", fit)
	}
}
