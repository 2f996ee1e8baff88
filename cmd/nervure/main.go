// Nervure learns the graph behind a set of signals. See nervure --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/nervure/nervure/cmd/internal/cli"
)

func main() {
	debug.SetTraceback("none") // users get sentences; GOTRACEBACK brings traces back
	ignoreBrokenPipe()
	ctx, stop := signal.NotifyContext(context.Background(), append(hangup(), os.Interrupt, syscall.SIGTERM)...)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
