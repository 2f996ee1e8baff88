package main

import "os"

// ignoreBrokenPipe has nothing to do in a browser, which has no such signal.
func ignoreBrokenPipe() {}

// hangup is no signal of a browser, either.
func hangup() []os.Signal { return nil }
