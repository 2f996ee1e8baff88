package realdata

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/signals"
)

// A Measurement says what to measure, and how.
type Measurement struct {
	Tool  string        // the program
	Data  string        // a directory with one for each set
	Sets  []string      // by their names; nil means all
	Limit time.Duration // a command is interrupted after so long, and what it has by then counts
	Log   io.Writer
}

// Measure runs the tool on sets of real data, with its own choices, and writes what
// came of each to a file of records as soon as it is there. Records of other sets
// stay.
func (m Measurement) Measure(ctx context.Context, results string) error {
	names := m.Sets
	if names == nil {
		for _, s := range Sets {
			names = append(names, s.Name)
		}
	}
	for _, name := range names {
		set, known := SetNamed(name)
		if !known {
			return fmt.Errorf("there is no set %q", name)
		}
		r, err := m.set(ctx, set)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := keep(results, r); err != nil {
			return err
		}
		auto := r.Methods[0]
		fmt.Fprintf(m.Log, "%s: %s %.3f with %d edges, %.3f with %d; recommended: %s\n", name, r.Chosen, auto.Own, auto.Edges, auto.Asked, r.Asked, r.Recommended)
	}
	return nil
}

// set measures one set, in a directory of its own.
func (m Measurement) set(ctx context.Context, set Set) (Record, error) {
	dir, err := os.MkdirTemp("", "nervure-realdata-")
	if err != nil {
		return Record{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	_, known, err := set.read(filepath.Join(m.Data, set.Name), dir)
	if err != nil {
		return Record{}, err
	}
	l := &learning{Measurement: m, set: set, dir: dir, known: known}
	return l.measure(ctx)
}

// Read returns the signals of a set and what is known about their graph, from a directory
// with one for each set.
func (s Set) Read(data string) (*signals.Set, Target, error) {
	dir, err := os.MkdirTemp("", "nervure-realdata-")
	if err != nil {
		return nil, Target{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return s.read(filepath.Join(data, s.Name), dir)
}

// ReadPlain returns the signals in a file of a directory, and the graph whose edges stand in
// truth_edges.csv there.
func ReadPlain(dir, file string) (*signals.Set, Target, error) {
	y, err := dataio.ReadSignals(filepath.Join(dir, file), dataio.ReadOptions{})
	if err != nil {
		return nil, Target{}, err
	}
	known, err := readTarget(Set{lightest: math.Inf(-1)}, dir, y.Names)
	return y, known, err
}

// read is Read from the set's own directory; to is where its signals are copied.
func (s Set) read(from, to string) (*signals.Set, Target, error) {
	y, err := copySignals(from, to, s)
	if err != nil {
		return nil, Target{}, err
	}
	known, err := readTarget(s, from, y.Names)
	return y, known, err
}

// copySignals copies the signals of a set, as many as it takes, and returns them.
func copySignals(from, to string, set Set) (*signals.Set, error) {
	content, err := os.ReadFile(filepath.Join(from, set.signals()))
	if err != nil {
		return nil, err
	}
	if set.rows > 0 {
		lines := bytes.SplitAfter(content, []byte("\n"))
		content = bytes.Join(lines[:set.rows+1], nil) // and the header
	}
	path := filepath.Join(to, set.signals())
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return nil, err
	}
	return dataio.ReadSignals(path, dataio.ReadOptions{})
}

// An outcome is how a command of the tool ended.
type outcome struct {
	made        bool // it wrote its file, which it may when it is interrupted too
	interrupted bool
}

// run runs the tool on the signals, with what a user would say about them. It is an
// error if ctx ends.
func (l *learning) run(ctx context.Context, command, out string, args ...string) (outcome, error) {
	path := filepath.Join(l.dir, out)
	if err := os.RemoveAll(path); err != nil { // of an earlier command
		return outcome{}, err
	}
	limited, cancel := context.WithTimeout(ctx, l.Limit)
	defer cancel()
	args = slices.Concat([]string{command, l.set.signals()}, l.set.Flags, args, []string{"--out", out, "--quiet"})
	cmd := exec.CommandContext(limited, l.Tool, args...)
	cmd.Dir = l.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	words, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return outcome{}, ctx.Err()
	}
	if err != nil {
		fmt.Fprintf(l.Log, "%s: nervure %s: %s", l.set.Name, strings.Join(args, " "), words)
	}
	_, none := os.Stat(path)
	return outcome{made: none == nil, interrupted: limited.Err() != nil}, nil
}
