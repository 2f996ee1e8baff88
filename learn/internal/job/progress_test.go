package job

import (
	"context"
	"errors"
	"testing"
)

func TestReporterSaysWhyToStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	more := true
	r := Reporter[int]{Ctx: ctx, Yield: func(int) bool { return more }}
	if err := r.Report(1); err != nil {
		t.Errorf("a step that nobody stops: %v", err)
	}
	cancel()
	if err := r.Report(2); !Interrupted(err) || Failed(err) {
		t.Errorf("after the context ended: %v", err)
	}
	more = false // whoever leaves the loop wants no answer, interrupted or not
	if err := r.Report(3); !errors.Is(err, ErrStopped) || !Failed(err) {
		t.Errorf("after the caller left: %v", err)
	}
	if len(r.History) != 3 {
		t.Errorf("%d steps are kept, want 3", len(r.History))
	}
}
