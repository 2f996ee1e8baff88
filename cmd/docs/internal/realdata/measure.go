package realdata

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
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

// A learning is a set in a directory of its own.
type learning struct {
	Measurement
	set   Set
	dir   string
	known target
}

// measure learns by sparse with confidence, asks compare for advice, and learns by
// every method with its own number of edges and with the number asked for.
func (l *learning) measure(ctx context.Context) (Record, error) {
	r := Record{Set: l.set.Name, Asked: l.set.edges, Chance: l.known.chance()}
	if l.known.truth != nil {
		r.Asked = l.known.truth.EdgeCount()
	}
	sparse, err := l.method(ctx, "sparse", r.Asked, "--summary", "summary.json")
	if err != nil {
		return r, err
	}
	r.Methods = append(r.Methods, sparse)
	if sparse.Edges > 0 {
		if err := l.readSummary(&r); err != nil {
			return r, err
		}
		if err := l.countSure(&r); err != nil {
			return r, err
		}
	}
	compared, err := l.compare(ctx, &r)
	if err != nil {
		return r, err
	}
	for _, name := range compared {
		if name == "sparse" {
			continue
		}
		scores, err := l.method(ctx, name, r.Asked)
		if err != nil {
			return r, err
		}
		r.Methods = append(r.Methods, scores)
	}
	return r, nil
}

// method learns by a method with its own number of edges, and with the one asked for.
func (l *learning) method(ctx context.Context, name string, asked int, extra ...string) (Scores, error) {
	s := Scores{Method: name}
	begin := time.Now()
	own, err := l.run(ctx, "learn", name+".csv", append([]string{"--method", name}, extra...)...)
	if err != nil || !own.made {
		s.Failed = "no graph"
		return s, err
	}
	s.Seconds = time.Since(begin).Seconds()
	g, err := l.graph(name + ".csv")
	if err != nil {
		return s, err
	}
	s.Edges = g.EdgeCount()
	if s.Own, err = l.known.score(g); err != nil {
		return s, err
	}
	cut, err := l.run(ctx, "learn", "asked.csv", "--method", name, "--edges", strconv.Itoa(asked), "--confidence", "no")
	s.Interrupted = own.interrupted || cut.interrupted
	if err != nil || !cut.made {
		s.Failed = fmt.Sprintf("no graph of %d edges", asked)
		return s, err
	}
	if g, err = l.graph("asked.csv"); err != nil {
		return s, err
	}
	s.Asked, err = l.known.score(g)
	return s, err
}

func (l *learning) graph(name string) (*graph.Graph, error) {
	return dataio.ReadGraph(filepath.Join(l.dir, name), l.known.names)
}

func (l *learning) readSummary(r *Record) error {
	var summary struct {
		Vertices int                     `json:"vertices"`
		Signals  int                     `json:"signals"`
		Kernels  []struct{ Name string } `json:"kernels"`
		Sparsity int                     `json:"sparsity"`
		Fit      struct {
			Structure  bool     `json:"structure"`
			Prediction *float64 `json:"prediction"`
		} `json:"fit"`
		Preparation struct{ Sentence string }
	}
	if err := l.readJSON("summary.json", &summary); err != nil {
		return err
	}
	r.Structure = summary.Fit.Structure
	r.Vertices, r.Signals, r.Sparsity, r.Prediction = summary.Vertices, summary.Signals, summary.Sparsity, summary.Fit.Prediction
	r.Prepared = summary.Preparation.Sentence
	for _, k := range summary.Kernels {
		r.Kernels = append(r.Kernels, k.Name)
	}
	return nil
}

// sureFrom is the confidence from which on the tool is sure of an edge.
const sureFrom = 0.9

// countSure counts the edges that the tool is sure of.
func (l *learning) countSure(r *Record) error {
	g, err := l.graph("sparse.csv")
	if err != nil || g.Confidence() == nil {
		return err
	}
	var sure []graph.Edge
	for k, e := range g.Edges() {
		if g.Confidence()[k] >= sureFrom {
			sure = append(sure, e)
		}
	}
	r.Sure, r.SureTrue = new(len(sure)), l.known.right(sure)
	return nil
}

// compare asks which method to take and returns those that were compared. The
// truth is not there to be seen.
func (l *learning) compare(ctx context.Context, r *Record) ([]string, error) {
	var args []string
	if l.set.Methods != nil {
		args = append(args, "--methods", strings.Join(l.set.Methods, ","))
	}
	done, err := l.run(ctx, "compare", "comparison.json", args...)
	if err != nil || !done.made {
		return nil, err
	}
	var comparison struct {
		Methods        []struct{ Method, Error string }
		Recommendation *struct{ Method string }
	}
	if err := l.readJSON("comparison.json", &comparison); err != nil {
		return nil, err
	}
	r.Interrupted = done.interrupted
	if comparison.Recommendation != nil {
		r.Recommended = comparison.Recommendation.Method
	}
	var names []string
	for _, c := range comparison.Methods {
		if c.Error == "" {
			names = append(names, c.Method)
		}
	}
	return names, nil
}

func (l *learning) readJSON(name string, to any) error {
	text, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
