package measure

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/cmd/internal/experiment"
)

// trialStages have a cell for each trial.
func trialStages(o Options) ([]experiment.Stage, error) {
	var list []Cell
	for _, t := range Trials() {
		list = append(list, cell(func(ctx context.Context, _ uint64) (Values, error) { return t.run(ctx, o) }, experiment.Text("trial", t.Name)))
	}
	return []experiment.Stage{{Name: experiment.Measuring, Seeds: once, Cells: list}}, nil
}

// run runs a trial. A test that fails counts as a fault. What was tried too seldom, because something that it
// needs is missing, is no record.
func (t Trial) run(ctx context.Context, o Options) (Values, error) {
	var c count
	date := time.Now().UTC().Format(time.DateOnly)
	for _, args := range t.Tests {
		if err := c.test(ctx, o, args); err != nil {
			c.faults = max(c.faults, 1)
			fmt.Fprintln(o.Log, err)
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if c.tried < t.Least {
		return nil, fmt.Errorf("tried %d times, want at least %d", c.tried, t.Least)
	}
	return Values{"date": date, "tried": float64(c.tried), "faults": float64(c.faults), "notes": strings.Join(c.notes, "; ")}, nil
}

// A count is what tests count.
type count struct {
	tried, faults int
	notes         []string
}

// test runs go test and adds what its tests count.
func (c *count) test(ctx context.Context, o Options, args []string) error {
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json", "-count", "1", "-timeout", "0"}, args...)...)
	cmd.Dir, cmd.Stderr = o.Root, o.Log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	read := c.read(out, o.Log)
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil {
		return err
	}
	return read
}

// An event is a line of what go test -json prints.
type event struct{ Action, Test, Key, Value, Output string }

// read adds up what tests count, and shows what they print.
func (c *count) read(lines io.Reader, show io.Writer) error {
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
		if err := c.add(e.Key, e.Value); err != nil {
			return fmt.Errorf("%s: %w", e.Test, err)
		}
	}
	return scanner.Err()
}

func (c *count) add(key, value string) error {
	total := map[string]*int{"tried": &c.tried, "faults": &c.faults}[key]
	if total == nil {
		if key == "note" {
			c.notes = append(c.notes, value)
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
