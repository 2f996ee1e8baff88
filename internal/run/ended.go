//go:build !js

package run

import "context"

// Ended is ctx.Err(), for the loops that take long: in a browser it also lets a message arrive.
func Ended(ctx context.Context) error { return ctx.Err() }
