// Nervure learns the graph behind a set of signals. See nervure --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/nervure/nervure/cmd/internal/commands"
	"github.com/nervure/nervure/internal/portable"
)

// betweenSignals is how long after the first signal another one is the same.
const betweenSignals = 500 * time.Millisecond

func main() {
	debug.SetTraceback("none") // users get sentences; GOTRACEBACK brings traces back
	portable.OrderBLAS()
	ignoreBrokenPipe()
	ctx, stop := signal.NotifyContext(context.Background(), append(hangup(), os.Interrupt, syscall.SIGTERM)...)
	// A second Ctrl-C ends the process at once, but not the same one sent twice, as
	// timeout does: to the process and to its group.
	context.AfterFunc(ctx, func() { time.AfterFunc(betweenSignals, stop) })
	os.Exit(commands.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
