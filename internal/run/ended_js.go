package run

import (
	"context"
	"time"
)

// breath is how long a loop may run in a browser before a message, such as stop, can arrive.
const breath = 100 * time.Millisecond

var lastBreath time.Time

// Ended is ctx.Err(), for the loops that take long. A browser has one thread for a run, and delivers
// messages to it only while all goroutines wait.
func Ended(ctx context.Context) error {
	if time.Since(lastBreath) > breath {
		time.Sleep(time.Millisecond)
		lastBreath = time.Now()
	}
	return ctx.Err()
}
