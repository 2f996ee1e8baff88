package durable

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nervure/nervure/input"
)

// A Journal keeps the records of a long run in a file, a line of JSON each with a checksum,
// so that a run that was stopped in any way, at any moment, can go on from there.
type Journal[T any] struct {
	path string
	file *file
	// whole is what the file is to hold before the next record if that is not what it
	// holds: nothing is touched before there is something to add. Else it is nil.
	whole   []byte
	altered int
}

// OpenJournal reads the records that are there and opens the file for more. Lines that were not
// finished, because the process or the machine died while they were written, and lines that
// have been altered since, are left out of the records, and of the file with the first record that is
// added: what they were about is to be done again.
func OpenJournal[T any](path string) (j *Journal[T], records []T, err error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, Unusable(path, err)
	}
	records, good, bad := parse[T](text)
	j = &Journal[T]{path: path, altered: len(bad)}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte{'\n'}) {
		j.altered-- // one of them was not finished
	}
	if !bytes.Equal(good, text) {
		j.whole = append([]byte{}, good...)
	}
	if err := j.open(); err != nil {
		return nil, nil, Unusable(path, err)
	}
	return j, records, nil
}

// Altered returns how many lines were left out by [OpenJournal] although they had been finished.
func (j *Journal[T]) Altered() int { return j.altered }

// open opens the file at its end.
func (j *Journal[T]) open() (err error) {
	if j.file, err = open(j.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if _, err := j.file.handle.Seek(0, io.SeekEnd); err != nil {
		return errors.Join(err, j.file.Close())
	}
	syncDirectory(filepath.Dir(j.path)) // so that the file itself is there to stay
	return nil
}

// ReadJournal returns the records of a file, in the order they were appended. A line that has
// been altered is an error, unless it is the last, which may not have been finished.
func ReadJournal[T any](path string) ([]T, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, Unusable(path, err)
	}
	records, _, bad := parse[T](text)
	lines := bytes.Count(text, []byte{'\n'})
	if !bytes.HasSuffix(text, []byte{'\n'}) {
		lines++ // one that was not finished
	}
	if len(bad) > 0 && bad[0] < lines {
		return nil, &input.Error{File: path, Line: bad[0], Msg: fmt.Sprintf("line %d has been altered since it was written: repeat the run, which computes it again", bad[0])}
	}
	return records, nil
}

// parse returns the records of a file, the lines that hold them, and the numbers of the lines
// that hold something else.
func parse[T any](text []byte) (records []T, good []byte, bad []int) {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		var r T
		body, intact := check(line)
		if !intact || json.Unmarshal(append(bytes.Clone(body), '}'), &r) != nil {
			bad = append(bad, number)
			continue
		}
		records, good = append(records, r), append(good, line...)
	}
	return records, good, bad
}

// SumKey is the key of checksums, which no record has.
const SumKey = "check"

// A line is a JSON object whose last key is its checksum: the first half of the SHA-256 of all
// that stands before, in hexadecimal digits.
const (
	beforeSum = `,"` + SumKey + `":"`
	afterSum  = `"}`
	sumBytes  = 16
)

// JournalText returns the text of a journal of some records, each of which is an object with a key at least.
func JournalText[T any](records ...T) (text []byte, err error) {
	for _, r := range records {
		body, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		body, ok := bytes.CutSuffix(body, []byte("}"))
		if !ok || len(body) < 2 {
			return nil, fmt.Errorf("journal: a record must be an object with a key, not %s", body)
		}
		text = fmt.Appendf(append(text, body...), "%s%s%s\n", beforeSum, sum(body), afterSum)
	}
	return text, nil
}

func sum(body []byte) string {
	all := sha256.Sum256(body)
	return hex.EncodeToString(all[:sumBytes])
}

// check returns what stands before the checksum of a line, if it has one, and whether
// that is right.
func check(line []byte) (body []byte, intact bool) {
	at := len(line) - len(beforeSum) - 2*sumBytes - len(afterSum) - 1
	if at < 0 {
		return nil, false
	}
	return line[:at], string(line[at:]) == beforeSum+sum(line[:at])+afterSum+"\n"
}

// Append puts a record on disk: when it returns, the record outlives the process
// and the machine's power.
func (j *Journal[T]) Append(r T) error {
	line, err := JournalText(r)
	if err != nil {
		return err
	}
	if j.whole != nil {
		if err := errors.Join(j.file.Close(), WriteBytes(j.path, j.whole), j.open()); err != nil {
			return err
		}
		j.whole = nil
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	return j.file.Sync()
}

// Close closes the file.
func (j *Journal[T]) Close() error { return j.file.Close() }
