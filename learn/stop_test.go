package learn_test

import (
	"context"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

// A run that is stopped, at whatever moment after its first round, answers with about
// the edges of one that comes to its end: it prunes in short.
func TestStoppedRunsPruneInShort(t *testing.T) {
	slow(t)
	for name, c := range map[string]struct {
		vertices, signals, moments int
		noise                      float64
	}{
		"small, without noise": {20, 100, 3, 0},
		"small, with noise":    {24, 150, 3, 0.4},
	} {
		truth := drawn(c.vertices, synth.SignalSpec{Count: c.signals, Sparsity: 4, Noise: c.noise}, "heat:2", "highpass:1")
		model := learn.PaperModel()
		finished := fit(t, truth.Signals, model, learn.Options{})
		want := edgeF1(t, finished, truth)
		steps := len(finished.History)
		r := rng.Stream(*seed, "moments", c.vertices)
		for range c.moments {
			const firstRound = 2 // steps
			stop, seen := firstRound+r.IntN(max(steps-firstRound-1, 1)), 0
			got := interrupted(t, truth.Signals, model, learn.Options{}, func(learn.Step) bool {
				seen++
				return seen == stop
			})
			if got == nil {
				t.Fatalf("%s: there was no step %d of %d", name, stop, steps)
			}
			f1 := edgeF1(t, got, truth)
			if f1 < want-0.1 {
				t.Errorf("%s: stopped after step %d of %d: F1 %.3f, finished %.3f", name, stop, steps, f1, want)
			}
			if got.CodedOn.EdgeCount() != got.Graph.EdgeCount() {
				t.Errorf("%s: codes are on %d edges of %d", name, got.CodedOn.EdgeCount(), got.Graph.EdgeCount())
			}
		}
	}
}

// Nobody waits for what is not wanted any more: it is cut, and nothing else.
func TestUnwantedRunsStopAtOnce(t *testing.T) {
	truth := drawn(20, synth.SignalSpec{Count: 100, Sparsity: 4, Noise: 0.6}, "heat:2", "highpass:1")
	for name, o := range map[string]learn.Options{"dense": {}, "large": {LargeFrom: 2}} {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		after, ended := 0, false
		var last learn.Step
		for step := range learn.Steps(ctx, truth.Signals, learn.PaperModel(), o) {
			last = step
			if ended {
				after++
			}
			if step.Round == 2 {
				ended = true
				cancel(run.ErrAbandoned)
			}
		}
		if after > 1 {
			t.Errorf("%s: %d steps after the end", name, after-1)
		}
		if kept, want := last.Result.Graph.EdgeCount(), (graph.Cut{}).Apply(last.Result.Weights).EdgeCount(); kept != want {
			t.Errorf("%s: %d edges, want the %d of the cut alone", name, kept, want)
		}
	}
}
