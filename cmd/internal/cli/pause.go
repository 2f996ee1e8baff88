//go:build !js

package cli

import (
	"context"
	"syscall"
)

// yieldToBrowser does nothing where other threads run on their own.
func yieldToBrowser() {}

// soonStopped returns the context of a run: a stopped one may take its second or two to prune.
func soonStopped(ctx context.Context) context.Context { return ctx }

// withoutWaiting opens a pipe at once, or not at all if nobody reads it.
const withoutWaiting = syscall.O_NONBLOCK
