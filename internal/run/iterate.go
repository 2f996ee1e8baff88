package run

import (
	"context"
	"fmt"
	"iter"
)

// errLeft is the cause when the caller has left the loop.
var errLeft = fmt.Errorf("nervure: the caller left the loop: %w", ErrAbandoned)

// Iterate turns work that shows its steps and returns the last one into an
// iterator. Leaving the loop cancels the work's context, and nothing is shown any
// more.
func Iterate[S any](ctx context.Context, work func(ctx context.Context, show func(S)) (S, error)) iter.Seq2[S, error] {
	return func(yield func(S, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		left := false
		last, err := work(ctx, func(step S) {
			if !left && !yield(step, nil) {
				left = true
				cancel(errLeft)
			}
		})
		if !left {
			yield(last, err)
		}
	}
}

// Last runs an iterator to its end and returns its last step.
func Last[S any](steps iter.Seq2[S, error]) (last S, err error) {
	for last, err = range steps {
	}
	return last, err
}

// AbandonedAfter returns a context like ctx for work whose result is of no use once ctx
// has ended: no time is spent then on making one.
func AbandonedAfter(ctx context.Context) (context.Context, context.CancelFunc) {
	own, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { end(fmt.Errorf("%w: %w", context.Cause(ctx), ErrAbandoned)) })
	return own, func() { stop(); end(nil) }
}
