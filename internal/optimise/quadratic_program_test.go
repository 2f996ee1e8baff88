package optimise

import (
	"errors"
	"flag"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 900_000, "seed of everything drawn in these tests; any must pass")

// kktFault returns the largest violation of the conditions of optimality, each
// relative to the sizes that meet in it.
func kktFault(q *QuadraticProgram, x, u []float64) float64 {
	n := len(x)
	var hx mat.VecDense
	hx.MulVec(q.Hess, mat.NewVecDense(n, x))
	stationary := append([]float64{}, q.Grad...)
	floats.Add(stationary, hx.RawVector().Data)
	size := floats.Norm(q.Grad, 2) + floats.Norm(hx.RawVector().Data, 2)
	var fault float64
	for i, a := range q.Rows {
		floats.AddScaled(stationary, -u[i], a)
		size += math.Abs(u[i]) * floats.Norm(a, 2)
		slack := floats.Dot(a, x) - q.Bound[i]
		unit := floats.Norm(a, 2)*floats.Norm(x, 2) + math.Abs(q.Bound[i])
		fault = max(fault, -slack/unit, -u[i])
		if u[i] > 0 {
			fault = max(fault, math.Abs(slack)/unit)
		}
	}
	return max(fault, floats.Norm(stationary, 2)/size)
}

// randomQuadratic has a feasible point and often dependent constraints.
func randomQuadratic(k int) *QuadraticProgram {
	r := rng.Stream(*seed, "quadratic", k)
	n := 1 + r.IntN(12)
	half := mat.NewDense(n, n, nil)
	point := make([]float64, n)
	q := &QuadraticProgram{Hess: mat.NewSymDense(n, nil), Grad: make([]float64, n)}
	for i := range n {
		point[i], q.Grad[i] = r.NormFloat64(), 10*r.NormFloat64()
		for j := range n {
			half.Set(i, j, r.NormFloat64())
		}
	}
	q.Hess.SymOuterK(1, half)
	for i := range n {
		q.Hess.SetSym(i, i, q.Hess.At(i, i)+math.Pow(10, -4*r.Float64()))
	}
	for range r.IntN(5 * n) {
		a := make([]float64, n)
		for i := range a {
			a[i] = float64(r.IntN(5) - 2) // small whole numbers make dependent rows
		}
		if floats.Norm(a, 2) == 0 {
			continue
		}
		q.Rows, q.Bound = append(q.Rows, a), append(q.Bound, floats.Dot(a, point)-max(0, r.NormFloat64()))
	}
	return q
}

func TestQuadraticMeetsOptimalityConditions(t *testing.T) {
	for k := range 60 {
		q := randomQuadratic(k)
		x, u, err := q.Minimise()
		if err != nil {
			t.Errorf("problem %d: %v", k, err)
		} else if fault := kktFault(q, x, u); fault > 1e-9 {
			t.Errorf("problem %d, %d variables, %d constraints: off by %g", k, len(x), len(u), fault)
		}
	}
}

// The answer is that of scipy.optimize.minimize 1.17.1, method SLSQP with
// ftol = 1e-15, on the same numbers: a polynomial of degree 4 between 0.05 and
// 0.3 at nine Chebyshev points.
func TestQuadraticAgreesWithSciPy(t *testing.T) {
	want := []float64{0.1514812254492277, -0.1129044961023984, 0.03790711964726089, 0.026312793401726566, -0.063574105801967}
	const n, points = 5, 9
	q := &QuadraticProgram{Hess: mat.NewSymDense(n, nil)}
	for i := range n {
		q.Grad = append(q.Grad, -3*math.Cos(float64(2*i+1)))
		for j := range n {
			q.Hess.SetSym(i, j, 1/float64(1+i+j))
		}
	}
	for i := range n {
		q.Hess.SetSym(i, i, q.Hess.At(i, i)+10)
	}
	for p := range points {
		low, high := make([]float64, n), make([]float64, n)
		for k := range n {
			low[k] = math.Cos(float64(k) * math.Pi * (float64(p) + 0.5) / points)
			high[k] = -low[k]
		}
		q.Rows, q.Bound = append(q.Rows, low, high), append(q.Bound, 0.05, -0.3)
	}
	x, _, err := q.Minimise()
	if err != nil || !floats.EqualApprox(x, want, 1e-12) {
		t.Errorf("got %v, %v, want %v", x, err, want)
	}
}

func TestQuadraticWithoutConstraintsIsALinearSystem(t *testing.T) {
	q := &QuadraticProgram{Hess: mat.NewSymDense(2, []float64{2, 1, 1, 3}), Grad: []float64{-4, -7}}
	if x, _, err := q.Minimise(); err != nil || !floats.EqualApprox(x, []float64{1, 2}, 1e-14) {
		t.Errorf("got %v, %v, want [1 2]", x, err)
	}
}

func TestQuadraticRefuses(t *testing.T) {
	one := mat.NewSymDense(1, []float64{1})
	q := &QuadraticProgram{Hess: one, Grad: []float64{0}, Rows: [][]float64{{1}, {-1}}, Bound: []float64{1, 1}}
	if _, _, err := q.Minimise(); !errors.Is(err, errInfeasible) {
		t.Errorf("x ≥ 1 and x ≤ −1: %v", err)
	}
	q = &QuadraticProgram{Hess: mat.NewSymDense(1, []float64{-1}), Grad: []float64{0}}
	if _, _, err := q.Minimise(); err == nil {
		t.Error("an indefinite form was accepted")
	}
}
