package nervure

import (
	"encoding/json"
	"testing"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checks"
)

// timeless is all that the summary says of an analysis, times aside.
func timeless(t *testing.T, a *Analysis) string {
	t.Helper()
	s := a.Summary()
	s.Seconds = 0
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whoever leaves the pipeline, at any step of any stage, can go on: it comes to the same.
func TestRunsThatWereLeftGoOn(t *testing.T) {
	vertices, count := 12, 60
	if testing.Short() {
		vertices, count = 8, 30
	}
	for name, c := range map[string]struct {
		signals *Signals
		options Options
	}{
		"patterns": {&Signals{Y: planted(t, vertices, count, 0.2).Signals}, Options{Confidence: Yes, Threads: 3}},
		"a field":  {&Signals{Y: checks.Chain(1, vertices, 100)}, Options{Confidence: Yes, Threads: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := Learn(t.Context(), c.signals, c.options)
			if err != nil {
				t.Fatal(err)
			}
			store := &checkpoint.Memory{}
			lives := 0
			var got *Analysis
			for stride := 1; got == nil; stride = stride*3/2 + 1 {
				lives++
				steps := 0
				for step, err := range Steps(checkpoint.With(t.Context(), store), c.signals, c.options) {
					if err != nil {
						t.Fatal(err)
					}
					got = step.Analysis
					if steps++; steps == stride {
						break
					}
				}
			}
			if timeless(t, got) != timeless(t, want) {
				t.Errorf("after %d lives the summary is another one", lives)
			}
			again, err := Learn(checkpoint.With(t.Context(), store), c.signals, c.options)
			if err != nil || timeless(t, again) != timeless(t, want) {
				t.Errorf("with all pieces known the summary is another one, or %v", err)
			}
			t.Logf("%d lives", lives)
		})
	}
}
