package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
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
func mulAdd(c, a, b Dense) { blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b, 1, c) }

// mulVec sets y = a·x.
func mulVec(y []float64, a Dense, x []float64) {
	if len(y) == 0 {
		return
	}
	blas64.Gemv(blas.NoTrans, 1, a, blas64.Vector{N: len(x), Inc: 1, Data: x}, 0, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

// addCombination adds aᵀ·x, a combination of the rows of a, to y.
func addCombination(y []float64, a Dense, x []float64) {
	if len(x) == 0 {
		return
	}
	blas64.Gemv(blas.Trans, 1, a, blas64.Vector{N: len(x), Inc: 1, Data: x}, 1, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

func dot(x, y []float64) float64 { return floats.Dot(x, y) }

// rotate replaces rows x and y by cos·x − sin·y and sin·x + cos·y.
func rotate(x, y []float64, cos, sin float64) {
	y = y[:len(x)]
	for k, u := range x {
		v := y[k]
		x[k] = cos*u - sin*v
		y[k] = sin*u + cos*v
	}
}

// symmetricMulVec sets y = a·x for the symmetric matrix with the upper triangle
// of a. It reads the triangle once: a row gives a product with x for its own
// entry of y, and a multiple of itself for the entries to the right. Four rows
// at a time share the loads of x and y.
func symmetricMulVec(y []float64, a Dense, x []float64) {
	n := len(x)
	clear(y)
	i := 0
	for ; i+4 <= n; i += 4 {
		for r := i; r < i+4; r++ {
			row := Row(a, r)
			y[r] += row[r] * x[r]
			for c := r + 1; c < i+4; c++ {
				y[r] += row[c] * x[c]
				y[c] += row[c] * x[r]
			}
		}
		symmetricRows(y[i:], x[i:], Row(a, i)[i:], Row(a, i+1)[i:], Row(a, i+2)[i:], Row(a, i+3)[i:])
	}
	for ; i < n; i++ {
		row := Row(a, i)
		y[i] += row[i] * x[i]
		for c := i + 1; c < n; c++ {
			y[i] += row[c] * x[c]
			y[c] += row[c] * x[i]
		}
	}
}

// symmetricRows adds to y what four rows give outside their diagonal block.
// All slices begin at that block.
func symmetricRows(y, x, a0, a1, a2, a3 []float64) {
	x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
	var s0, s1, s2, s3 float64
	tail := y[4:]
	x, a0, a1, a2, a3 = x[4:][:len(tail)], a0[4:][:len(tail)], a1[4:][:len(tail)], a2[4:][:len(tail)], a3[4:][:len(tail)]
	for j, v := range x {
		b0, b1, b2, b3 := a0[j], a1[j], a2[j], a3[j]
		s0 += b0 * v
		s1 += b1 * v
		s2 += b2 * v
		s3 += b3 * v
		tail[j] += (b0*x0 + b1*x1) + (b2*x2 + b3*x3)
	}
	y[0] += s0
	y[1] += s1
	y[2] += s2
	y[3] += s3
}
