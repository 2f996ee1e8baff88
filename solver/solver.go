// Package solver is the vocabulary every iterative method here shares: how a
// run ends, when progress has stopped, and how a wrong shape is reported.
package solver

import "fmt"

// Status says how a run ended. Not converging is a status, never an error.
type Status string

const (
	// Converged means the method's own optimality or fit test was met.
	Converged Status = "converged"
	// MaxRounds means the allowed number of rounds was used up.
	MaxRounds Status = "max_rounds"
	// Stalled means rounds no longer improved the objective, yet the fit test was not met.
	Stalled Status = "stalled"
	// Interrupted means the context ended; the best answer so far is returned.
	Interrupted Status = "interrupted"
)

// A ShapeError says that an argument has the wrong size.
type ShapeError struct {
	Op   string // package and function, such as "sparse.OMP"
	What string // the size in question, such as "signal length"
	Got  int
	Want int
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("%s: %s: got %d, want %d", e.Op, e.What, e.Got, e.Want)
}

// Stall is a stop rule: it reports when a decreasing quantity has improved by
// less than a relative Tolerance for Patience values in a row.
// The zero value stops at the first value that is not an improvement.
type Stall struct {
	Tolerance float64
	Patience  int // zero means 1

	best    float64
	waiting int
	started bool
}

// Done records value and reports whether progress has stopped.
func (s *Stall) Done(value float64) bool {
	if !s.started {
		s.started, s.best = true, value
		return false
	}
	if value < s.best*(1-s.Tolerance) {
		s.best, s.waiting = value, 0
		return false
	}
	s.best = min(s.best, value)
	s.waiting++
	return s.waiting >= max(s.Patience, 1)
}
