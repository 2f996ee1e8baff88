package optimise

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// scaledQuadratic is a quadratic whose variables have units that differ by up to ten thousand, and
// the second derivatives on its diagonal.
func scaledQuadratic(n int) (q quadratic, diagonal []float64) {
	q = newQuadratic(n)
	unit := func(i int) float64 { return math.Pow(10, 4*float64(i*7%n)/float64(n)) }
	for i := range n {
		for j := i; j < n; j++ {
			q.h.SetSym(i, j, q.h.At(i, j)*unit(i)*unit(j))
		}
		q.b.SetVec(i, q.b.AtVec(i)*unit(i))
		diagonal = append(diagonal, q.h.At(i, i))
	}
	return q, diagonal
}

// counting counts the evaluations of an objective.
func counting(f Objective) (counted Objective, count *int) {
	count = new(int)
	return func(w, grad []float64) float64 {
		*count++
		return f(w, grad)
	}, count
}

// Second derivatives make the way to the minimum shorter, and the minimum is the same.
func TestCurvatureIsAShorterWayToTheSameMinimum(t *testing.T) {
	const n = 30
	for _, unbounded := range []int{0, n} {
		q, diagonal := scaledQuadratic(n)
		minimise := func(curvature []float64) (w []float64, value float64, count int) {
			f, counted := counting(q.value)
			newton := NewQuasiNewton(n, f)
			newton.Unbounded, newton.Curvature = unbounded, curvature
			w = start(n)
			value = newton.Minimise(t.Context(), w, Limits{Steps: 20_000, Enough: math.Inf(-1)})
			return w, value, *counted
		}
		plain, value, without := minimise(nil)
		w, got, with := minimise(diagonal)
		if math.Abs(got-value) > 1e-6*math.Abs(value) {
			t.Errorf("%d unbounded: the minimum is %.12g, without curvature %.12g", unbounded, got, value)
		}
		for i := range w {
			if unit := math.Sqrt(diagonal[i]); math.Abs(w[i]-plain[i])*unit > 1e-3*floats.Norm(w, math.Inf(1))*unit {
				t.Errorf("%d unbounded: variable %d is %g, without curvature %g", unbounded, i, w[i], plain[i])
			}
		}
		if 2*with > without {
			t.Errorf("%d unbounded: %d evaluations, %d without curvature", unbounded, with, without)
		}
	}
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
