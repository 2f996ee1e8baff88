package baseline_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// A limitedContext ends when it has been asked that many times, by whichever goroutine.
type limitedContext struct {
	context.Context

	asked, limit atomic.Int64
	stop         context.CancelCauseFunc
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func newLimited(ctx context.Context, limit int64) *limitedContext {
	c := &limitedContext{}
	c.Context, c.stop = context.WithCancelCause(ctx)
	c.limit.Store(limit)
	return c
}

func (c *limitedContext) Err() error {
	if c.asked.Add(1) == c.limit.Load() {
		c.stop(errEnough)
	}
	return c.Context.Err()
}

// Methods that take long and prune their graph do so in short if they are stopped, at
// whatever moment: what they answer is about as good as when they are finished.
func TestStoppedMethodsPruneInShort(t *testing.T) {
	slow(t)
	for _, noise := range []float64{0.3} {
		grid := must(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 36, Seed: *seed})).Graph
		field := must(synth.Field(grid, synth.FieldSpec{Law: synth.GaussianField, Count: 200, FieldFaults: synth.FieldFaults{Noise: noise}, Seed: *seed}))
		p := method.Problem{Y: field.Signals, Seed: *seed, Threads: 2}
		for _, m := range []method.Method{baseline.GGL{}, baseline.DDGL{}, baseline.CGL{}} {
			whole := newLimited(t.Context(), -1)
			finished := must(m.Learn(whole, p))
			want := must(metrics.Edges(finished.Graph, grid)).F1()
			const moments = 6
			for k := range int64(moments) {
				ctx := newLimited(t.Context(), 1+whole.asked.Load()*k/moments)
				r, _ := m.Learn(ctx, p)
				switch {
				case r == nil:
					t.Fatalf("%s, noise %g: no graph when stopped at %d of %d moments", m.Name(), noise, k, moments)
				case r.Status != method.Interrupted:
					continue // on several threads, a run may ask less often
				}
				got := must(metrics.Edges(r.Graph, grid)).F1()
				if got < want-0.1 || testing.Verbose() {
					t.Logf("%s, noise %g, stopped at %d of %d: F1 %.3f with %d edges, finished %.3f with %d of %d", m.Name(), noise, k, moments, got, r.Graph.EdgeCount(), want, finished.Graph.EdgeCount(), grid.EdgeCount())
				}
				if got < want-0.1 {
					t.Fail()
				}
			}
		}
	}
}

// Nobody waits for a graph that is not wanted, so that nothing is pruned for it.
func TestUnwantedGraphsAreNotPruned(t *testing.T) {
	grid := must(synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 36, Seed: *seed})).Graph
	field := must(synth.Field(grid, synth.FieldSpec{Law: synth.GaussianField, Count: 200, Seed: *seed}))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(run.ErrAbandoned)
	r, err := baseline.GGL{}.Learn(ctx, method.Problem{Y: field.Signals, Seed: *seed})
	if err == nil || r == nil || r.Graph.EdgeCount() != r.Weights.EdgeCount() {
		t.Errorf("error %v, result %v: want all weights, uncut", err, r)
	}
}
