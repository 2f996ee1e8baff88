package linalg

import (
	"errors"
	"math"
)

// Eigen is a symmetric eigendecomposition V·diag(Values)·Vᵀ that reuses its memory.
//
// It reduces to tridiagonal form by Householder reflections, solves that by
// divide and conquer ([gu1995]) and takes the eigenvectors back through the
// reflections. Nearly all operations are products of matrices, but for half of
// the reduction, which is products of the matrix with vectors.
type Eigen struct {
	Values  []float64 // ascending
	Vectors Dense     // eigenvectors in columns
	Threads Threads   // to share the work between; results do not depend on it

	n         int
	reduction reduction
	split     dividing
	back      backTransform
}

// NewEigen returns room for n×n matrices.
func NewEigen(n int) *Eigen {
	return &Eigen{
		Values: make([]float64, n), Vectors: NewDense(n, n),
		n: n, reduction: newReduction(n), split: newDividing(n), back: newBackTransform(n),
	}
}

// The solver squares and multiplies entries. It keeps the largest one between
// these bounds, where that can neither overflow nor lose what matters.
const leastUnit, mostUnit = 0x1p-32, 0x1p32

// Factorize decomposes the symmetric matrix whose upper triangle the caller has
// put into e.Vectors, replacing it by the eigenvectors. If the triangle has an
// entry that is not finite then so are all of Values and Vectors: NaN.
func (e *Eigen) Factorize() error {
	largest := e.largest()
	switch {
	case math.IsNaN(largest) || math.IsInf(largest, 1):
		fill(e.Values, math.NaN())
		fill(e.Vectors.Data, math.NaN())
		return nil
	case largest == 0 || leastUnit <= largest && largest <= mostUnit:
		return e.factorize()
	}
	_, exponent := math.Frexp(largest)
	e.scale(-exponent)
	err := e.factorize()
	for i, v := range e.Values {
		e.Values[i] = math.Ldexp(v, exponent)
	}
	return err
}

func (e *Eigen) factorize() error {
	e.reduction.reduce(e.Vectors, &e.split.tridiagonal, e.Threads)
	if !e.split.solve(e.Threads) {
		return errors.New("linalg: the symmetric eigendecomposition did not converge")
	}
	e.back.apply(e.split.rows, e.Vectors, e.reduction.tau, e.Threads)
	for k, from := range e.split.order {
		e.Values[k] = e.split.diag[from]
	}
	e.putVectors()
	return nil
}

// putVectors transposes the sorted eigenvectors into Vectors. Some at a time
// use whole lines of the cache on both sides.
func (e *Eigen) putVectors() {
	const some = 8
	for first := 0; first < e.n; first += some {
		order := e.split.order[first:min(first+some, e.n)]
		for i := range e.n {
			into := Row(e.Vectors, i)[first:]
			for k, from := range order {
				into[k] = e.split.rows.Data[from*e.split.rows.Stride+i]
			}
		}
	}
}

// largest returns the largest magnitude in the upper triangle, or a NaN or
// infinity if there is one: without their signs numbers are in the order of
// their representations, and these come last.
func (e *Eigen) largest() float64 {
	var m uint64
	for i := range e.n {
		for _, v := range Row(e.Vectors, i)[i:] {
			m = max(m, math.Float64bits(v)&^(1<<63))
		}
	}
	return math.Float64frombits(m)
}

// scale multiplies the upper triangle by 2^exponent.
func (e *Eigen) scale(exponent int) {
	for i := range e.n {
		row := Row(e.Vectors, i)[i:]
		for j, v := range row {
			row[j] = math.Ldexp(v, exponent)
		}
	}
}

func fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}
