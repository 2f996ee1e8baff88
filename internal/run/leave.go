package run

import (
	"context"

	"github.com/nervure/nervure/internal/guard"
)

// OrLeave does work that knows nothing of contexts, such as reading a pipe that stays silent. If ctx ends, the
// work is left behind, and ok is false.
func OrLeave[T any](ctx context.Context, work func() (T, error)) (value T, ok bool, err error) {
	var result T
	var fault error
	var behind guard.Group
	done := make(chan struct{})
	behind.Go(func() {
		defer close(done)
		result, fault = work()
	})
	select {
	case <-done:
		behind.Wait()
		return result, true, fault
	case <-ctx.Done():
		return value, false, nil
	}
}
