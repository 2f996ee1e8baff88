//go:build !js

package cli

// yieldToBrowser does nothing where other threads run on their own.
func yieldToBrowser() {}
