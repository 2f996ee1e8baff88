package memory

import "golang.org/x/sys/unix"

func ofSystem() (int64, bool) {
	n, err := unix.SysctlUint64("hw.memsize")
	return int64(n), err == nil
}
