package records

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nervure/nervure/graph"
)

// A Job is something to measure: Record is what is known of it beforehand, Measure returns it whole,
// and what came of it as a sentence.
type Job[R any] struct {
	Name    string
	Record  R
	Measure func(ctx context.Context) (R, string, error)
}

// A Work is jobs whose records are kept in a file, where others stay; in none if Path is empty.
type Work[R any] struct {
	Path    string
	Missing bool // leaves out what has a record already
	Log     io.Writer
	Check   func(R) error
	Order   func(a, b R) int
}

// Do does the jobs one after another, and says what came of each.
func (w Work[R]) Do(ctx context.Context, jobs []Job[R]) error {
	done, err := Read(w.Path, w.Check) // none if the path is empty
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if w.Missing && slices.ContainsFunc(done, func(r R) bool { return w.Order(r, j.Record) == 0 }) {
			continue
		}
		r, sentence, err := j.Measure(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", j.Name, err)
		}
		fmt.Fprintln(w.Log, sentence)
		if w.Path == "" {
			continue
		}
		if err := Keep(w.Path, r, w.Check, w.Order); err != nil {
			return err
		}
	}
	return nil
}

// HasAll reports whether words have all of those in one of some lists, such as "N=100 grid"; no list
// asks for everything.
func HasAll(words, lists []string) bool {
	return lists == nil || slices.ContainsFunc(lists, func(list string) bool {
		return !slices.ContainsFunc(strings.Fields(list), func(word string) bool { return !slices.Contains(words, word) })
	})
}

// A Target is what is known about a graph.
type Target interface {
	Edges() int                   // the true ones; zero if only groups are known
	Right(edges []graph.Edge) int // how many are true, or inside a group
}

// A Truth is a known graph.
type Truth struct{ *graph.Graph }

// Edges returns how many edges the graph has.
func (t Truth) Edges() int { return t.EdgeCount() }

// Right returns how many of some edges the graph has.
func (t Truth) Right(edges []graph.Edge) (count int) {
	for _, e := range edges {
		if t.HasEdge(e.I, e.J) {
			count++
		}
	}
	return count
}
