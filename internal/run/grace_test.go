package run_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/run"
)

type key struct{}

func TestGraceLastsWhileSomebodyWaits(t *testing.T) {
	until, over := context.WithCancel(context.WithValue(t.Context(), key{}, "kept"))
	defer over()
	for name, c := range map[string]struct {
		cause   error
		limited bool
		over    bool
	}{
		"stopped":                     {cause: errors.New("enough")},
		"stopped, with a limit":       {cause: errors.New("enough"), limited: true},
		"nobody waits":                {cause: fmt.Errorf("gone: %w", run.ErrAbandoned), over: true},
		"nobody waits, with a limit ": {cause: run.ErrAbandoned, limited: true, over: true},
	} {
		ctx, stop := context.WithCancelCause(context.WithValue(t.Context(), key{}, "kept"))
		if c.limited {
			ctx = run.WithGrace(ctx, until)
		}
		stop(c.cause)
		grace := run.Grace(ctx)
		if got := grace.Err() != nil; got != c.over {
			t.Errorf("%s: over %v, want %v", name, got, c.over)
		}
		if grace.Value(key{}) != nil {
			t.Errorf("%s: it carries values", name)
		}
	}
	ctx, stop := context.WithCancel(run.WithGrace(t.Context(), until))
	stop()
	over()
	if run.Grace(ctx).Err() == nil {
		t.Error("grace goes on beyond its limit")
	}
}

func TestGraceOfBeginsWhenItIsNeeded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ctx = run.WithGraceOf(ctx, time.Hour)
	cancel()
	grace := run.Grace(ctx)
	if end, ok := grace.Deadline(); !ok || grace.Err() != nil || time.Until(end) < 59*time.Minute {
		t.Errorf("it ends %v, %v, and has %v", end, ok, grace.Err())
	}
	over := run.Grace(run.WithGraceOf(ctx, 0))
	<-over.Done()
	for busy := run.Grace(run.WithGraceOf(ctx, time.Millisecond)); busy.Err() == nil; { // work uses it up
	}
}

// Whoever stops a run waits once, not again for each part that is finished in a hurry; and no longer
// because of a time limit that is further off.
func TestPatienceIsThatOfAllPartsTogether(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	ctx := run.WithGraceOf(stopped, time.Hour)
	limited := run.WithGrace(ctx, t.Context())
	if grace := run.Grace(limited); grace.Err() != nil || hasDeadline(grace) {
		t.Error("patience has begun, and nobody has stopped the run")
	}
	stop()
	first, _ := run.Grace(ctx).Deadline()
	for name, of := range map[string]context.Context{"again": ctx, "with a limit": limited} {
		if again, ok := run.Grace(of).Deadline(); !ok || !again.Equal(first) {
			t.Errorf("%s: patience ends %v, and at first %v", name, again, first)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if run.Grace(run.WithGrace(ctx, over)).Err() == nil {
		t.Error("patience goes on beyond the limit")
	}
}

func hasDeadline(ctx context.Context) bool {
	_, ok := ctx.Deadline()
	return ok
}

// What lasts ends with the grace of its context, and not before that has begun.
func TestLastingEndsWithTheGraceThatFollows(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	until, end := context.WithCancel(t.Context())
	lasting, leave := run.Lasting(run.WithGrace(ctx, until))
	defer leave()
	stop()
	if lasting.Err() != nil {
		t.Error("it has ended, and grace goes on")
	}
	end()
	<-lasting.Done()
	never, leaveNever := run.Lasting(t.Context())
	leaveNever()
	if never.Err() == nil {
		t.Error("it goes on when nobody needs it")
	}
}
