package dataio

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio/internal/parse"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// dropEmptyObservations leaves out the observations without any value, unless o keeps them, and sorts those
// with times. Vertices without any stay: who learns from them sets them aside. The place of an
// observation in the file comes in words, such as "line 3".
func (o ReadOptions) dropEmptyObservations(s *signals.Set, observation func(m int) string) error {
	empty := withoutValues(s.Y)
	var kept []int
	_, m := s.Y.Dims()
	for k := range m {
		if _, dropped := slices.BinarySearch(empty, k); !dropped {
			kept = append(kept, k)
		}
	}
	if len(kept) == 0 {
		return fault("the table has no values: all cells are empty, or stand for missing values")
	}
	if len(empty) > 0 && !o.KeepObservations {
		s.Y = matrix.Columns(s.Y, kept)
		s.Times = matrix.Pick(s.Times, kept)
		pickLabels(s, kept)
		noteDropped(s, len(empty), observation(empty[0]))
	}
	sortByTime(s)
	return nil
}

// withoutValues returns which observations have no value, in order.
func withoutValues(y *mat.Dense) []int {
	n, m := y.Dims()
	seen := make([]bool, m)
	for i := range n {
		for k, v := range y.RawRowView(i) {
			seen[k] = seen[k] || !math.IsNaN(v)
		}
	}
	return slices.DeleteFunc(matrix.Span(0, m), func(k int) bool { return seen[k] })
}

// noteDropped says how many observations were left out, and where the first was.
func noteDropped(s *signals.Set, observations int, first string) {
	s.Dropped += observations
	if observations == 1 {
		note(&s.Notes, "an observation without values was ignored: %s", first)
		return
	}
	note(&s.Notes, "%d observations without values were ignored, the first: %s", observations, first)
}

// note adds one to a list.
func note(list *[]string, format string, args ...any) {
	*list = append(*list, fmt.Sprintf(format, args...))
}

// oddities are notes on what looks odd about signals, which were read from text
// or not.
func oddities(s *signals.Set, fromText bool) []string {
	var notes []string
	if firstVertexCountsUp(s) {
		note(&notes, "the first vertex, %s, counts up evenly: if it is a time or an index, remove it", quote(s.Names[0]))
	}
	if fromText && firstObservationCountsUp(s) {
		note(&notes, "the first observation counts up by one: if it is a header, leave it out, or give the vertices names that are not numbers")
	}
	return append(notes, noteMissingCodes(s)...)
}

// firstVertexCountsUp reports whether the first vertex rises by equal steps, but for
// rounding, as a time or an index does.
func firstVertexCountsUp(s *signals.Set) bool {
	const enough, rounding = 5, 1e-3 // fewer steps may be equal by chance
	x := s.Y.RawRowView(0)           // a missing value is no step
	step := (x[len(x)-1] - x[0]) / float64(len(x)-1)
	if len(x) < enough || !(step > 0) {
		return false
	}
	for m, v := range x {
		if !(math.Abs(v-x[0]-float64(m)*step) <= rounding*step) {
			return false
		}
	}
	return true
}

// firstObservationCountsUp reports whether the first observation counts up by one, such as 7, 8, 9, …, where most other
// values are not whole numbers: a header that does not look like one. The surest, from 0 or 1 and of years, are read as
// names (see numbersAsNames).
func firstObservationCountsUp(s *signals.Set) bool {
	const enough = 3
	n, m := s.Y.Dims()
	if n < enough || m < 2 || !slices.Equal(s.Names, graph.DefaultNames(n)) {
		return false
	}
	start := s.Y.At(0, 0)
	if start != math.Trunc(start) {
		return false
	}
	whole := 0
	for i := range n {
		row := s.Y.RawRowView(i)
		if row[0] != start+float64(i) {
			return false
		}
		for _, v := range row[1:] {
			if v == math.Trunc(v) {
				whole++
			}
		}
	}
	return whole < n*(m-1)/2
}

// A missingCode is a number that stands for missing values.
type missingCode struct {
	code  float64
	total int    // how often it comes
	first string // the first vertex that has it
}

func (c missingCode) String() string {
	return fmt.Sprintf("the value %s, %s, first at vertex %s", formatNumber(c.code), words.Plural(c.total, "time"), quote(c.first))
}

// findMissingCodes finds codes for missing values: numbers that are usual for it,
// in at least a hundredth of the values of a vertex or of all, and away from the
// other values of the vertex by three times their range.
func findMissingCodes(s *signals.Set) []missingCode {
	const share = 100
	n, m := s.Y.Dims()
	var list []missingCode
	for _, code := range matrix.MissingCodes {
		c, frequent := missingCode{code: code}, false
		for i := range n {
			count := farFromOthers(s.Y.RawRowView(i), code)
			if count > 0 && c.first == "" {
				c.first = s.Names[i]
			}
			c.total += count
			frequent = frequent || count > 0 && share*count >= m
		}
		if c.total > 0 && (frequent || share*c.total >= n*m) {
			list = append(list, c)
		}
	}
	return list
}

func noteMissingCodes(s *signals.Set) []string {
	var notes []string
	for _, c := range findMissingCodes(s) {
		note(&notes, "%s, looks like a code for missing values: replace it with empty cells, unless it is set aside below", c)
	}
	return notes
}

// dropMissingCodes makes codes missing values, and says so: a mean must not hold any.
func dropMissingCodes(s *signals.Set) {
	n, _ := s.Y.Dims()
	for _, c := range findMissingCodes(s) {
		for i := range n {
			row := s.Y.RawRowView(i)
			if farFromOthers(row, c.code) == 0 {
				continue
			}
			for k, v := range row {
				if v == c.code {
					row[k] = math.NaN()
				}
			}
		}
		note(&s.Notes, "%s, is taken for a code for missing values, so that no mean holds it", c)
	}
}

// farFromOthers counts a code among values, if the others are far from it.
func farFromOthers(values []float64, code float64) int {
	const far = 3
	if !slices.Contains(values, code) {
		return 0
	}
	least, most, count, others := math.Inf(1), math.Inf(-1), 0, 0
	for _, v := range values {
		switch {
		case v == code:
			count++
		case !math.IsNaN(v) && !slices.Contains(matrix.MissingCodes, v):
			least, most = min(least, v), max(most, v)
			others++
		}
	}
	if others < 2 || max(least-code, code-most) <= far*(most-least) {
		return 0
	}
	return count
}

// setTimes gives signals the times of their observations, in the order of the file, and
// notes where two are the same, unless they are averaged. Nil times are not known.
func (o ReadOptions) setTimes(s *signals.Set, times []time.Time, observation func(m int) string) {
	s.Times = times
	if times == nil || o.Resample > 0 {
		return
	}
	order := byTime(times)
	equal, first := 0, -1
	for k := 1; k < len(order); k++ {
		if times[order[k]].Equal(times[order[k-1]]) {
			if equal++; first < 0 {
				first = k
			}
		}
	}
	if equal > 0 {
		a, b := order[first-1], order[first]
		note(&s.Notes, "%s and %s have the same time, %s%s",
			observation(a), observation(b), words.Time(times[a]), others(equal-1))
	}
}

// others says how many more there are.
func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", and so has one more"
	}
	return fmt.Sprintf(", and so have %d more", n)
}

// byTime returns the places of times in ascending order; equal ones stay in order.
func byTime(times []time.Time) []int {
	return matrix.Sorted(len(times), func(a, b int) int { return times[a].Compare(times[b]) })
}

// sortByTime puts the observations into the order of their times, with a note if they
// were not.
func sortByTime(s *signals.Set) {
	if s.Times == nil || parse.IsAscending(s.Times) {
		return
	}
	order := byTime(s.Times)
	s.Y = matrix.Columns(s.Y, order)
	s.Times = matrix.Pick(s.Times, order)
	pickLabels(s, order)
	note(&s.Notes, "the observations are not in the order of time and were sorted")
}
