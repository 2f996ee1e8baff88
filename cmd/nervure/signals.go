//go:build !js

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// ignoreBrokenPipe makes a reader that leaves an error of the write, not our end.
func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }

// hangup is the signal of a terminal that is closed, which ends us as Ctrl-C does,
// with what there is written and nothing left behind. Not so under nohup.
func hangup() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return nil
	}
	return []os.Signal{syscall.SIGHUP}
}
