package nervure_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/synth"
)

func limitedSignals(t *testing.T, vertices int) *nervure.Signals {
	t.Helper()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 1}, kernel.Paper(), synth.SignalSpec{Count: 150, Sparsity: 4, Noise: 0.3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &nervure.Signals{Y: truth.Signals}
}

// A run that takes much longer than its limit ends with a graph, no error, and a
// sentence about it. How long it took is not asserted to a share: other tests run.
func TestTimeLimitEndsWithAGraph(t *testing.T) {
	s := limitedSignals(t, 120)
	for _, m := range []method.Method{nil, learn.Sparse{}} {
		const limit = 700 * time.Millisecond
		begun := time.Now()
		a, err := nervure.Learn(t.Context(), s, nervure.Options{Method: m, TimeLimit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 10*limit {
			t.Errorf("%s with a limit of %s", took, limit)
		}
		d := a.Summary()
		if a.Graph.EdgeCount() == 0 || a.Status != method.Interrupted || !d.LimitReached || d.TimeLimit != limit.Seconds() {
			t.Errorf("%d edges, status %s, limit of %g s reached: %v", a.Graph.EdgeCount(), a.Status, d.TimeLimit, d.LimitReached)
		}
		if a.Verdict.Grade != nervure.NotChecked || !strings.Contains(a.Verdict.String(), "time limit") {
			t.Errorf("verdict %q", a.Verdict)
		}
		if !slices.ContainsFunc(d.Warnings, func(w string) bool { return strings.HasPrefix(w, "the time limit of 700ms ended learning") }) {
			t.Errorf("warnings %q", d.Warnings)
		}
	}
}

// A limit that is not reached changes nothing.
func TestGenerousTimeLimitChangesNothing(t *testing.T) {
	s := limitedSignals(t, 15)
	o := nervure.Options{Confidence: nervure.No}
	free, err := nervure.Learn(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	o.TimeLimit = time.Hour
	limited, err := nervure.Learn(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if limited.LimitReached || !slices.Equal(free.Graph.Edges(), limited.Graph.Edges()) || free.Verdict.Grade != limited.Verdict.Grade {
		t.Errorf("with an hour: %v %s, without a limit %s", limited.LimitReached, limited.Verdict, free.Verdict)
	}
}

func TestUnusableTimeLimitIsRefused(t *testing.T) {
	_, err := nervure.Learn(t.Context(), limitedSignals(t, 10), nervure.Options{TimeLimit: -time.Second})
	if fault := input.Find(err); fault == nil || fault.Field != "time limit" {
		t.Errorf("error %v", err)
	}
}

// A method that finds nothing in its time is an error that says so.
func TestNoGraphInTimeIsAnError(t *testing.T) {
	_, err := nervure.Learn(t.Context(), limitedSignals(t, 30), nervure.Options{Method: baseline.KNN{}, TimeLimit: 1})
	if err == nil || !strings.Contains(err.Error(), "time limit") {
		t.Errorf("error %v", err)
	}
}

// Who interrupts a limited run gets the cause, not the limit.
func TestInterruptedLimitedRunSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	why := errors.New("enough")
	var last nervure.Step
	var err error
	for last, err = range nervure.Steps(ctx, limitedSignals(t, 30), nervure.Options{Method: learn.Sparse{}, TimeLimit: time.Hour}) {
		if last.Method.Round == 2 {
			cancel(why)
		}
	}
	if a := last.Analysis; !errors.Is(err, why) || a == nil || a.LimitReached || a.Status != method.Interrupted || !a.PrunedEarly() {
		t.Errorf("error %v, analysis %+v", err, last.Analysis)
	}
}
