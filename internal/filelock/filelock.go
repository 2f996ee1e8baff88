// Package filelock keeps two processes from writing to one directory.
package filelock

import "os"

// Directory takes a directory for this process, until release is called or the process
// ends, however that happens. busy says that another process has it. Where the system or
// the file system has no such locks, nobody is kept out.
func Directory(dir string) (release func(), busy bool, err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, false, err
	}
	if held(f) {
		return nil, true, f.Close()
	}
	return func() { _ = f.Close() }, false, nil
}
