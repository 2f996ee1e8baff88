package cli

import (
	"context"
	"time"

	"github.com/nervure/nervure/internal/run"
)

// yieldToBrowser sleeps for a moment, so that a browser, which has one thread for
// all, can deliver a message such as stop.
func yieldToBrowser() { time.Sleep(time.Millisecond) }

// patience is how long a stopped run may take to prune its graph in a browser, which is
// many times slower: whoever stops it does not want to wait for minutes.
const patience = 1500 * time.Millisecond

// soonStopped returns the context of a run that answers soon after it is stopped.
func soonStopped(ctx context.Context) context.Context { return run.WithGraceOf(ctx, patience) }

// withoutWaiting is nothing in a browser, which has no pipes.
const withoutWaiting = 0
