package run

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrAbandoned is in the cause of a context that ended because the caller no longer wants
// the result. Work under such a context stops at once; when any other context ends,
// methods make a usable answer of what they have.
var ErrAbandoned = errors.New("the caller no longer wants the result")

type graceKey struct{}

// A grace bounds what is done after the end of a context.
type grace struct {
	until    context.Context // nil if nothing but patience ends it
	patience *patience       // nil if there is no end to it
}

// A patience begins when somebody stops a run.
type patience struct {
	of   context.Context // that is stopped
	most time.Duration
	end  func() time.Time // after it was stopped: when patience ends, the same for all that is done meanwhile
}

// WithGrace returns a context like ctx. What is done after its end, so that there is a
// usable answer, must be over when the second context ends.
func WithGrace(ctx, until context.Context) context.Context {
	g, _ := ctx.Value(graceKey{}).(grace)
	g.until = until
	return context.WithValue(ctx, graceKey{}, g)
}

// WithGraceOf is WithGrace where all work together may take so long after the end of ctx. A part that
// ends by itself, under a context of its own, may take that long, too.
func WithGraceOf(ctx context.Context, most time.Duration) context.Context {
	end := sync.OnceValue(func() time.Time { return time.Now().Add(most) })
	context.AfterFunc(ctx, func() { end() })
	return context.WithValue(ctx, graceKey{}, grace{patience: &patience{ctx, most, end}})
}

// Grace returns the context for making a usable answer after ctx has ended: work that
// is bounded by itself. It has ended, too, if nobody waits for the answer. It carries
// nothing else: what is done in a hurry is not to be remembered as if it had been done
// with care.
func Grace(ctx context.Context) context.Context {
	if errors.Is(context.Cause(ctx), ErrAbandoned) {
		return bare{ctx}
	}
	g, _ := ctx.Value(graceKey{}).(grace)
	until := context.Background()
	if g.until != nil {
		until = bare{g.until}
	}
	var end time.Time
	switch p := g.patience; {
	case p == nil, p.of.Err() == nil && g.until != nil: // a time limit has ended it, and nobody has stopped it
		return until
	case p.of.Err() == nil:
		end = time.Now().Add(p.most)
	default:
		end = p.end()
	}
	short, cancel := context.WithDeadline(until, end)
	context.AfterFunc(short, cancel)
	return short
}

// bare is a context without its values.
type bare struct{ of context.Context }

func (b bare) Deadline() (time.Time, bool) { return b.of.Deadline() }
func (b bare) Done() <-chan struct{}       { return b.of.Done() }
func (b bare) Err() error                  { return b.of.Err() }
func (bare) Value(any) any                 { return nil }
