package realdata

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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
		records, err := ReadRecords(results)
		if err != nil {
			return err
		}
		records = append(slices.DeleteFunc(records, func(old Record) bool { return old.Set == name }), r)
		if err := writeRecords(results, records); err != nil {
			return err
		}
		sparse := r.Methods[0]
		fmt.Fprintf(m.Log, "%s: sparse %.3f with %d edges, %.3f with %d; recommended: %s\n", name, sparse.Own, sparse.Edges, sparse.Asked, r.Asked, r.Recommended)
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
	from := filepath.Join(m.Data, set.Name)
	names, err := copySignals(from, dir, set.rows)
	if err != nil {
		return Record{}, err
	}
	known, err := readTarget(set, from, names)
	if err != nil {
		return Record{}, err
	}
	l := &learning{Measurement: m, set: set, dir: dir, known: known}
	return l.measure(ctx)
}

// copySignals copies the first rows of a set's signals, zero meaning all of them,
// and returns the names of the vertices.
func copySignals(from, to string, rows int) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(from, "signals.csv"))
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	if rows > 0 {
		lines = lines[:rows+1] // and the header
	}
	names := strings.Split(strings.TrimSpace(lines[0]), ",")
	return names, os.WriteFile(filepath.Join(to, "signals.csv"), []byte(strings.Join(lines, "")), 0o600)
}
