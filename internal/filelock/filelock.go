// Package filelock keeps two processes from writing to one directory, and tells whether
// a file is in use.
package filelock

import "os"

// A State is what came of taking a lock.
type State int

// The states.
const (
	None  State = iota // there are no locks here: nothing is known
	Taken              // it is ours until the file is closed or the process ends
	Busy               // another process has it, or this one by another opening of the file
)

// Take takes a file for whoever has opened it, until it is closed or the process ends,
// however that happens.
func Take(f *os.File) State { return take(f) }

// Directory takes a directory for this process, until release is called or the process
// ends, however that happens. busy says that another process has it. Where the system or
// the file system has no such locks, nobody is kept out.
func Directory(dir string) (release func(), busy bool, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	if Take(f) == Busy {
		return nil, true, f.Close()
	}
	return func() { _ = f.Close() }, false, nil
}
