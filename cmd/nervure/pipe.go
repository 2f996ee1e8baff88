//go:build !js

package main

import (
	"os/signal"
	"syscall"
)

// ignoreBrokenPipe makes a reader that leaves an error of the write, not our end.
func ignoreBrokenPipe() { signal.Ignore(syscall.SIGPIPE) }
