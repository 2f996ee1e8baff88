package run

import (
	"context"
	"errors"
	"time"
)

// ErrAbandoned is in the cause of a context that ended because the caller no longer wants
// the result. Work under such a context stops at once; when any other context ends,
// methods make a usable answer of what they have.
var ErrAbandoned = errors.New("the caller no longer wants the result")

type graceKey struct{}

// WithGrace returns a context like ctx. What is done after its end, so that there is a
// usable answer, must be over when the second context ends.
func WithGrace(ctx, until context.Context) context.Context {
	return context.WithValue(ctx, graceKey{}, until)
}

// WithGraceOf is WithGrace where the work may take so long after the end of ctx.
func WithGraceOf(ctx context.Context, most time.Duration) context.Context {
	return context.WithValue(ctx, graceKey{}, most)
}

// Grace returns the context for making a usable answer after ctx has ended: work that
// is bounded by itself. It has ended, too, if nobody waits for the answer. It carries
// nothing else: what is done in a hurry is not to be remembered as if it had been done
// with care.
func Grace(ctx context.Context) context.Context {
	if errors.Is(context.Cause(ctx), ErrAbandoned) {
		return bare{ctx}
	}
	switch until := ctx.Value(graceKey{}).(type) {
	case context.Context:
		return bare{until}
	case time.Duration:
		short, cancel := context.WithTimeout(context.Background(), until)
		context.AfterFunc(short, cancel)
		return short
	}
	return context.Background()
}

// bare is a context without its values.
type bare struct{ of context.Context }

func (b bare) Deadline() (time.Time, bool) { return b.of.Deadline() }
func (b bare) Done() <-chan struct{}       { return b.of.Done() }
func (b bare) Err() error                  { return b.of.Err() }
func (bare) Value(any) any                 { return nil }
