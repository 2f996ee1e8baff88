//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package dataio

import (
	"errors"
	"os"
	"syscall"
)

// lockFile makes a file that only one process can hold at a time, until it closes it or
// dies. busy says that another one does.
func lockFile(path string) (file *os.File, busy bool, err error) {
	file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, true, file.Close()
	}
	return file, false, nil // a file system without locks does without
}
