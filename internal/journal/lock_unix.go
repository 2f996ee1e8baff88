//go:build unix

package journal

import (
	"os"
	"path/filepath"
	"syscall"

	"github.com/nervure/nervure/input"
)

// lock keeps two runs from writing to one directory. The system lets go of it
// when the process ends, however that happens.
func lock(dir string) (release func(), err error) {
	f, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return nil, Unreadable(dir, err)
	}
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
	case nil:
		return func() { _ = f.Close() }, nil
	case syscall.EWOULDBLOCK:
		_ = f.Close()
		return nil, &input.Error{File: dir, Msg: "another run is writing to this directory"}
	default: // a file system without locks
		return func() { _ = f.Close() }, nil
	}
}
