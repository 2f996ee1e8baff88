package optimise

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
