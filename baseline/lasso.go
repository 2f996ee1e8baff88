package baseline

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
)

// A lasso is the minimum of xᵀQx/2 − bᵀx + Σ λ_i |x_i| for a positive semidefinite Q.
// It is found by cyclic coordinate descent ([friedman2008]), over the entries that
// are not zero until these stand still, and solved exactly on what is then not zero.
type lasso struct {
	q      linalg.Dense
	b      []float64
	lambda func(i int) float64

	x, g []float64 // the minimum, and b − Qx
}

// lassoTolerance bounds how far a lasso is from its optimality conditions, as a
// share of the largest entry of b.
const lassoTolerance = 1e-10

// These bound sweeps, over all entries and each time over those that are not zero.
// Few are needed from a near start.
const (
	lassoSweeps      = 1000
	lassoInnerSweeps = 100
)

// solve goes from l.x to the minimum.
func (l *lasso) solve() {
	scale := 0.0
	for _, v := range l.b {
		scale = max(scale, math.Abs(v))
	}
	if scale == 0 {
		clear(l.x)
		clear(l.g)
		return
	}
	l.refresh()
	for range lassoSweeps {
		off := l.sweep(func(int) bool { return true })
		if off <= lassoTolerance*scale {
			break
		}
		for range lassoInnerSweeps {
			if l.sweep(func(i int) bool { return l.x[i] != 0 }) <= 0.1*lassoTolerance*scale {
				break
			}
		}
		l.polish()
	}
	l.polish()
}

// refresh computes b − Qx.
func (l *lasso) refresh() {
	copy(l.g, l.b)
	for i, v := range l.x {
		if v != 0 {
			linalg.Axpy(-v, linalg.Row(l.q, i), l.g)
		}
	}
}

// sweep minimises over one entry after the other, and returns by how much the
// condition of the worst was violated.
func (l *lasso) sweep(of func(i int) bool) float64 {
	worst := 0.0
	for i := range l.x {
		curvature := l.q.Data[i*l.q.Stride+i]
		if !of(i) || curvature <= 0 {
			continue
		}
		worst = max(worst, l.violationAt(i))
		next := softThreshold(l.g[i]+curvature*l.x[i], l.lambda(i)) / curvature
		if move := next - l.x[i]; move != 0 {
			l.x[i] = next
			linalg.Axpy(-move, linalg.Row(l.q, i), l.g)
		}
	}
	return worst
}

// violation returns the largest violation of the optimality conditions
// g_i = λ_i·sign x_i, or |g_i| ≤ λ_i where x_i = 0.
func (l *lasso) violation() float64 {
	worst := 0.0
	for i := range l.x {
		worst = max(worst, l.violationAt(i))
	}
	return worst
}

func (l *lasso) violationAt(i int) float64 {
	switch lambda := l.lambda(i); {
	case l.x[i] > 0:
		return math.Abs(l.g[i] - lambda)
	case l.x[i] < 0:
		return math.Abs(l.g[i] + lambda)
	default:
		return max(0, math.Abs(l.g[i])-lambda)
	}
}

// polish solves for the entries that are not zero, with the signs they have. Where a
// sign would change or they determine each other, all stays as it is.
func (l *lasso) polish() {
	support := matrix.Where(l.x, func(_ int, v float64) bool { return v != 0 })
	z := make([]float64, len(support))
	for p, i := range support {
		z[p] = l.b[i] - math.Copysign(l.lambda(i), l.x[i])
	}
	if !solveOn(l.q, support, z) {
		return
	}
	for p, i := range support {
		if z[p]*l.x[i] <= 0 && l.lambda(i) > 0 {
			return
		}
	}
	before := l.violation()
	was := append([]float64(nil), l.x...)
	for p, i := range support {
		l.x[i] = z[p]
	}
	l.refresh()
	if l.violation() > before {
		copy(l.x, was)
		l.refresh()
	}
}

// solveOn solves Q_SS·z = b for the rows and columns S of Q, and leaves z in b. It is
// false if they determine each other.
func solveOn[I int | int32](q linalg.Dense, support []I, b []float64) bool {
	n := len(support)
	if n == 0 {
		return true
	}
	gram := blas64.Symmetric{N: n, Stride: n, Data: make([]float64, n*n), Uplo: blas.Upper}
	for p, i := range support {
		row := linalg.Row(q, int(i))
		for r, j := range support[p:] {
			gram.Data[p*n+p+r] = row[j]
		}
	}
	factor, ok := lapack64.Potrf(gram)
	if ok {
		solveFactored(factor.Data, b)
	}
	return ok
}

// solveFactored solves RᵀR·x = b in place, where the rows of a triangle R follow each other. It
// is lapack64.Potrs to the last bit, which takes longer over a single b than over
// the factor.
func solveFactored(r, b []float64) {
	n := len(b)
	for i := range b {
		b[i] *= 1 / r[i*n+i]
		for q, v := range r[i*n+i+1 : (i+1)*n] {
			if v != 0 {
				b[i+1+q] -= float64(v * b[i])
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		for q, v := range r[i*n+i+1 : (i+1)*n] {
			if v != 0 {
				b[i] -= float64(v * b[i+1+q])
			}
		}
		b[i] *= 1 / r[i*n+i]
	}
}

// softThreshold moves v towards zero by at most t.
func softThreshold(v, t float64) float64 {
	return math.Copysign(max(0, math.Abs(v)-t), v)
}
