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
	l := s.factor // A = L·Lᵀ
	covered := 0.0
	for i := range n {
		li := l[i*n : i*n+n]
		entries(i, li[:i+1])
		for j := range i {
			lj := l[j*n : j*n+j+1]
			li[j] = (li[j] - Dot(li[:j], lj[:j])) / lj[j]
		}
		pivot := li[i] - Dot(li[:i], li[:i])
		if !(pivot > 0) {
			return math.Inf(1)
		}
		li[i] = math.Sqrt(pivot)
		b[i] = (b[i] - Dot(li[:i], b[:i])) / li[i]
		covered += b[i] * b[i]
	}
	for i := n - 1; i >= 0; i-- {
		b[i] /= l[i*n+i]
		Axpy(-b[i], l[i*n:i*n+i], b[:i])
	}
	return covered
}
