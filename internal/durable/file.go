// Package durable makes all changes to files that the commands make: files written whole
// or not at all ([WriteFile]), folders likewise ([WriteFolder]), journals that a run goes on
// from ([Journal]), temporaries and their removal ([Temporaries]), and locks ([Claim]). It
// opens the files that they read, too ([Open]), and words what is wrong with either.
//
// Tests put an [Intercept] in between, to see what is left when the k-th of these calls
// fails, or when the process dies there.
package durable

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nervure/nervure/input"
)

// Open opens a file for reading. One that is not there, or cannot be opened, is an
// [input.Error].
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &input.Error{File: path, Msg: "there is no such file", Err: err}
	case err == nil && info.IsDir():
		return nil, &input.Error{File: path, Msg: "this is a directory: give a file in it", Err: syscall.EISDIR}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	return f, nil
}

// ReadFile returns the content of a file. Faults are those of [Open].
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var content bytes.Buffer
	if about, err := f.Stat(); err == nil && about.Mode().IsRegular() && about.Size() < math.MaxInt-bytes.MinRead {
		content.Grow(int(about.Size()) + bytes.MinRead) // so that what is large is not copied as it grows
	}
	if _, err := content.ReadFrom(f); err != nil {
		return nil, Unreadable(path, err)
	}
	return content.Bytes(), nil
}

// WriteFile writes a file whole or not at all: write fills a temporary file in
// the same directory, which takes the place of path only once it is safely on
// disk. If anything fails, an existing file stays as it was and the temporary
// one is gone. If the process is killed, the temporary file goes when another writes to the
// same directory. The writer that write gets is buffered.
//
// A new file has the usual permissions; a replaced one keeps its own, and must
// be writable. A symbolic link stays and what it points to is replaced. What is
// not a regular file, such as /dev/stdout or a pipe, is written directly.
//
// An error of write is returned as it is. A path that cannot be written to is
// an [input.Error].
func WriteFile(path string, write func(io.Writer) error) error {
	switch path {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return buffered(os.Stdout, write) // opening it again would lose its offset
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return buffered(os.Stderr, write)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return &input.Error{File: path, Msg: "this is a directory: give the name of a file to write", Err: syscall.EISDIR}
	case err == nil && !info.Mode().IsRegular():
		return writeDirectly(path, write)
	}
	target, err := linkTarget(path)
	if err != nil {
		return Unwritable(path, err)
	}
	return replace(path, target, write)
}

// WriteBytes is [WriteFile] of content that is there.
func WriteBytes(path string, content []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// replace writes target through a temporary file; path is what the user calls it.
func replace(path, target string, write func(io.Writer) error) (err error) {
	mode, err := replaceable(target)
	if err != nil {
		return Unwritable(path, err)
	}
	dir := filepath.Dir(target)
	outputs.sweep(dir)
	tmp, err := outputs.create(dir)
	if err != nil {
		return Unwritable(path, err)
	}
	finished := false
	defer func() {
		if !finished { // also when write panics
			_ = Remove(tmp.path)
			_ = tmp.Close()
		}
	}()
	if mode != 0 {
		if err := tmp.handle.Chmod(mode); err != nil {
			return Unwritable(path, err)
		}
	}
	if err := buffered(named{tmp, path}, write); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return Unwritable(path, err)
	}
	if err := putInPlace(tmp, target); err != nil {
		return Unwritable(path, err)
	}
	finished = true
	syncDirectory(dir)
	return nil
}

// putInPlace closes a file that is safely on disk and gives it its name. The lock has to
// last until then, lest another process take the file for stale. Where there are none, a
// file may have to be closed before it gets another name.
func putInPlace(tmp *temporary, target string) error {
	if !tmp.locked {
		if err := tmp.Close(); err != nil {
			return err
		}
		return rename(tmp.path, target)
	}
	if err := rename(tmp.path, target); err != nil {
		return err
	}
	_ = tmp.Close() // all of it is on disk
	return nil
}

// replaceable returns the mode of the file to replace, 0 if there is none. A read-only
// file is not to be replaced.
func replaceable(target string) (fs.FileMode, error) {
	old, err := os.OpenFile(target, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	info, err := old.Stat()
	if err := errors.Join(err, old.Close()); err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

func writeDirectly(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return Unwritable(path, err)
	}
	if err := buffered(named{f, path}, write); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// named says in its errors what the user calls the file.
type named struct {
	w    io.Writer
	path string
}

func (n named) Write(b []byte) (int, error) {
	k, err := n.w.Write(b)
	if err != nil {
		err = Unwritable(n.path, err)
	}
	return k, err
}

const bufferSize = 64 << 10

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, bufferSize)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// Place returns where a file is, or would be written: an absolute path without symbolic
// links, as far as they can be followed. Two paths with one place name the same file.
func Place(path string) string {
	if target, err := linkTarget(path); err == nil {
		path = target
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// linkTarget follows symbolic links, the last of which may point to a file that
// is still to be made.
func linkTarget(path string) (string, error) {
	for range 40 { // as many as Linux follows
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", syscall.ELOOP
}

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
