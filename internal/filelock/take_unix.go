//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package filelock

import (
	"errors"
	"os"
	"syscall"
)

func take(f *os.File) State {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return Taken
	case errors.Is(err, syscall.EWOULDBLOCK):
		return Busy
	}
	return None // not on this file system
}
