package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nervure/nervure/input"
)

// A journal is a results.jsonl that is open for more.
type journal struct {
	file *os.File
}

// openJournal reads the records that are there and opens the file for more. A
// last line that was not finished, because the process or the machine died
// while it was written, is cut off.
func openJournal(path string) (j *journal, records []Record, err error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, unreadable(path, err)
	}
	records, good, err := parseJournal(text)
	if err != nil {
		return nil, nil, inJournal(path, err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, unreadable(path, err)
	}
	defer func() {
		if err != nil {
			_ = file.Close()
		}
	}()
	if good < len(text) {
		if err := file.Truncate(int64(good)); err != nil {
			return nil, nil, unreadable(path, err)
		}
	}
	if _, err := file.Seek(int64(good), 0); err != nil {
		return nil, nil, unreadable(path, err)
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		_ = dir.Sync() // so that the file itself is there to stay, where that can be asked for
		_ = dir.Close()
	}
	return &journal{file}, records, nil
}

// A lineError is a line that holds no record.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

func inJournal(path string, err error) error {
	if e, ok := errors.AsType[*lineError](err); ok {
		return &input.Error{File: path, Line: e.line, Msg: fmt.Sprintf("line %d is not a valid result (%v): fix it or delete the file", e.line, e.err)}
	}
	return unreadable(path, err)
}

// parseJournal returns the records of a file and the length of the part that
// holds them. Only the last line may be something else.
func parseJournal(text []byte) (records []Record, good int, err error) {
	for line := 1; good < len(text); line++ {
		end := bytes.IndexByte(text[good:], '\n')
		if end < 0 {
			break
		}
		next := good + end + 1
		var r Record
		if err := json.Unmarshal(text[good:next], &r); err != nil {
			if next == len(text) { // blocks of a file need not reach the disk in order
				break
			}
			return nil, 0, &lineError{line, err}
		}
		records, good = append(records, r), next
	}
	return records, good, nil
}

// append puts a record on disk: when it returns, the record outlives the process
// and the machine's power.
func (j *journal) append(r Record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() error { return j.file.Close() }

// ReadRecords returns the records that a run left in its directory, in the order
// they were finished.
func ReadRecords(dir string) ([]Record, error) {
	path := filepath.Join(dir, resultsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	records, _, err := parseJournal(text)
	if err != nil {
		return nil, inJournal(path, err)
	}
	return records, nil
}
