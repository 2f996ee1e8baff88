//go:build !unix

package run

import "time"

var begun = time.Now()

// CPUTime returns the time that has passed, which is no less than the processor time of
// one thread.
func CPUTime() (time.Duration, error) { return time.Since(begun), nil }
