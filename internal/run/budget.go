// Package run has what all runs share: how their time is divided, and how they end.
package run

import (
	"context"
	"errors"
	"fmt"
	"time"
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
	// leastShare is the share of the time that is reserved for learning even if
	// preprocessing overruns.
	leastShare = 0.2
	// If that does not suffice, a limit may be exceeded by a second or a twelfth.
	excess      = 800 * time.Millisecond
	excessShare = 1.0 / 12
	// worthTrying is how many times the time left a test may be expected to take for it
	// to be begun: estimates may be wrong.
	worthTrying = 1.5
)

// A Budget divides the time of a run. The zero value is no limit.
type Budget struct {
	Limit time.Duration
	Begun time.Time
}

// left returns how much time there is.
func (b Budget) left() time.Duration { return time.Until(b.Begun.Add(b.Limit)) }

// Allows reports whether work that is expected to take this long is worth beginning.
func (b Budget) Allows(expected time.Duration) bool {
	return b.Limit == 0 || expected <= time.Duration(worthTrying*float64(b.left()))
}

// ForFaults is the context of the search for faults of sensors.
func (b Budget) ForFaults(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, time.Duration(faultsShare*float64(b.Limit)))
}

// ForCourse is the context of the search for cycles and trends.
func (b Budget) ForCourse(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, time.Duration(courseShare*float64(b.Limit)))
}

// ForChoosing is the context of the choice of values or differences, and of a method.
func (b Budget) ForChoosing(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, time.Duration(choosingShare*float64(b.Limit)))
}

// ForLearning is the context of learning. It ends early enough for what has been found
// to be pruned in short.
func (b Budget) ForLearning(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.Limit == 0 {
		return ctx, func() {}
	}
	aside := min(time.Duration(shortShare*float64(b.Limit)), shortAtMost+time.Duration(shortShareLong*float64(b.Limit)))
	part := b.Limit - aside
	part = max(part, time.Since(b.Begun)+time.Duration(leastShare*float64(b.Limit)))
	soft, cancelSoft := b.until(ctx, part)
	last := max(b.Limit+max(excess, time.Duration(excessShare*float64(b.Limit))), part+aside)
	hard, cancelHard := context.WithDeadlineCause(context.Background(), b.Begun.Add(last), errTimeLimit)
	return WithGrace(soft, hard), func() { cancelSoft(); cancelHard() }
}

// ForTests is the context of all that comes after learning.
func (b Budget) ForTests(ctx context.Context) (context.Context, context.CancelFunc) {
	return b.until(ctx, b.Limit)
}

// until returns a context that ends this long after the beginning.
func (b Budget) until(ctx context.Context, part time.Duration) (context.Context, context.CancelFunc) {
	if b.Limit == 0 {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, b.Begun.Add(part), errTimeLimit)
}

// OutOfTime reports whether a context ended because of the limit.
func OutOfTime(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errTimeLimit) }

// NoGraph is the error of a run without a graph.
func (b Budget) NoGraph() error {
	return fmt.Errorf("no graph could be learned within the time limit of %s: allow more time, or use fewer vertices or signals", b.Limit)
}
