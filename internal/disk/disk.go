// Package disk makes all changes to files that the commands make: what they create,
// write, rename and remove goes through it. Tests put an [Intercept] in between, to see
// what is left when the k-th of these calls fails, or when the process dies there.
package disk

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
)

// An Op is a kind of change.
type Op string

// The kinds.
const (
	OpCreate   Op = "create"
	OpWrite    Op = "write"
	OpTruncate Op = "truncate"
	OpSync     Op = "sync"
	OpClose    Op = "close"
	OpRename   Op = "rename"
	OpLink     Op = "link"
	OpRemove   Op = "remove"
	OpMkdir    Op = "mkdir"
)

// hook is asked before each change; nil if there is none.
var hook atomic.Pointer[func(op Op, path string) error]

// ErrDead answers for a process that has died: nothing of the change is made, not even
// half of a write.
var ErrDead = errors.New("the process is dead")

// Intercept asks before each change, until restore is called. If the answer is an error,
// the change is not made, and whoever wanted it gets the error; only half of a write is
// made, and a file is closed in any case. It is for tests, one at a time. The hook is called
// by all goroutines that write.
func Intercept(ask func(op Op, path string) error) (restore func()) {
	hook.Store(&ask)
	return func() {
		hook.Store(nil)
		life.Add(1)
	}
}

// life counts interceptions.
var life atomic.Int64

// Life tells one process from the next: what is done once in a process is done again
// after an interception, which may have been the death of one.
func Life() int64 { return life.Load() }

// ask returns why a change is not to be made, if it is not.
func ask(op Op, path string) error {
	if h := hook.Load(); h != nil {
		if err := (*h)(op, path); err != nil {
			return &fs.PathError{Op: string(op), Path: path, Err: err}
		}
	}
	return nil
}

// A File is open for writing.
type File struct{ f *os.File }

// Create makes a file that is not there yet.
func Create(path string, mode fs.FileMode) (*File, error) {
	return open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Append opens a file for reading and writing and makes it if it is not there.
func Append(path string, mode fs.FileMode) (*File, error) {
	return open(path, os.O_RDWR|os.O_CREATE, mode)
}

func open(path string, flag int, mode fs.FileMode) (*File, error) {
	if err := ask(OpCreate, path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Handle returns the file for what does not change its content: locks, offsets, modes.
func (f *File) Handle() *os.File { return f.f }

// Write implements [io.Writer].
func (f *File) Write(b []byte) (int, error) {
	if err := ask(OpWrite, f.f.Name()); err != nil {
		if errors.Is(err, ErrDead) {
			return 0, err
		}
		n, _ := f.f.Write(b[:len(b)/2])
		return n, err
	}
	return f.f.Write(b)
}

// Truncate cuts the file off.
func (f *File) Truncate(size int64) error {
	if err := ask(OpTruncate, f.f.Name()); err != nil {
		return err
	}
	return f.f.Truncate(size)
}

// Sync waits until what was written is on the disk.
func (f *File) Sync() error {
	if err := ask(OpSync, f.f.Name()); err != nil {
		return err
	}
	return f.f.Sync()
}

// Close closes the file.
func (f *File) Close() error {
	if err := ask(OpClose, f.f.Name()); err != nil {
		_ = f.f.Close()
		return err
	}
	return f.f.Close()
}

// Rename gives a file another name, in place of the file that has it.
func Rename(from, to string) error {
	if err := ask(OpRename, from); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Link gives a file another name besides its own.
func Link(from, to string) error {
	if err := ask(OpLink, to); err != nil {
		return err
	}
	return os.Link(from, to)
}

// Remove removes a file or an empty directory.
func Remove(path string) error {
	if err := ask(OpRemove, path); err != nil {
		return err
	}
	return os.Remove(path)
}

// RemoveAll removes a file, or a directory with all that is in it. That it is not there
// is no error.
func RemoveAll(path string) error {
	if err := ask(OpRemove, path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// Mkdir makes a directory.
func Mkdir(path string, mode fs.FileMode) error {
	if err := ask(OpMkdir, path); err != nil {
		return err
	}
	return os.Mkdir(path, mode)
}

// MkdirAll makes a directory, and those above it, unless it is there.
func MkdirAll(path string, mode fs.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if err := ask(OpMkdir, path); err != nil {
		return err
	}
	return os.MkdirAll(path, mode)
}

// SyncDirectory waits until the names in a directory are on the disk, where the file
// system lets one. It changes nothing, and failing does no harm: the files are whole.
func SyncDirectory(path string) {
	if dir, err := os.Open(path); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}
