package memory

import (
	"math"
	"os"
	"syscall"
)

func ofSystem() (int64, bool) {
	limit, ok := linuxLimit(os.DirFS("/"))
	var space syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &space); err == nil && space.Cur < math.MaxInt64 && (!ok || int64(space.Cur) < limit) {
		limit, ok = int64(space.Cur), true
	}
	return limit, ok
}
