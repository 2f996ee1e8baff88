// Package memory says how much memory there is.
package memory

import (
	"math"
	"runtime/debug"
)

// Limit returns how many bytes of memory this process can come to use: the least of what
// the machine has and what the process is allowed by its control group, by a limit on
// its address space, and by GOMEMLIMIT. Where the system does not say what the machine
// has, and in a browser, that counts as 4 GiB.
func Limit() int64 {
	const unknown = 4 << 30
	machine, ok := ofSystem()
	if !ok {
		machine = unknown
	}
	return min(machine, debug.SetMemoryLimit(-1), math.MaxInt)
}

// CanHold reports whether data of that many bytes fits into memory beside what else there is:
// into half of the limit. Limit is for the sentence that refuses it.
func CanHold(bytes float64) bool { return bytes <= float64(Limit())/2 }
