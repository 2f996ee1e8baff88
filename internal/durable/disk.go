package durable

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
)

// An Op is a kind of change to the file system.
type Op string

// The kinds.
const (
	OpCreate Op = "create"
	OpWrite  Op = "write"
	OpSync   Op = "sync"
	OpClose  Op = "close"
	OpRename Op = "rename"
	OpLink   Op = "link"
	OpRemove Op = "remove"
	OpMkdir  Op = "mkdir"
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

// life counts interceptions, each of which may have been the death of a process: what is
// done once in a process is done again after one.
var life atomic.Int64

// ask returns why a change is not to be made, if it is not.
func ask(op Op, path string) error {
	if h := hook.Load(); h != nil {
		if err := (*h)(op, path); err != nil {
			return &fs.PathError{Op: string(op), Path: path, Err: err}
		}
	}
	return nil
}

// unless makes a change that nothing was said against.
func unless(refused error, change func() error) error {
	if refused != nil {
		return refused
	}
	return change()
}

// A file is open for writing. Locks, offsets and modes are those of the handle.
type file struct{ handle *os.File }

// create makes a file that is not there yet.
func create(path string, mode fs.FileMode) (*file, error) {
	return open(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

func open(path string, flag int, mode fs.FileMode) (*file, error) {
	if err := ask(OpCreate, path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, flag, mode)
	if err != nil {
		return nil, err
	}
	return &file{f}, nil
}

// Write implements [io.Writer].
func (f *file) Write(b []byte) (int, error) {
	if err := ask(OpWrite, f.handle.Name()); err != nil {
		if errors.Is(err, ErrDead) {
			return 0, err
		}
		n, _ := f.handle.Write(b[:len(b)/2])
		return n, err
	}
	return f.handle.Write(b)
}

// Sync waits until what was written is on the disk.
func (f *file) Sync() error { return unless(ask(OpSync, f.handle.Name()), f.handle.Sync) }

// Close closes the file, even if it fails.
func (f *file) Close() error {
	refused := ask(OpClose, f.handle.Name())
	return errors.Join(refused, f.handle.Close())
}

// rename gives a file another name, in place of the file that has it.
func rename(from, to string) error {
	return unless(ask(OpRename, from), func() error { return os.Rename(from, to) })
}

// link gives a file another name besides its own.
func link(from, to string) error {
	return unless(ask(OpLink, to), func() error { return os.Link(from, to) })
}

// Remove removes a file or an empty directory. That it is not there is no error.
func Remove(path string) error {
	err := unless(ask(OpRemove, path), func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveAll removes a file, or a directory with all that is in it. That it is not there
// is no error.
func RemoveAll(path string) error {
	return unless(ask(OpRemove, path), func() error { return os.RemoveAll(path) })
}

func mkdir(path string, mode fs.FileMode) error {
	return unless(ask(OpMkdir, path), func() error { return os.Mkdir(path, mode) })
}

// mkdirAll makes a directory, and those above it, unless it is there.
func mkdirAll(path string, mode fs.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	return unless(ask(OpMkdir, path), func() error { return os.MkdirAll(path, mode) })
}

// syncDirectory waits until the names in a directory are on the disk, where the file
// system lets one. It changes nothing, and failing does no harm: the files are whole.
func syncDirectory(path string) {
	if dir, err := os.Open(path); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
}
