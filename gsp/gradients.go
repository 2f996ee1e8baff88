package gsp

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

const (
	solved       = 1e-10 // the residual, relative to the right side, at which they stop
	solvedRough  = 1e-5  // which is enough to choose τ
	stepsPerSize = 10    // of conjugate gradients, times the vertices; rounding takes them beyond 1
)

// equations are (diag(known) + τL) x = b, a system for each column of b. If known
// values are fixed, then x = b there, which must be zero, and only the other rows
// are to be solved.
type equations struct {
	l     *Laplacian
	tau   float64
	known linalg.Dense // N×M, 0 or 1; no data means 1 everywhere
	fixed bool
}

// weights are how strongly entry i of x is held by the signal and by its neighbours.
func (q equations) weights(i int) (bySignal, byNeighbours float64) {
	switch {
	case q.known.Data == nil:
		return 1, q.tau
	case q.fixed && q.known.Data[i] == 1:
		return 1, 0
	}
	return q.known.Data[i], q.tau
}

// solve returns x to a relative residual, beginning at the columns of start, or at
// zero if that has no data. Every component must have a known vertex. If ctx ends, solve returns its cause.
func (q equations) solve(ctx context.Context, b, start linalg.Dense, tolerance float64) (*mat.Dense, error) {
	out := mat.NewDense(b.Rows, b.Cols, nil)
	var mu sync.Mutex
	var fault error
	q.l.byColumns(b.Cols, func(columns columnRange) {
		part := q
		if q.known.Data != nil {
			part.known = columns.of(q.known)
		}
		x := linalg.NewDense(b.Rows, columns.count)
		if start.Data != nil {
			x = columns.of(start)
		}
		if left := part.descend(ctx, columns.of(b), x, tolerance); left > tolerance && ctx.Err() == nil {
			mu.Lock()
			fault = fmt.Errorf("gsp: conjugate gradients stopped at a relative residual above %.0e", tolerance)
			mu.Unlock()
		}
		columns.put(out.RawMatrix(), x)
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return out, fault
}

// descend improves x by conjugate gradients with the diagonal as preconditioner, and
// returns the largest relative residual left. It overwrites b by the residuals.
func (q equations) descend(ctx context.Context, b, x linalg.Dense, tolerance float64) float64 {
	inverse := q.inverseDiagonal(b.Rows, b.Cols)
	size := norms(b)
	product := linalg.NewDense(b.Rows, b.Cols)
	q.mul(product, x)
	linalg.Axpy(-1, product.Data, b.Data)
	z, p := linalg.NewDense(b.Rows, b.Cols), linalg.NewDense(b.Rows, b.Cols)
	scaleEntries(z, inverse, b)
	copy(p.Data, z.Data)
	rho, step := dots(b, z), make([]float64, b.Cols)
	for range stepsPerSize * max(b.Rows, 10) {
		if left := worst(norms(b), size); left <= tolerance || ctx.Err() != nil {
			return left
		}
		q.mul(product, p)
		for k, curvature := range dots(p, product) {
			step[k] = ratio(rho[k], curvature)
		}
		addColumns(x, step, p)
		for k := range step {
			step[k] = -step[k]
		}
		addColumns(b, step, product)
		scaleEntries(z, inverse, b)
		next := dots(b, z)
		for k := range rho {
			step[k] = ratio(next[k], rho[k])
		}
		for i := range p.Rows {
			into, from := linalg.Row(p, i), linalg.Row(z, i)
			for k := range into {
				into[k] = from[k] + step[k]*into[k]
			}
		}
		rho = next
	}
	return worst(norms(b), size)
}

// mul sets dst to the left side of the equations at x.
func (q equations) mul(dst, x linalg.Dense) {
	q.l.mul(dst, x)
	for i, v := range dst.Data {
		bySignal, byNeighbours := q.weights(i)
		dst.Data[i] = bySignal*x.Data[i] + byNeighbours*v
	}
}

// inverseDiagonal is 1 over the diagonal of the equations. Where that is zero
// nothing is to be solved.
func (q equations) inverseDiagonal(rows, cols int) linalg.Dense {
	inverse := linalg.NewDense(rows, cols)
	for i := range inverse.Data {
		bySignal, byNeighbours := q.weights(i)
		inverse.Data[i] = ratio(1, bySignal+byNeighbours*q.l.diagonal[i/cols])
	}
	return inverse
}

// ratio is a/b, and 0 if b is.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// worst returns the largest share of the residuals in the sizes.
func worst(residuals, sizes []float64) float64 {
	var w float64
	for k, r := range residuals {
		w = max(w, ratio(r, sizes[k]))
	}
	return w
}

func norms(a linalg.Dense) []float64 {
	list := dots(a, a)
	for k, v := range list {
		list[k] = math.Sqrt(v)
	}
	return list
}

// dots returns the product of each column of a with that of b.
func dots(a, b linalg.Dense) []float64 {
	sums := make([]float64, a.Cols)
	for i := range a.Rows {
		u, v := linalg.Row(a, i), linalg.Row(b, i)
		for k := range sums {
			sums[k] += u[k] * v[k]
		}
	}
	return sums
}

// addColumns adds factors[k] times column k of b to that of a.
func addColumns(a linalg.Dense, factors []float64, b linalg.Dense) {
	for i := range a.Rows {
		into, from := linalg.Row(a, i), linalg.Row(b, i)
		for k, f := range factors {
			into[k] += f * from[k]
		}
	}
}

// scaleEntries sets c = a∘b.
func scaleEntries(c, a, b linalg.Dense) {
	for i, v := range a.Data {
		c.Data[i] = v * b.Data[i]
	}
}
