//go:build unix

package checks

import (
	"syscall"
	"testing"
	"time"
)

// CPUTime returns the processor time that this process has taken so far. Tests measure
// with it how much work is done after a run was told to stop: unlike a clock, it does not
// go on while other programs have the processor.
func CPUTime(t testing.TB) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
