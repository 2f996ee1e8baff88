package learn

import (
	"context"
	"errors"
	"testing"
)

func TestReporterSaysWhyToStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	more := true
	r := reporter[int]{ctx: ctx, yield: func(int) bool { return more }}
	if err := r.report(1); err != nil {
		t.Errorf("a step that nobody stops: %v", err)
	}
	cancel()
	if err := r.report(2); !interrupted(err) || failed(err) {
		t.Errorf("after the context ended: %v", err)
	}
	more = false // whoever leaves the loop wants no answer, interrupted or not
	if err := r.report(3); !errors.Is(err, errStopped) || !failed(err) {
		t.Errorf("after the caller left: %v", err)
	}
	if len(r.history) != 3 {
		t.Errorf("%d steps are kept, want 3", len(r.history))
	}
}
