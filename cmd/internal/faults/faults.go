// Package faults tells people of a fault of the program: one sentence for them, and a file for whoever mends it.
package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/build"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/signals"
)

// Tracker is where faults are reported.
const Tracker = "https://github.com/nervure/nervure/issues"

// FolderVariable is the environment variable that names the folder for reports, where it is not the current one.
const FolderVariable = "NERVURE_FAULT_FOLDER"

// Prefix is how the names of reports begin.
const Prefix = "nervure-fault-"

// A Case is what is known of a run that may have a fault. All of it may be missing.
type Case struct {
	Command []string      // the arguments of the program
	Run     *document.Run // what was asked for
	Signals *signals.Set  // of which the report has the shape, and no value
}

// A told fault has its sentence, which says where the report is.
type told struct {
	sentence string
	fault    *guard.Fault
}

func (t *told) Error() string { return t.sentence }
func (t *told) Unwrap() error { return t.fault }

// Told returns an error as it is to be told: if there are faults of the program in it, they are one sentence, and
// their report has been written.
func (c *Case) Told(err error) error {
	found, rest := guard.Split(err)
	if len(found) == 0 {
		return err
	}
	what := "please report it at " + Tracker
	if path, err := c.write(found); err == nil {
		what = fmt.Sprintf("please send %s, which has no values of your signals, to %s", path, Tracker)
	}
	return errors.Join(&told{guard.Sentence(found) + ": " + what, found[0]}, rest)
}

// write writes the report to the first folder that takes it.
func (c *Case) write(found []*guard.Fault) (path string, err error) {
	folders := []string{"", os.TempDir()}
	if given := os.Getenv(FolderVariable); given != "" {
		folders[0] = given
	}
	now := time.Now()
	for _, folder := range folders {
		if path, err = create(folder, now, func(w io.Writer) error { return c.report(w, now, found) }); err == nil {
			return path, nil
		}
	}
	return "", err
}

// mostInASecond is how many reports of a second have names.
const mostInASecond = 1000

// create writes a file of a name that there is not.
func create(folder string, now time.Time, write func(io.Writer) error) (path string, err error) {
	for number := 1; ; number++ {
		path = filepath.Join(folder, Prefix+now.Format("20060102-150405"))
		if number > 1 {
			path += fmt.Sprintf("-%d", number)
		}
		path += ".txt"
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && number < mostInASecond {
			continue
		}
		if err != nil {
			return "", err
		}
		return path, errors.Join(write(f), f.Close())
	}
}

// secrets are what an address may have before its host.
var secrets = regexp.MustCompile(`://[^/@\s]*@`)

// report writes what is known of the faults.
func (c *Case) report(w io.Writer, now time.Time, found []*guard.Fault) error {
	var b strings.Builder
	program := build.Read()
	fmt.Fprintf(&b, `%s.
This file says where. It has no values of signals; it has the names of files, which you can change.
Please send it to %s.

time      %s
version   %s, commit %s, modified %t
built by  %s for %s/%s, %s kernels
command   nervure %s
`, guard.Sentence(found), Tracker, now.Format(time.RFC3339), program.Version, program.Revision, program.Modified,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, linalg.Kernels(), secrets.ReplaceAllString(strings.Join(c.Command, " "), "://…@"))
	if c.Run != nil {
		text, err := json.MarshalIndent(c.Run, "", "  ")
		fmt.Fprintf(&b, "run       %s\n", text)
		if err != nil {
			fmt.Fprintf(&b, "run       %s\n", err)
		}
	}
	if c.Signals != nil {
		if err := guard.Run("", func() error { fmt.Fprintf(&b, "signals   %s\n", shape(c.Signals)); return nil }); err != nil {
			b.WriteString("signals   of no shape\n")
		}
	}
	for _, f := range found {
		fmt.Fprintf(&b, "\n%s\npanic: %s\n\n%s", guard.Sentence([]*guard.Fault{f}), f.Value, f.Stack)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// shape says how signals look from far.
func shape(s *signals.Set) string {
	n, m := s.Y.Dims()
	missing, constant, copies := 0, 0, 0
	seed, seen := maphash.MakeSeed(), map[uint64]bool{}
	for i := range n {
		var row maphash.Hash
		row.SetSeed(seed)
		values := map[float64]bool{}
		for _, v := range s.Y.RawRowView(i) {
			maphash.WriteComparable(&row, math.Float64bits(v))
			if math.IsNaN(v) {
				missing++
			} else if len(values) < 2 {
				values[v] = true
			}
		}
		if len(values) < 2 {
			constant++
		}
		if seen[row.Sum64()] {
			copies++
		}
		seen[row.Sum64()] = true
	}
	said := fmt.Sprintf("%d vertices × %d; %d values missing; %d vertices do not vary; %d are as others", n, m, missing, constant, copies)
	if s.Times != nil {
		said += "; with times"
	}
	if s.Whole != nil {
		said += fmt.Sprintf("; a sample of %d", s.Whole.Signals)
	}
	return said
}
