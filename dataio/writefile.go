package dataio

import (
	"bufio"
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nervure/nervure/input"
)

// WriteFile writes a file whole or not at all: write fills a temporary file in
// the same directory, which takes the place of path only once it is safely on
// disk. If anything fails, an existing file stays as it was and the temporary
// one is gone. The writer that write gets is buffered.
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
		return buffered(os.Stdout, write) // opening it anew would lose its offset
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
		return unwritable(path, err)
	}
	return replace(path, target, write)
}

// MakeDirectory makes a directory, and those above it, unless it is there. One that
// cannot be made is an [input.Error].
func MakeDirectory(path string) error {
	err := os.MkdirAll(path, 0o777) // less what the umask takes
	if err == nil {
		return nil
	}
	reason := err
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		reason = e.Err
	}
	return &input.Error{File: path, Msg: fmt.Sprintf("this directory cannot be created: %v", reason), Err: err}
}

// replace writes target through a temporary file; path is what the user calls it.
func replace(path, target string, write func(io.Writer) error) (err error) {
	old, err := os.OpenFile(target, os.O_WRONLY, 0) // a read-only file is not to be replaced
	var mode fs.FileMode
	switch {
	case err == nil:
		info, err := old.Stat()
		if err := errors.Join(err, old.Close()); err != nil {
			return unwritable(path, err)
		}
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return unwritable(path, err)
	}

	// os.CreateTemp would make the file private; this way the umask decides.
	name := filepath.Join(filepath.Dir(target), unfinished(rand.Text()))
	tmp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return unwritable(path, err)
	}
	finished := false
	defer func() {
		if !finished { // also when write panics
			_ = tmp.Close()
			_ = os.Remove(name)
		}
	}()
	if mode != 0 {
		if err := tmp.Chmod(mode); err != nil {
			return unwritable(path, err)
		}
	}
	if err := buffered(tmp, write); err != nil {
		return err
	}
	if err := tmp.Sync(); err != nil {
		return unwritable(path, err)
	}
	if err := tmp.Close(); err != nil {
		return unwritable(path, err)
	}
	if err := os.Rename(name, target); err != nil {
		return unwritable(path, err)
	}
	finished = true
	// The file is complete whether or not the directory can be synced; not all
	// file systems let one.
	if dir, err := os.Open(filepath.Dir(target)); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

func writeDirectly(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return unwritable(path, err)
	}
	if err := buffered(f, write); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, inputBuffer)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
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

// unwritable puts into words why path cannot be written. A wrong path is the
// user's to mend, hence an input.Error; a full disk is not.
func unwritable(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return &input.Error{File: path, Msg: fmt.Sprintf("cannot be written: there is no directory %s", filepath.Dir(path)), Err: err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ELOOP):
		return &input.Error{File: path, Msg: "cannot be written: " + withoutPath(err), Err: err}
	}
	return fmt.Errorf("%s: cannot be written: %w", path, err)
}

// writeAs writes path in a format with a capability, by its extension, compressed
// if it ends in .gz.
func writeAs(path string, to Capability, encode func(io.Writer, Format) error) error {
	c, err := chooseCodec(path, "", to)
	if err != nil {
		return err
	}
	_, gzipped := FormatOf(path)
	return WriteFile(path, func(w io.Writer) error {
		if !gzipped || !c.can(Gzips) {
			return encode(w, c.format)
		}
		z := gzip.NewWriter(w)
		if err := encode(z, c.format); err != nil {
			return err
		}
		return z.Close()
	})
}

// RemoveUnfinished removes what [WriteFile] leaves in a directory if its process is
// killed. Nobody else may be writing there.
func RemoveUnfinished(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, unfinished("*")))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unwritable(path, err)
		}
	}
	return nil
}

// unfinished is what a file is called while it is written.
func unfinished(mark string) string { return ".nervure-" + mark + ".tmp" }
