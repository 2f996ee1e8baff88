package dataio

import (
	"fmt"
	"math"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// dropEmptyObservations leaves out the observations without any value, with a
// note, and sorts those with times; a vertex without any is an error unless o keeps it. The places of vertices and
// observations in the file come in words, such as "column 3".
func (o ReadOptions) dropEmptyObservations(s *signals.Set, vertex func(i int) *input.Error, observation func(m int) string) error {
	n, m := s.Y.Dims()
	isEmpty := make([]bool, m)
	for k := range isEmpty {
		isEmpty[k] = true
	}
	for i := range n {
		values := 0
		for k, v := range s.Y.RawRowView(i) {
			if !math.IsNaN(v) {
				isEmpty[k] = false
				values++
			}
		}
		if values == 0 && !o.KeepEmpty {
			return vertex(i)
		}
	}
	var kept, empty []int
	for k, e := range isEmpty {
		if e {
			empty = append(empty, k)
		} else {
			kept = append(kept, k)
		}
	}
	if len(kept) == 0 {
		return vertex(0)
	}
	if len(empty) > 0 {
		s.Y = matrix.Columns(s.Y, kept)
		s.Times = matrix.Pick(s.Times, kept)
		noteDropped(s, len(empty), observation(empty[0]))
	}
	sortByTime(s)
	return nil
}

// noteDropped says how many observations were left out, and where the first was.
func noteDropped(s *signals.Set, observations int, first string) {
	s.Dropped += observations
	if observations == 1 {
		s.Notes = append(s.Notes, "an observation without values was ignored: "+first)
		return
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%d observations without values were ignored, the first: %s", observations, first))
}

// noValues is the fault of a vertex that has nothing but missing values.
func noValues(place, name string) *input.Error {
	return fault("%s (%s) has no values: leave it out", place, plainly(name))
}
