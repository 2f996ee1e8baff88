package local

import (
	"context"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

// lasting is a context that ends when it has been asked that often whether it has.
type lasting struct {
	context.Context
	asked, most int
}

func (c *lasting) Err() error {
	if c.asked++; c.asked > c.most {
		return context.Canceled
	}
	return nil
}

// Whenever a run is stopped after all vertices were regressed, what comes out is a graph, nearly as good as
// that of a whole run; and nobody looks for anything else first.
func TestStoppedRunsKeepWhatWasFound(t *testing.T) {
	for _, negative := range []float64{0, 0.3} {
		draw := rng.Stream(1, "local stopped", int(10*negative))
		of := gridField(t, 10, negative, draw)
		x := of.signals(400, draw)
		var regressed int // checks until then
		whole := &lasting{Context: t.Context(), most: 1 << 60}
		fit := Learn(whole, x, Options{Observations: 400, Progress: func(s Stage, _ float64) {
			if s == Checking && regressed == 0 {
				regressed = whole.asked
			}
		}})
		wanted := of.score(fit.Kept)
		const steps = 8
		for k := range steps {
			ctx := &lasting{Context: t.Context(), most: regressed + k*(whole.asked-regressed)/steps}
			late := 0
			fit := Learn(ctx, x, Options{Observations: 400, Progress: func(Stage, float64) {
				if ctx.asked > ctx.most {
					late++
				}
			}})
			if fit == nil {
				t.Fatalf("negative %g: stopped after %d of %d checks: no graph", negative, ctx.most, whole.asked)
			}
			if f1 := of.score(fit.Kept); f1 < wanted-0.05 || negative == 0 && fit.Signed {
				t.Errorf("negative %g: stopped after %d of %d checks: F1 %.3f instead of %.3f, signed %t", negative, ctx.most, whole.asked, f1, wanted, fit.Signed)
			}
			if late > 1 { // regressions of positive edges begin, and see that it is over
				t.Errorf("negative %g: stopped after %d of %d checks: %d stages went on", negative, ctx.most, whole.asked, late)
			}
		}
	}
}
