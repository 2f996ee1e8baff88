package main

// ignoreBrokenPipe has nothing to do in a browser, which has no such signal.
func ignoreBrokenPipe() {}
