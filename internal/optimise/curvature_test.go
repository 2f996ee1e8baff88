package optimise

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// counting counts the evaluations of an objective.
func counting(f Objective) (counted Objective, count *int) {
	count = new(int)
	return func(w, grad []float64) float64 {
		*count++
		return f(w, grad)
	}, count
}

// Where the second derivatives are all there is, the first step is the last.
func TestCurvatureOfASeparableQuadraticIsOneStep(t *testing.T) {
	diagonal, at := []float64{1e-3, 1, 1e4}, []float64{5, 2, 0.1}
	f, count := counting(func(w, grad []float64) (value float64) {
		for i, c := range diagonal {
			d := w[i] - at[i]
			grad[i] = c * d
			value += c * d * d / 2
		}
		return value
	})
	q := NewQuasiNewton(3, f)
	q.Curvature = diagonal
	w := start(3)
	q.Minimise(t.Context(), w, Limits{Steps: 1, Enough: math.Inf(-1)})
	if floats.Distance(w, at, math.Inf(1)) > 1e-12 || *count != 2 {
		t.Errorf("after %d evaluations at %v, want %v", *count, w, at)
	}
}

// Going on from where steps ended is the same as never having ended, and does not evaluate there
// again.
func TestResumingIsGoingOn(t *testing.T) {
	const n, steps = 30, 12
	q := newQuadratic(n)
	stop := func(steps int) Limits { return Limits{Steps: steps, Enough: math.Inf(-1)} }
	run := func(again bool, parts ...int) (w []float64, value float64, count int) {
		f, counted := counting(q.value)
		newton := NewQuasiNewton(n, f)
		w = start(n)
		value = newton.Minimise(t.Context(), w, stop(parts[0]))
		for _, part := range parts[1:] {
			if again {
				value = newton.Minimise(t.Context(), w, stop(part))
			} else {
				value = newton.Resume(t.Context(), w, value, stop(part))
			}
		}
		return w, value, *counted
	}
	want, least, once := run(false, 2*steps)
	for name, c := range map[string]struct {
		again bool
		more  int // evaluations
	}{"resumed": {false, 0}, "begun again": {true, 1}} {
		w, value, count := run(c.again, steps, steps)
		if !slices.Equal(w, want) || value != least || count != once+c.more {
			t.Errorf("%s: %g after %d evaluations, want %g after %d", name, value, count, least, once+c.more)
		}
	}
}
