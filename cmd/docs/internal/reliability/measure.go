package reliability

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/nervure/nervure/cmd/docs/internal/records"
)

// A Measurement repeats trials.
type Measurement struct {
	Root   string   // of the checkout
	Trials []string // their names; all if there are none
	Log    io.Writer
}

// Measure runs the trials one after another. What a trial counts is kept as soon as it is
// done.
func (m Measurement) Measure(ctx context.Context) error {
	trials := Trials()
	for _, name := range m.Trials {
		if !slices.ContainsFunc(trials, func(t Trial) bool { return t.Name == name }) {
			return fmt.Errorf("there is no trial %q", name)
		}
	}
	var faults []error
	for _, t := range trials {
		if len(m.Trials) > 0 && !slices.Contains(m.Trials, t.Name) {
			continue
		}
		if err := m.repeat(ctx, t); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", t.Name, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(faults...)
}

// repeat runs a trial. A test that fails counts as a fault. What was tried too seldom,
// because something that it needs is missing, is not kept.
func (m Measurement) repeat(ctx context.Context, t Trial) error {
	fmt.Fprintf(m.Log, "%s: %s\n", t.Name, t.Title)
	start := time.Now()
	r := Record{Trial: t.Name, Date: start.UTC().Format(time.DateOnly)}
	var failures []error
	for _, args := range t.Tests {
		failures = append(failures, m.test(ctx, args, &r))
	}
	failed := errors.Join(failures...)
	if failed != nil {
		r.Faults = max(r.Faults, 1)
	}
	took := time.Since(start).Round(time.Second)
	r.Seconds = took.Seconds()
	fmt.Fprintf(m.Log, "%s: %d tried, %d faults in %s\n", t.Name, r.Tried, r.Faults, took)
	if r.Tried < t.Least {
		return errors.Join(failed, fmt.Errorf("tried %d times, want at least %d", r.Tried, t.Least))
	}
	return errors.Join(failed, keep(filepath.Join(m.Root, Results), r))
}

// test runs go test and adds what its tests count to r.
func (m Measurement) test(ctx context.Context, args []string, r *Record) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", "-count", "1", "-timeout", "0"}, args...)...)
	cmd.Dir, cmd.Stderr = m.Root, m.Log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	read := r.read(out, m.Log)
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		return err
	}
	return read
}

// An event is a line of what go test -json prints.
type event struct{ Action, Test, Key, Value, Output string }

// read adds what tests count to the record, and shows what they print.
func (r *Record) read(lines io.Reader, show io.Writer) error {
	scanner := bufio.NewScanner(lines)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var e event
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return fmt.Errorf("go test printed %q: %w", scanner.Text(), err)
		}
		if e.Action == "output" {
			_, _ = io.WriteString(show, e.Output)
		}
		if e.Action != "attr" {
			continue
		}
		if err := r.count(e.Key, e.Value); err != nil {
			return fmt.Errorf("%s: %w", e.Test, err)
		}
	}
	return scanner.Err()
}

func (r *Record) count(key, value string) error {
	total := map[string]*int{"tried": &r.Tried, "faults": &r.Faults}[key]
	if total == nil {
		if key == "note" {
			r.Notes = append(r.Notes, value)
		}
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	*total += n
	return nil
}

// Results is the file of records in the repository: a line of JSON for each.
const Results = "docs/results/reliability.jsonl"

// A Record is what a trial counted.
type Record struct {
	Trial   string   `json:"trial"`
	Date    string   `json:"date"`
	Tried   int      `json:"tried"`
	Faults  int      `json:"faults"`
	Seconds float64  `json:"seconds"`
	Notes   []string `json:"notes,omitempty"`
}

// ReadRecords reads a file of records, in the order of the trials; none if it does not
// exist yet.
func ReadRecords(path string) ([]Record, error) {
	return records.Read(path, Record.check)
}

func (r Record) check() error {
	if place(r) < 0 {
		return fmt.Errorf("there is no trial %q", r.Trial)
	}
	return nil
}

// place is that of a record among the trials.
func place(r Record) int {
	return slices.IndexFunc(Trials(), func(t Trial) bool { return t.Name == r.Trial })
}

// keep puts a record into a file of records, in the place of the one of the same trial.
func keep(path string, r Record) error {
	return records.Keep(path, r, Record.check, func(a, b Record) int { return cmp.Compare(place(a), place(b)) })
}
