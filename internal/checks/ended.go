package checks

import (
	"context"
	"sync/atomic"
)

// EndsAfter returns a context that ends once it has been asked that many times whether it
// has: work that is stopped by it stops at the same place every time. It does not
// wake those that wait for its end.
func EndsAfter(looks int) context.Context {
	return &ending{Context: context.Background(), looks: int64(looks)}
}

type ending struct {
	context.Context

	asked atomic.Int64
	looks int64
}

// Err counts.
func (e *ending) Err() error {
	if e.asked.Add(1) > e.looks {
		return context.Canceled
	}
	return nil
}
