package method

import "time"

// A Clock estimates from the steps of a method how long it will take. Times are since
// learning began. Estimates need not be right to more than a factor of two.
type Clock interface {
	// Follow takes in a step.
	Follow(s Step, now time.Duration)
	// Pruning reports whether the method is at the part of its work that takes edges away, which
	// comes last and is told apart.
	Pruning() bool
	// Left estimates the rest of the part that it is at; ok is false if nothing is known yet.
	Left(now time.Duration) (left time.Duration, ok bool)
	// Expected estimates a part that has not begun.
	Expected(p Part, now time.Duration) (whole time.Duration, ok bool)
}

// A Part is a part of a run whose time follows from that of learning.
type Part int

// The parts.
const (
	PruningPart    Part = iota // of methods that have it; zero for others
	StructurePart              // the structure test
	ConfidencePart             // the confidence of the edges
)

// A Size is what the time of a run depends on.
type Size struct {
	Vertices, Signals, Threads int
	Halves                     int           // of the signals that the confidence of a method with codes is learned from
	Choosing                   time.Duration // that it took to choose the method; zero if it was given
}

// Timed is implemented by methods that can tell how long they take.
type Timed interface {
	Clock(size Size) Clock
}

// Rest is what is left of a part that is expected to take so long in all. One that takes longer
// goes on for a while.
func Rest(whole, spent time.Duration) time.Duration { return max(whole-spent, spent/10) }
