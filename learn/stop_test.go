package learn_test

import (
	"context"
	"flag"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/synth"
)

var allMoments = flag.Bool("all-moments", false, "stop runs of all sizes, and at more moments: several minutes")

// A run that is stopped, at whatever moment after its first round, answers with about
// the edges of one that comes to its end: it prunes in short.
func TestStoppedRunsPruneInShort(t *testing.T) {
	slow(t)
	for name, c := range map[string]struct {
		vertices, signals, moments int
		noise                      float64
		options                    learn.Options
	}{
		"small, without noise":        {20, 100, 20, 0, learn.Options{}},
		"small, with noise":           {30, 200, 20, 0.4, learn.Options{}},
		"with automatic kernels":      {30, 200, 4, 0.3, learn.Options{Kernels: learn.KernelsAuto}},
		"medium, without noise":       {60, 300, 3, 0, learn.Options{}},
		"medium, with noise":          {50, 250, 5, 0.4, learn.Options{}},
		"a hundred vertices":          {100, 300, 2, 0.3, learn.Options{}},
		"more than are gone through":  {130, 300, 1, 0.3, learn.Options{}},
		"with candidate edges only":   {300, 500, 3, 0.3, learn.Options{}},
		"with candidates, less noise": {300, 400, 2, 0, learn.Options{}},
	} {
		if !*allMoments {
			if c.vertices > 30 || c.options.Kernels == learn.KernelsAuto {
				continue
			}
			c.moments = 6
		}
		truth := drawn(t, c.vertices, synth.SignalSpec{Count: c.signals, Sparsity: 4, Noise: c.noise}, "heat:2", "highpass:1")
		model := learn.PaperModel()
		if c.options.Kernels == learn.KernelsAuto {
			model = learn.Model{}
		}
		c.options.Threads = 2
		finished := fit(t, truth.Signals, model, c.options)
		want := edgeF1(t, finished, truth)
		steps := len(finished.History)
		r := rng.Stream(*seed, "moments", c.vertices)
		for range c.moments {
			const firstRound = 2 // steps
			stop, seen := firstRound+r.IntN(max(steps-firstRound-1, 1)), 0
			got := interrupted(t, truth.Signals, model, c.options, func(learn.Step) bool {
				seen++
				return seen == stop
			})
			if got == nil {
				t.Fatalf("%s: there was no step %d of %d", name, stop, steps)
			}
			f1 := edgeF1(t, got, truth)
			t.Logf("%s: stopped after step %d of %d: F1 %.3f with %d edges, finished %.3f with %d", name, stop, steps, f1, got.Graph.EdgeCount(), want, finished.Graph.EdgeCount())
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
	truth := drawn(t, 20, synth.SignalSpec{Count: 100, Sparsity: 4, Noise: 0.6}, "heat:2", "highpass:1")
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
