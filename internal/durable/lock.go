package durable

import "os"

// A lockState is what came of taking a lock.
type lockState int

const (
	noLocks  lockState = iota // there are no locks here: nothing is known
	lockHeld                  // it is ours until the file is closed or the process ends
	lockBusy                  // another process has it, or this one by another opening of the file
)

// LockDirectory takes a directory for this process, until release is called or the process
// ends, however that happens. busy reports that another process has it. Where the system or
// the file system has no such locks, nobody is kept out.
func LockDirectory(dir string) (release func(), busy bool, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	if lock(f) == lockBusy {
		return nil, true, f.Close()
	}
	return func() { _ = f.Close() }, false, nil
}
