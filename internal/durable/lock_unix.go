//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package durable

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for whoever has opened it, until it is closed or the process ends,
// however that happens.
func lock(f *os.File) lockState {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case err == nil:
		return lockHeld
	case errors.Is(err, syscall.EWOULDBLOCK):
		return lockBusy
	}
	return noLocks // not on this file system
}
