// Package journal keeps the records of a long run in a file, a line of JSON each, so
// that a run that was stopped in any way, at any moment, can go on from there.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/disk"
	"github.com/nervure/nervure/internal/filelock"
)

// A Journal is a file of records that is open for more.
type Journal[T any] struct {
	file *disk.File
}

// Open reads the records that are there and opens the file for more. A last line that
// was not finished, because the process or the machine died while it was written, is cut off.
func Open[T any](path string) (j *Journal[T], records []T, err error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, Unreadable(path, err)
	}
	records, good, err := parse[T](path, text)
	if err != nil {
		return nil, nil, err
	}
	file, err := disk.Append(path, 0o666)
	if err != nil {
		return nil, nil, Unreadable(path, err)
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	if good < len(text) {
		if err := file.Truncate(int64(good)); err != nil {
			return nil, nil, Unreadable(path, err)
		}
	}
	if _, err := file.Handle().Seek(int64(good), 0); err != nil {
		return nil, nil, Unreadable(path, err)
	}
	disk.SyncDirectory(filepath.Dir(path)) // so that the file itself is there to stay
	return &Journal[T]{file}, records, nil
}

// Read returns the records of a file, in the order they were appended.
func Read[T any](path string) ([]T, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, Unreadable(path, err)
	}
	records, _, err := parse[T](path, text)
	return records, err
}

// parse returns the records of a file and the length of the part that holds them.
// Only the last line may be something else.
func parse[T any](path string, text []byte) (records []T, good int, err error) {
	for line := 1; good < len(text); line++ {
		end := bytes.IndexByte(text[good:], '\n')
		if end < 0 {
			break
		}
		next := good + end + 1
		var r T
		if err := json.Unmarshal(text[good:next], &r); err != nil {
			if next == len(text) { // blocks of a file need not reach the disk in order
				break
			}
			return nil, 0, &input.Error{File: path, Line: line, Msg: fmt.Sprintf("line %d is not a valid result (%v): fix it or delete the file", line, err)}
		}
		records, good = append(records, r), next
	}
	return records, good, nil
}

// Append puts a record on disk: when it returns, the record outlives the process
// and the machine's power.
func (j *Journal[T]) Append(r T) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

// Close closes the file.
func (j *Journal[T]) Close() error { return j.file.Close() }

// Claim makes a directory, if it is not there, and keeps other runs from writing to it
// until it is released or the process ends.
func Claim(dir string) (release func(), err error) {
	if err := disk.MkdirAll(dir, 0o777); err != nil { // less what the umask takes
		return nil, &input.Error{File: dir, Msg: "this directory cannot be created: " + reason(err)}
	}
	release, busy, err := filelock.Directory(dir)
	switch {
	case err != nil:
		return nil, Unreadable(dir, err)
	case busy:
		return nil, &input.Error{File: dir, Msg: "another run is writing to this directory"}
	}
	return release, nil
}

// Unreadable words what the system says about a file.
func Unreadable(path string, err error) error {
	return &input.Error{File: path, Msg: "cannot be read or written: " + reason(err)}
}

// reason is a system error without the call and the path that Go puts first.
func reason(err error) string {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}
