package run

import (
	"context"
	"testing"
	"time"
)

type part = func(Budget, context.Context) (context.Context, context.CancelFunc)

var parts = map[string]part{
	"faults": Budget.ForFaults, "course": Budget.ForCourse, "choosing": Budget.ForChoosing, "learning": Budget.ForLearning, "tests": Budget.ForTests,
}

func TestWithoutALimitNoPartEnds(t *testing.T) {
	for name, of := range parts {
		ctx, cancel := of(Budget{}, t.Context())
		cancel()
		if ctx != t.Context() {
			t.Errorf("%s: got another context", name)
		}
	}
	if !(Budget{}).Allows(1000 * time.Hour) {
		t.Error("work that takes long is not allowed")
	}
}

// Learning has a share of its own, even if all the time has passed.
func TestWhenTimeIsUpOnlyLearningGoesOn(t *testing.T) {
	over := Budget{Limit: time.Hour, Begun: time.Now().Add(-2 * time.Hour)}
	for name, of := range parts {
		ctx, cancel := of(over, t.Context())
		if OutOfTime(ctx) == (name == "learning") {
			t.Errorf("%s: out of time is %t", name, OutOfTime(ctx))
		}
		cancel()
	}
	if over.Allows(time.Nanosecond) {
		t.Error("more work is allowed")
	}
}

func TestACallerWhoStopsIsNotOutOfTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	limited, done := Budget{Limit: time.Hour, Begun: time.Now()}.ForTests(ctx)
	defer done()
	if limited.Err() == nil || OutOfTime(limited) {
		t.Errorf("got %v", context.Cause(limited))
	}
}
