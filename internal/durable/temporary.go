package durable

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
)

// Temporaries are files and directories that are not to outlive their process, named by a
// prefix, a mark and a suffix. Those that did, after kill -9 or a power failure, are removed
// by the next process.
//
// What is removed is provably ours and stale. Its name ends in a mark that only this
// program gives on this machine, and nobody holds its lock, which its process has as long
// as it lives. Where there are no locks, nothing is removed.
type Temporaries struct{ Prefix, Suffix string }

// outputs are what is to take the place of an output, beside it.
var outputs = Temporaries{".nervure-", ".tmp"}

const (
	randomLength = 26 // of rand.Text
	tagLength    = 10 // 50 bits: no other name ends so by chance
)

// tries is how often a new name is tried when another process takes ours for stale
// between its making and its locking.
const tries = 100

var errTaken = errors.New("no temporary file can be kept here: other processes remove it")

// name returns a new one.
func (k Temporaries) name() string {
	random := rand.Text()
	return k.Prefix + random + tag(random) + k.Suffix
}

// mark returns what a name has between prefix and suffix, if that looks like a mark.
func (k Temporaries) mark(name string) (string, bool) {
	rest, before := strings.CutPrefix(name, k.Prefix)
	mark, after := strings.CutSuffix(rest, k.Suffix)
	return mark, before && after && len(mark) == randomLength+tagLength && strings.Trim(mark, alphabet) == ""
}

// alphabet is what [rand.Text] and tags are written in.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

// is reports whether a name is of that kind, and made on this machine.
func (k Temporaries) is(name string) bool {
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

// A temporary is open for writing under a name that nobody else removes before it is closed.
type temporary struct {
	*file

	path   string
	locked bool // closing it lets others take it for stale
}

// create makes a file in a directory, with the mode that the umask leaves.
func (k Temporaries) create(dir string) (*temporary, error) {
	for range tries {
		path := filepath.Join(dir, k.name())
		f, err := create(path, 0o666)
		if err != nil {
			return nil, err
		}
		state := lock(f.handle)
		if state != lockBusy && isAt(f.handle, path) {
			return &temporary{f, path, state == lockHeld}, nil
		}
		_ = f.handle.Close()
	}
	return nil, errTaken
}

// Mkdir removes what dead processes have left, makes a directory for this user alone, and
// keeps others from removing it until release is called or the process ends.
func (k Temporaries) Mkdir(parent string) (path string, release func(), err error) {
	k.sweep(parent)
	for range tries {
		path := filepath.Join(parent, k.name())
		if err := mkdir(path, 0o700); err != nil {
			return "", nil, err
		}
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			_ = Remove(path)
			return "", nil, err
		}
		if lock(f) != lockBusy && isAt(f, path) {
			return path, func() { _ = f.Close() }, nil
		}
		_ = f.Close()
	}
	return "", nil, errTaken
}

// isAt reports whether an open file still has its name.
func isAt(f *os.File, path string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(opened, named)
}

// swept has, for each directory and kind, the [life] in which it was swept.
var swept sync.Map

// sweep removes what processes that are dead have left in a directory, the first time
// that this process asks. What cannot be removed stays.
func (k Temporaries) sweep(dir string) {
	whole, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	type place struct {
		dir  string
		kind Temporaries
	}
	if last, ok := swept.Swap(place{whole, k}, life.Load()); ok && last == life.Load() {
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

// IsUnfinished reports whether a name is one of those that [WriteFile] and [WriteFolder]
// give, on this machine or on another, to what is not finished.
func IsUnfinished(name string) bool {
	_, ok := outputs.mark(name)
	return ok
}

// RemoveUnfinished removes what [WriteFile] leaves in a directory if its process is
// killed, on this machine or on another that writes there. Nobody else may be writing to
// it now.
func RemoveUnfinished(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return Unwritable(dir, err)
	}
	for _, entry := range list {
		if IsUnfinished(entry.Name()) {
			if err := RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
				return Unwritable(dir, err)
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
	if lock(f) == lockHeld && isAt(f, path) {
		_ = RemoveAll(path)
	}
}

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
