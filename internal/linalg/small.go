package linalg

import "math"

// A SmallSolver solves positive definite systems of a few hundred unknowns at most,
// many of them, without allocating. The zero value is ready to use.
type SmallSolver struct {
	factor []float64
}

// Solve replaces b by x, where A·x = b, and returns b·x, +Inf if A is not positive
// definite. entries puts row i of A, up to the diagonal, into dst.
func (s *SmallSolver) Solve(b []float64, entries func(i int, dst []float64)) float64 {
	n := len(b)
	s.factor = grown(s.factor, n*n)
	l := s.factor // A = Lᵀ·D·L: D⁻¹ on the diagonal, D·L below it
	for i := range n {
		entries(i, l[i*n:i*n+i+1])
	}
	for j := n - 1; j >= 0; j -= 2 { // two unknowns at a time, which is faster
		u, a := eliminate(l, b, j)
		if !(a > 0) {
			return math.Inf(1)
		}
		if j == 0 {
			break
		}
		Axpy(-u[j-1]*a, u, l[(j-1)*n:(j-1)*n+j])
		v, c := eliminate(l, b, j-1)
		if !(c > 0) {
			return math.Inf(1)
		}
		for i := range v {
			Axpy2(-u[i]*a, u[:i+1], -v[i]*c, v[:i+1], l[i*n:i*n+i+1])
		}
	}
	covered := 0.0
	for i := range n {
		covered += b[i] * b[i] * l[i*n+i]
		b[i] = (b[i] - Dot(l[i*n:i*n+i], b[:i])) * l[i*n+i]
	}
	return covered
}

// eliminate takes unknown j out of b, and returns its row up to the diagonal and the
// inverse of what is there, which it puts there.
func eliminate(l, b []float64, j int) (row []float64, inverse float64) {
	row, pivot := l[j*len(b):j*len(b)+j], &l[j*len(b)+j]
	*pivot = 1 / *pivot
	Axpy(-b[j]**pivot, row, b[:j])
	return row, *pivot
}
