package nervure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nervure/nervure/solver"
)

// errTimeLimit is the cause when a run has used up its time.
var errTimeLimit = errors.New("the time limit was reached")

// How a limited time is divided. The graph comes first: what it leaves is for held-out
// tests and the confidence.
const (
	// faultsShare is the most of the time that goes into looking for faults of sensors, and
	// courseShare the same after looking for cycles and trends as well.
	faultsShare, courseShare = 0.3, 0.45
	// choosingShare is the most of the time until values or differences, and a method, are
	// chosen.
	choosingShare = 0.5
	// A run that is cut off prunes its graph in short. For that, a part of the time is
	// set aside, but no more than a run of any length needs.
	shortShare     = 0.4
	shortAtMost    = 3 * time.Second
	shortShareLong = 0.05
	// leastShare is what learning has of the time, be it that preparing the signals took
	// nearly all.
	leastShare = 0.2
	// If that does not suffice, a limit may be exceeded by a second or a twelfth.
	excess      = 800 * time.Millisecond
	excessShare = 1.0 / 12
	// worthTrying is how many times the time left a test may be expected to take for it
	// to be begun: estimates may be wrong.
	worthTrying = 1.5
)

// A timeBudget divides the time of a run. The zero value is no limit.
type timeBudget struct {
	limit time.Duration
	begun time.Time
}

func (b timeBudget) end() time.Time { return b.begun.Add(b.limit) }

// left returns how much time there is.
func (b timeBudget) left() time.Duration { return time.Until(b.end()) }

// allows says whether work that is expected to take so long is worth beginning.
func (b timeBudget) allows(expected time.Duration) bool {
	return b.limit == 0 || expected <= time.Duration(worthTrying*float64(b.left()))
}

// forFaults is the context of the search for faults of sensors.
func (b timeBudget) forFaults(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, time.Duration(faultsShare*float64(b.limit)))
}

// forCourse is the context of the search for cycles and trends.
func (b timeBudget) forCourse(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, time.Duration(courseShare*float64(b.limit)))
}

// forChoosing is the context of the choice of values or differences, and of a method.
func (b timeBudget) forChoosing(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, time.Duration(choosingShare*float64(b.limit)))
}

// forLearning is the context of learning. It ends early enough for what has been found
// to be pruned in short.
func (b timeBudget) forLearning(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.limit == 0 {
		return ctx, func() {}
	}
	aside := min(time.Duration(shortShare*float64(b.limit)), shortAtMost+time.Duration(shortShareLong*float64(b.limit)))
	part := b.limit - aside
	part = max(part, time.Since(b.begun)+time.Duration(leastShare*float64(b.limit)))
	soft, cancelSoft := b.until(ctx, part)
	last := max(b.limit+max(excess, time.Duration(excessShare*float64(b.limit))), part+aside)
	hard, cancelHard := context.WithDeadlineCause(context.Background(), b.begun.Add(last), errTimeLimit)
	return solver.WithGrace(soft, hard), func() { cancelSoft(); cancelHard() }
}

// forTests is the context of all that comes after learning.
func (b timeBudget) forTests(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, b.limit)
}

// until returns a context that ends so long after the beginning.
func (b timeBudget) until(ctx context.Context, part time.Duration) (context.Context, context.CancelFunc) {
	if b.limit == 0 {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, b.begun.Add(part), errTimeLimit)
}

// outOfTime says whether a context ended because of the limit.
func outOfTime(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errTimeLimit) }

// noGraphInTime is the error of a run without a graph.
func (b timeBudget) noGraphInTime() error {
	return fmt.Errorf("no graph could be learned within the time limit of %s: allow more time, or use fewer vertices or signals", b.limit)
}
