//go:build unix

package run

import (
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has taken so far. Unlike a clock, it
// does not go on while other programs have the processor.
func CPUTime() (time.Duration, error) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), err
}
