package dataio

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

// settle makes what is missing bearable: a vertex without any value is an error,
// an observation without any is left out, and the rest is counted. The places of
// vertices and observations in the file come in words, such as "column 3".
func (s *Signals) settle(vertex func(i int) *input.Error, observation func(m int) string) error {
	n, m := s.Y.Dims()
	seen := make([]int, m) // values of each observation
	for i := range n {
		values := 0
		for k, v := range s.Y.RawRowView(i) {
			if !math.IsNaN(v) {
				seen[k]++
				values++
			}
		}
		if values == 0 {
			return vertex(i)
		}
	}
	var kept []int
	first := -1 // of those without a value
	for k, values := range seen {
		switch {
		case values > 0:
			kept = append(kept, k)
			s.Missing += n - values
		case first < 0:
			first = k
		}
	}
	if len(kept) == m {
		return nil
	}
	y := mat.NewDense(n, len(kept), nil)
	for i := range n {
		for to, k := range kept {
			y.Set(i, to, s.Y.At(i, k))
		}
	}
	s.Y = y
	s.noteEmpty(m-len(kept), observation(first))
	return nil
}

func (s *Signals) noteEmpty(observations int, first string) {
	s.emptied += observations
	if observations == 1 {
		s.Notes = append(s.Notes, "an observation without any value was left out: "+first)
		return
	}
	s.Notes = append(s.Notes, fmt.Sprintf("%d observations without any value were left out, the first: %s", observations, first))
}

// noValues is the fault of a vertex that has nothing but missing values.
func noValues(place, name string) *input.Error {
	return fault("%s (%s) has no values: leave it out", place, name)
}
