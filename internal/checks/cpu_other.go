//go:build !unix

package checks

import (
	"testing"
	"time"
)

var begun = time.Now()

// CPUTime returns the time that has passed, which is no less than the processor time of
// one thread.
func CPUTime(testing.TB) time.Duration { return time.Since(begun) }
