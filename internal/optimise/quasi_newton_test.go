package optimise

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// quadratic is ½wᵀHw − bᵀw with a positive definite H.
type quadratic struct {
	h *mat.SymDense
	b *mat.VecDense
}

func newQuadratic(n int) quadratic {
	r := rand.New(rand.NewPCG(1, 2))
	a := mat.NewDense(n, n, nil)
	a.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, a)
	q := quadratic{mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)}
	q.h.SymOuterK(1, a)
	for i := range n {
		q.h.SetSym(i, i, q.h.At(i, i)+0.1)
		q.b.SetVec(i, r.NormFloat64())
	}
	return q
}

func (q quadratic) value(w, grad []float64) float64 {
	n := len(w)
	x, g := mat.NewVecDense(n, w), mat.NewVecDense(n, grad)
	g.MulVec(q.h, x)
	f := mat.Dot(x, g)/2 - mat.Dot(q.b, x)
	g.SubVec(g, q.b)
	return f
}

func start(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// Optimality is recomputed from the point alone: the gradient is zero where
// w > 0 and not negative where w = 0.
func TestQuasiNewtonMeetsOptimalityConditions(t *testing.T) {
	const n = 30
	q := newQuadratic(n)
	w, grad := start(n), make([]float64, n)
	NewQuasiNewton(n, q.value).Minimise(t.Context(), w, Limits{Steps: 500, Enough: math.Inf(-1)})
	q.value(w, grad)
	held := 0
	for i := range w {
		switch {
		case w[i] < 0:
			t.Errorf("w[%d] = %g is negative", i, w[i])
		case w[i] == 0:
			held++
			if grad[i] < -1e-6 {
				t.Errorf("w[%d] = 0 with derivative %g", i, grad[i])
			}
		case math.Abs(grad[i]) > 1e-6:
			t.Errorf("w[%d] = %g with derivative %g", i, w[i], grad[i])
		}
	}
	if held == 0 || held == n {
		t.Errorf("%d of %d variables are held: the case tests nothing", held, n)
	}
}

func TestQuasiNewtonNeverRises(t *testing.T) {
	const n = 30
	q := newQuadratic(n)
	w, grad := start(n), make([]float64, n)
	last := q.value(w, grad)
	newton := NewQuasiNewton(n, q.value)
	for range 60 {
		f := newton.Minimise(t.Context(), w, Limits{Steps: 1, Enough: math.Inf(-1)})
		if f > last {
			t.Fatalf("the value rose from %g to %g", last, f)
		}
		last = f
	}
}

// The Rosenbrock valley with its minimum (1, 1) inside and, shifted, outside the bounds.
func TestQuasiNewtonFollowsCurvedValley(t *testing.T) {
	rosenbrock := func(shift float64) func(w, grad []float64) float64 {
		return func(w, grad []float64) float64 {
			x, y := w[0]+shift, w[1]
			grad[0] = -2*(1-x) - 400*x*(y-x*x)
			grad[1] = 200 * (y - x*x)
			return (1-x)*(1-x) + 100*(y-x*x)*(y-x*x)
		}
	}
	w := []float64{3, 0.5}
	NewQuasiNewton(2, rosenbrock(0)).Minimise(t.Context(), w, Limits{Steps: 500, Enough: math.Inf(-1)})
	if math.Abs(w[0]-1) > 1e-5 || math.Abs(w[1]-1) > 1e-5 {
		t.Errorf("got %v, want (1, 1)", w)
	}
	w = []float64{3, 0.5} // now the first variable wants to be −1: it is held at 0, where x = 2 and y = 4
	NewQuasiNewton(2, rosenbrock(2)).Minimise(t.Context(), w, Limits{Steps: 500, Enough: math.Inf(-1)})
	if w[0] != 0 || math.Abs(w[1]-4) > 1e-5 {
		t.Errorf("got %v, want (0, 4)", w)
	}
}
