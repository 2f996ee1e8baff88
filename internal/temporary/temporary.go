// Package temporary makes files and directories that are not to outlive their process,
// and removes those that did: after kill -9, or when the power fails.
//
// What is removed is provably ours and stale. Its name ends in a mark that only this
// program gives on this machine, and nobody holds its lock, which its process has as long
// as it lives. Where there are no locks, nothing is removed.
package temporary

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/nervure/nervure/internal/disk"
	"github.com/nervure/nervure/internal/filelock"
)

// A Kind is how some temporaries are named: prefix, mark, suffix.
type Kind struct{ Prefix, Suffix string }

// Output is the kind of what is to take the place of an output, beside it.
var Output = Kind{".nervure-", ".tmp"}

const (
	randomLength = 26 // of rand.Text
	tagLength    = 10 // 50 bits: no other name ends so by chance
)

// tries is how often a new name is tried when another process takes ours for stale
// between its making and its locking.
const tries = 100

var errTaken = errors.New("no temporary file can be kept here: other processes remove it")

// name returns a new one.
func (k Kind) name() string {
	random := rand.Text()
	return k.Prefix + random + tag(random) + k.Suffix
}

// mark returns what a name has between prefix and suffix, if that looks like a mark.
func (k Kind) mark(name string) (string, bool) {
	rest, before := strings.CutPrefix(name, k.Prefix)
	mark, after := strings.CutSuffix(rest, k.Suffix)
	return mark, before && after && len(mark) == randomLength+tagLength && strings.Trim(mark, alphabet) == ""
}

// alphabet is what [rand.Text] and tags are written in.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// Looks says whether a name may be of that kind, of this machine or another.
func (k Kind) Looks(name string) bool {
	_, ok := k.mark(name)
	return ok
}

// is says whether a name is of that kind, and made on this machine.
func (k Kind) is(name string) bool {
	mark, ok := k.mark(name)
	return ok && mark[randomLength:] == tag(mark[:randomLength])
}

// tag is what makes a random text a mark of ours on this machine: locks need not reach
// others that share the directory.
func tag(random string) string {
	host, _ := os.Hostname()
	sum := sha256.Sum256([]byte("nervure temporary\n" + host + "\n" + random))
	return base32.StdEncoding.EncodeToString(sum[:])[:tagLength]
}

// A File is open for writing under a name that nobody else removes before it is closed.
type File struct {
	*disk.File

	Path   string
	Locked bool // closing it lets others take it for stale
}

// Create makes a file in a directory, with the mode that the umask leaves.
func (k Kind) Create(dir string, mode fs.FileMode) (*File, error) {
	for range tries {
		path := filepath.Join(dir, k.name())
		f, err := disk.Create(path, mode)
		if err != nil {
			return nil, err
		}
		state := filelock.Take(f.Handle())
		if state != filelock.Busy && isAt(f.Handle(), path) {
			return &File{f, path, state == filelock.Taken}, nil
		}
		_ = f.Handle().Close()
	}
	return nil, errTaken
}

// Mkdir makes a directory for this user alone, and keeps others from removing it until
// release is called or the process ends.
func (k Kind) Mkdir(parent string) (path string, release func(), err error) {
	for range tries {
		path := filepath.Join(parent, k.name())
		if err := disk.Mkdir(path, 0o700); err != nil {
			return "", nil, err
		}
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			_ = disk.Remove(path)
			return "", nil, err
		}
		if filelock.Take(f) != filelock.Busy && isAt(f, path) {
			return path, func() { _ = f.Close() }, nil
		}
		_ = f.Close()
	}
	return "", nil, errTaken
}

// isAt says whether an open file still has its name.
func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

// swept has, for each directory and kind, the [disk.Life] in which it was swept.
var swept sync.Map

// Sweep removes what processes that are dead have left in a directory, the first time
// that this process asks. What cannot be removed stays.
func (k Kind) Sweep(dir string) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	type place struct {
		dir  string
		kind Kind
	}
	if life, ok := swept.Swap(place{whole, k}, disk.Life()); ok && life == disk.Life() {
		return
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range list {
		if k.is(entry.Name()) && (entry.IsDir() || entry.Type().IsRegular()) {
			removeStale(filepath.Join(dir, entry.Name()), entry.IsDir())
		}
	}
}

// Clear removes all that looks like temporaries from a directory that is ours alone, and
// to which nobody else is writing, such as that of a run. They may be of other machines.
func (k Kind) Clear(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range list {
		if k.Looks(entry.Name()) {
			if err := disk.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// removeStale removes a file or directory unless a process has its lock.
func removeStale(path string, isDir bool) {
	flag := os.O_WRONLY // some network file systems lock only what is open for writing
	if isDir {
		flag = os.O_RDONLY
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	if filelock.Take(f) == filelock.Taken && isAt(f, path) {
		_ = disk.RemoveAll(path)
	}
}
