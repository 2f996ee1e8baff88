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
	of    context.Context // that is stopped
	most  time.Duration
	begin func() context.Context // after it was stopped: patience, the same for all that is done meanwhile
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
	begin := sync.OnceValue(func() context.Context { return forWork(most) })
	context.AfterFunc(ctx, func() { begin() })
	return context.WithValue(ctx, graceKey{}, grace{patience: &patience{ctx, most, begin}})
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
	switch p := g.patience; {
	case p != nil && p.of.Err() != nil:
		return earlier(p.begin(), g.until)
	case g.until != nil: // a time limit has ended it, and nobody has stopped it
		return bare{g.until}
	case p != nil:
		return forWork(p.most)
	}
	return context.Background()
}

// Lasting returns a context for work that may begin before the end of ctx: it ends when Grace does that begins
// with that end.
func Lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() {
		grace := Grace(ctx)
		context.AfterFunc(grace, func() { cancel(context.Cause(grace)) })
	})
	return lasting, func() {
		stop()
		cancel(nil)
	}
}

// earlier returns a context that ends with either; the second may be nil.
func earlier(a, b context.Context) context.Context {
	switch {
	case b == nil:
		return a
	case b.Err() != nil:
		return bare{b}
	}
	both, cancel := context.WithCancelCause(a)
	context.AfterFunc(b, func() { cancel(context.Cause(b)) })
	return both
}

// mostBusy is how many times as long as it should work may take because other programs have the processor.
const mostBusy = 10

// forWork returns a context that ends after so much time, or later, as far as this process had no processor
// meanwhile: what comes of a run that is stopped does not depend on how busy the machine is.
func forWork(most time.Duration) context.Context {
	begun := time.Now()
	used, err := CPUTime()
	ctx, cancel := context.WithTimeout(context.Background(), mostBusy*most)
	context.AfterFunc(ctx, cancel)
	var look func()
	look = func() {
		now, failed := CPUTime()
		if left := most - (now - used); err == nil && failed == nil && left > 0 {
			time.AfterFunc(max(left/8, time.Millisecond), look)
			return
		}
		cancel()
	}
	time.AfterFunc(most, look)
	return limited{ctx, begun.Add(most)}
}

// limited is a context that should end at some time.
type limited struct {
	context.Context
	end time.Time
}

// Deadline tells whoever plans ahead.
func (l limited) Deadline() (time.Time, bool) { return l.end, true }

// bare is a context without its values.
type bare struct{ of context.Context }

func (b bare) Deadline() (time.Time, bool) { return b.of.Deadline() }
func (b bare) Done() <-chan struct{}       { return b.of.Done() }
func (b bare) Err() error                  { return b.of.Err() }
func (bare) Value(any) any                 { return nil }
