// Package signals holds measurements on the vertices of a graph, and the
// questions that every method asks of them: which entries are missing, and which
// vertices can be learned from.
package signals

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/words"
)

// A Set is measurements on the vertices of a graph. Signals are columns, as in
// [maretic2017]; files have them in rows, as data frames do.
type Set struct {
	Y     *mat.Dense // N×M: vertices in rows, each signal a column; NaN where a value is missing
	Names []string   // of the vertices, distinct; nil means v0, v1, …

	Times []time.Time // of the observations, one for each column, ascending; nil if not known

	// Labels are columns of a table that say something else about the observations, such as whose they are,
	// by name: those that a reader was asked for.
	Labels map[string][]string

	Dropped int      // observations that a reader dropped because all values were missing
	Notes   []string // assumptions of a reader that are worth a look

	Whole *Whole // what Y is a sample of; nil if Y is all there is
}

// OnVertices returns the set with its rows in the order of the given names. A set
// without names is taken to be in that order already. Names that are not those of
// the set, in any order, are an [*input.Error].
func (s *Set) OnVertices(op string, names []string) (*Set, error) {
	if s == nil || s.Y == nil {
		return nil, input.Errorf(op, input.Signals, "got none")
	}
	n, _ := s.Y.Dims()
	if n != len(names) {
		return nil, input.Errorf(op, input.Vertices, "got signals on %d, want %d", n, len(names))
	}
	if s.Names == nil || slices.Equal(s.Names, names) {
		return s, nil
	}
	row := make(map[string]int, n)
	for i, name := range s.Names {
		row[name] = i
	}
	order := make([]int, n)
	for k, name := range names {
		i, ok := row[name]
		if !ok {
			return nil, input.Errorf(op, input.Names, "the signals have no vertex %q", name)
		}
		order[k] = i
	}
	moved := *s
	moved.Y, moved.Names = matrix.Rows(s.Y, order), slices.Clone(names)
	return &moved, nil
}

// A Whole is signals of which only some are in memory.
type Whole struct {
	Signals int   // how many there are
	Chosen  []int // which of them were sampled, in ascending order
	// Read lists the signals that Blocks hands out, in ascending order; nil means all. A file of columns is not
	// read row by row if it is larger than memory: then some of those sampled, and some others.
	Read []int
	// Blocks hands out signals in their order, each time some of them as columns,
	// which belong to the caller until the next.
	Blocks func() iter.Seq2[*mat.Dense, error]
}

// At returns which of all signals is handed out at a place by Blocks.
func (w *Whole) At(place int) int {
	if w.Read == nil {
		return place
	}
	return w.Read[place]
}

// sampleFrom is the number of values from which on signals may be sampled: 128 MiB.
const sampleFrom = 1 << 24

// WorthSampling reports whether it is enough to learn from that many signals of vertices
// with all of those: there are more than memory is to be spent on, and at least twice
// as many as are taken.
func WorthSampling(vertices, all, some int) bool {
	return vertices*all > sampleFrom && all >= 2*some
}

const (
	usualSample   = 20_000
	leastSample   = 1000
	sampledValues = 1 << 26 // 512 MiB, of which there are a few copies while a graph is learned

	// SampledAll is the most vertices with which a sample of usual size is taken.
	SampledAll = sampledValues / usualSample
)

// SampleSize returns how many signals are enough to learn from with that many vertices: 20,000, or fewer with more
// than [SampledAll] vertices, so that a sample of them has at most 512 MiB, but not fewer than 1,000.
func SampleSize(vertices int) int {
	return min(usualSample, max(leastSample, sampledValues/max(vertices, 1)))
}

// Sample chooses some signals of all, one at random from each of as many equal parts:
// so they are from all times, and none are at equal distances. The same numbers give
// the same choice.
func Sample(all, some int) []int {
	draw := rng.Stream(1, "sample of signals", all, some)
	chosen := make([]int, some)
	for k := range chosen {
		low, high := k*all/some, (k+1)*all/some
		chosen[k] = low + draw.IntN(high-low)
	}
	return chosen
}

// A Finding is something to know about signals before anything is learned from
// them.
type Finding struct {
	Kind     FindingKind
	Sentence string // without a capital and a full stop
}

// A FindingKind says what a finding is about, so that a program can say what to do.
type FindingKind string

// The kinds of findings.
const (
	SingleSignal  FindingKind = "single signal"  // nothing can be learned; vertices may have been taken for signals
	FewSignals    FindingKind = "few signals"    // fewer than vertices, which may have been taken for signals
	MissingValues FindingKind = "missing values" // some are
	TimeGaps      FindingKind = "gaps in time"   // observations of a regular grid are missing
	UnevenTimes   FindingKind = "uneven times"   // there is no regular grid; resampling makes one
)

// Findings returns what there is to know about the signals.
func (s *Set) Findings() []Finding {
	var list []Finding
	add := func(kind FindingKind, format string, args ...any) {
		list = append(list, Finding{kind, fmt.Sprintf(format, args...)})
	}
	n, m := s.Y.Dims()
	if s.Whole != nil {
		m = s.Whole.Signals
	}
	if m < n {
		kind := FewSignals
		if m == 1 {
			kind = SingleSignal
		}
		add(kind, "%s and %s", words.Plural(n, "vertex"), words.Plural(m, "signal"))
	}
	if missing := matrix.Missing(s.Y); missing > 0 {
		add(MissingValues, "%d of %s missing", missing, words.Plural(n*m, "value"))
	}
	switch sp := s.Spacing(); {
	case s.Whole != nil: // a sample is uneven by itself
	case sp.Uneven:
		add(UnevenTimes, "the times of the observations are uneven, with steps from %s to %s", words.Span(sp.Least), words.Span(sp.Most))
	case sp.Gaps > 0:
		add(TimeGaps, "observations are missing: the times are %s apart, but for %s, the longest after %s",
			words.Span(sp.Step), words.Plural(sp.Gaps, "gap"), words.Time(sp.LongestGap))
	}
	return list
}
