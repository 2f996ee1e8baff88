package optimise

import "testing"

func TestStallWaitsForPatience(t *testing.T) {
	s := Stall{Tolerance: 0.1, Patience: 2}
	for i, step := range []struct {
		value float64
		done  bool
	}{{10, false}, {8, false}, {7.9, false}, {5, false}, {4.9, false}, {4.8, true}} {
		if got := s.Done(step.value); got != step.done {
			t.Fatalf("value %d (%g): done = %v, want %v", i, step.value, got, step.done)
		}
	}
}

func TestStallZeroValueStopsAtFirstNonImprovement(t *testing.T) {
	var s Stall
	if s.Done(3) || s.Done(2) || !s.Done(2) {
		t.Fatal("the zero Stall must stop exactly at the first value that does not improve")
	}
}
