package durable

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/nervure/nervure/input"
)

// WriteFolder writes several files to a directory, all or none, and removes others that
// do not go with them. The directory is made if it is not there. fill writes the files to
// a temporary directory in it; once all are safely on disk, they take their places, the one
// named last after the others. If anything fails, all files are as they were. Only if the
// process dies in the moment in which files take their places, some are new and some old.
//
// As with [WriteFile], replaced files keep their permissions and must be writable, and
// symbolic links stay.
func WriteFolder(dir, last string, remove []string, fill func(dir string) error) (err error) {
	made := missing(dir)
	if err := MakeDirectory(dir); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			for _, path := range made {
				_ = Remove(path) // if nothing else is in it
			}
		}
	}()
	staging, release, err := outputs.Mkdir(dir)
	if err != nil {
		return Unwritable(dir, err)
	}
	defer func() { // also when fill panics
		_ = RemoveAll(staging)
		release()
	}()
	c := &change{dir: dir, staging: staging}
	if err := fill(staging); err != nil {
		return c.inPlace(err)
	}
	if err := c.prepare(last); err != nil {
		return err
	}
	for _, name := range remove {
		if err := c.remove(name); err != nil {
			c.undo()
			return err
		}
	}
	for k := range c.files {
		if err := c.put(&c.files[k]); err != nil {
			c.undo()
			return err
		}
	}
	syncDirectory(dir)
	return nil
}

// MakeDirectory makes a directory, and those above it, unless it is there. One that
// cannot be made is an [input.Error].
func MakeDirectory(path string) error {
	if err := mkdirAll(path, 0o777); err != nil { // less what the umask takes
		return &input.Error{File: path, Msg: "this directory cannot be created: " + Reason(err), Err: err}
	}
	return nil
}

// Claim makes a directory, if it is not there, and keeps other runs from writing to it
// until it is released or the process ends.
func Claim(dir string) (release func(), err error) {
	if err := MakeDirectory(dir); err != nil {
		return nil, err
	}
	release, busy, err := LockDirectory(dir)
	switch {
	case err != nil:
		return nil, Unusable(dir, err)
	case busy:
		return nil, &input.Error{File: dir, Msg: "another run is writing to this directory"}
	}
	return release, nil
}

// missing lists the directories to make for one to be there, the deepest first.
func missing(dir string) (list []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return list
		}
		list = append(list, dir)
		dir = filepath.Dir(dir)
	}
}

// A change is what WriteFolder does to a directory.
type change struct {
	dir, staging string
	files        []staged
	undone       []func() // how to take back what was done, in the order it was done
}

// staged is a file that waits to take its place.
type staged struct {
	path   string // what the user calls it
	from   string // where it is
	target string // where it belongs: path, or what that links to
}

// inPlace makes an error about a file in the temporary directory one about the file that
// it was to become.
func (c *change) inPlace(err error) error {
	move := func(path *string) {
		if name, ok := strings.CutPrefix(*path, c.staging+string(filepath.Separator)); ok {
			*path = filepath.Join(c.dir, name)
		}
	}
	if e, ok := errors.AsType[*writeError](err); ok {
		move(&e.path)
	}
	if e := input.Find(err); e != nil {
		move(&e.File)
	}
	return err
}

// prepare makes sure that all files can take their places.
func (c *change) prepare(last string) error {
	list, err := os.ReadDir(c.staging)
	if err != nil {
		return Unwritable(c.dir, err)
	}
	for _, entry := range list {
		f := staged{path: filepath.Join(c.dir, entry.Name()), from: filepath.Join(c.staging, entry.Name())}
		if err := c.prepareFile(&f); err != nil {
			return err
		}
		c.files = append(c.files, f)
	}
	slices.SortStableFunc(c.files, func(a, b staged) int {
		return cmp.Compare(isLast(a, last), isLast(b, last))
	})
	return nil
}

func isLast(f staged, last string) int {
	if filepath.Base(f.from) == last {
		return 1
	}
	return 0
}

func (c *change) prepareFile(f *staged) (err error) {
	if f.target, err = linkTarget(f.path); err != nil {
		return Unwritable(f.path, err)
	}
	if info, err := os.Stat(f.target); err == nil && !info.Mode().IsRegular() {
		return &input.Error{File: f.path, Msg: "this is not a file that can be replaced: remove it, or choose another directory"}
	}
	mode, err := replaceable(f.target)
	if err != nil {
		return Unwritable(f.path, err)
	}
	if mode != 0 {
		if err := os.Chmod(f.from, mode); err != nil {
			return Unwritable(f.path, err)
		}
	}
	return nil
}

// remove takes a file away, if it is there.
func (c *change) remove(name string) error {
	path, aside := filepath.Join(c.dir, name), c.aside()
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && info.IsDir(): // with who knows what in it
		err = syscall.EISDIR
	case err == nil:
		err = rename(path, aside)
	}
	if err != nil {
		return &input.Error{File: path, Msg: fmt.Sprintf("the %s of an earlier run cannot be removed: %s", name, Reason(err)), Err: err}
	}
	c.undone = append(c.undone, func() { _ = rename(aside, path) })
	return nil
}

// put gives a file its place.
func (c *change) put(f *staged) error {
	aside := c.aside()
	err := link(f.target, aside)
	old := !errors.Is(err, fs.ErrNotExist)
	if err != nil && old { // not all file systems have links
		err = copyFile(f.target, aside)
	}
	if err != nil && old {
		return Unwritable(f.path, err)
	}
	err = rename(f.from, f.target)
	if errors.Is(err, syscall.EXDEV) { // a symbolic link that leads to another file system
		err = replace(f.path, f.target, func(w io.Writer) error { return copyTo(w, f.from) })
	}
	if err != nil {
		return Unwritable(f.path, err)
	}
	c.undone = append(c.undone, func() {
		if !old {
			_ = Remove(f.target)
			return
		}
		if err := rename(aside, f.target); errors.Is(err, syscall.EXDEV) {
			_ = replace(f.path, f.target, func(w io.Writer) error { return copyTo(w, aside) })
		}
	})
	return nil
}

// aside is a new name for a file that may have to come back.
func (c *change) aside() string {
	return filepath.Join(c.staging, fmt.Sprintf(".old-%d", len(c.undone)))
}

func (c *change) undo() {
	for k := len(c.undone) - 1; k >= 0; k-- {
		c.undone[k]()
	}
}

// copyFile copies a file to a new one.
func copyFile(from, to string) error {
	f, err := create(to, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(copyTo(f, from), f.Close())
}

func copyTo(w io.Writer, from string) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}
