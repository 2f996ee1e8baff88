package cli

import (
	"context"
	"errors"
	"io"
)

// untilEOF returns a context that ends with standard input, if that was asked for.
func untilEOF(ctx context.Context, c console, asked bool) (context.Context, context.CancelFunc) {
	if !asked {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, c.in) // a fault ends it as well
		cancel(errors.New("standard input was closed"))
	}()
	return ctx, func() { cancel(nil) }
}
