package solver

import (
	"math"
	"testing"
)

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

func TestGradientErrorHasSlopeTwo(t *testing.T) {
	f := func(x []float64) float64 { return math.Exp(x[0]) * math.Sin(x[1]) }
	x := []float64{0.3, 0.7}
	g := []float64{math.Exp(.3) * math.Sin(.7), math.Exp(.3) * math.Cos(.7)}
	ratio := GradientError(f, x, g, 1e-2) / GradientError(f, x, g, 1e-3)
	if math.Abs(ratio-100) > 1 {
		t.Errorf("error fell by %g for a ten times smaller step, want 100", ratio)
	}
	if x[0] != 0.3 || x[1] != 0.7 {
		t.Error("x was not restored")
	}
	g[0] *= -1
	if e := GradientError(f, x, g, 1e-5); e < 0.5 {
		t.Errorf("a wrong sign gives error %g, want a large one", e)
	}
}

func TestShapeErrorNamesNumbers(t *testing.T) {
	err := &ShapeError{Op: "sparse.OMP", What: "signal length", Got: 4, Want: 3}
	if got, want := err.Error(), "sparse.OMP: signal length: got 4, want 3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
