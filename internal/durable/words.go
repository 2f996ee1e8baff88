package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nervure/nervure/input"
)

// Unwritable puts into words why path cannot be written. A wrong path is the
// user's to mend, hence an input.Error; a full disk is not.
func Unwritable(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &input.Error{File: path, Msg: fmt.Sprintf("cannot be written: there is no directory %s", filepath.Dir(path)), Err: err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ELOOP):
		return &input.Error{File: path, Msg: "cannot be written: " + Reason(err), Err: err}
	}
	return &writeError{path, err}
}

// A writeError is a file that the system does not let us write, such as on a full disk.
type writeError struct {
	path string // what the user calls it, not the temporary file
	err  error
}

func (e *writeError) Error() string { return e.path + ": cannot be written: " + Reason(e.err) }
func (e *writeError) Unwrap() error { return e.err }

// Unreadable puts into words why path cannot be read.
func Unreadable(path string, err error) *input.Error {
	return &input.Error{File: path, Msg: "cannot be read: " + Reason(err), Err: err}
}

// Unusable is a file or directory, neither of whose reading nor writing can be relied on.
func Unusable(path string, err error) error {
	return &input.Error{File: path, Msg: "cannot be read or written: " + Reason(err)}
}

// Reason returns what a system error is about, without the call and the path that Go puts
// first.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.EISDIR):
		return "it is a directory"
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	return err.Error()
}
