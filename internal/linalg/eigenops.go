package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// What the eigensolver does to vectors. Everything else it does is products of
// matrices and work of lower order.

// window returns rows i0…i1−1 and columns j0…j1−1 of a. It shares a's storage.
func window(a Dense, i0, i1, j0, j1 int) Dense {
	if i0 == i1 || j0 == j1 {
		return Dense{Rows: i1 - i0, Cols: j1 - j0, Stride: a.Stride}
	}
	return Dense{Rows: i1 - i0, Cols: j1 - j0, Stride: a.Stride, Data: a.Data[i0*a.Stride+j0 : (i1-1)*a.Stride+j1]}
}

// mulAdd adds a·b to c.
func mulAdd(c, a, b Dense) { Threads(1).AddMul(c, a, b) }

// addCombination adds aᵀ·x, a combination of the rows of a, to y.
func addCombination(y []float64, a Dense, x []float64) {
	if len(x) == 0 {
		return
	}
	blas64.Gemv(blas.Trans, 1, a, blas64.Vector{N: len(x), Inc: 1, Data: x}, 1, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

// upperOf returns the symmetric matrix with the upper triangle of a.
func upperOf(a Dense) blas64.Symmetric {
	return blas64.Symmetric{N: a.Rows, Stride: a.Stride, Data: a.Data, Uplo: blas.Upper}
}

// splitFrom is the size from which on work on a matrix is worth sharing.
const splitFrom = 64

// split calls body with parts of 0…n−1, a part for each thread, at once. What
// body does to one index must not depend on its part.
func (t Threads) split(n int, body func(low, high int)) {
	if t <= 1 || n < splitFrom {
		body(0, n)
		return
	}
	ForEach(int(t), int(t), func(_, k int) { body(k*n/int(t), (k+1)*n/int(t)) })
}
