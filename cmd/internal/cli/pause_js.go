package cli

import "time"

// yieldToBrowser sleeps for a moment, so that a browser, which has one thread for
// all, can deliver a message such as stop.
func yieldToBrowser() { time.Sleep(time.Millisecond) }
