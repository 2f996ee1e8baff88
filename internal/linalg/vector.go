package linalg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Dot returns Σ x_i·y_i, always summed in the same order.
func Dot(x, y []float64) float64 {
	checkLengths(len(x), len(y))
	return active.dot(x, y)
}

// Axpy sets y += alpha·x.
func Axpy(alpha float64, x, y []float64) {
	checkLengths(len(x), len(y))
	active.axpy(alpha, x, y)
}

// Axpy2 sets z += alpha·x + beta·y, as two calls of Axpy would.
func Axpy2(alpha float64, x []float64, beta float64, y, z []float64) {
	checkLengths(len(x), len(z))
	checkLengths(len(y), len(z))
	active.axpy2(alpha, x, beta, y, z)
}

// AddRows sets y += alpha·Σ x[q]·(row at[q] of a).
func AddRows[I int | int32](y []float64, alpha float64, a Dense, at []I, x []float64) {
	checkLengths(len(at), len(x))
	row := func(q int) []float64 { return a.Data[int(at[q])*a.Stride:][:len(y)] }
	q := 1
	for ; q < len(at); q += 2 {
		active.axpy2(alpha*x[q-1], row(q-1), alpha*x[q], row(q), y)
	}
	if q == len(at) {
		active.axpy(alpha*x[q-1], row(q-1), y)
	}
}

// Rotate replaces x and y by cos·x − sin·y and sin·x + cos·y.
func Rotate(x, y []float64, cos, sin float64) {
	checkLengths(len(x), len(y))
	active.rotate(x, y, cos, sin)
}

// Replace sets dst = x − y, and returns how far an entry moved at most, in units of its scale,
// which is positive.
func Replace(dst, x, y, scale []float64) (moved float64) {
	checkLengths(len(dst), len(x))
	checkLengths(len(dst), len(y))
	checkLengths(len(dst), len(scale))
	return active.replace(dst, x, y, scale)
}

// Symv sets y = a·x, reading only the triangle of a that a.Uplo names, and each
// entry of it once. y must not overlap x or a.
func Symv(y []float64, a blas64.Symmetric, x []float64) {
	n := a.N
	checkLengths(n, len(x))
	checkLengths(n, len(y))
	checkStorage(Dense{Rows: n, Cols: n, Stride: a.Stride, Data: a.Data})
	clear(y)
	upper := a.Uplo == blas.Upper
	i := 0
	for ; i+4 <= n; i += 4 {
		symvDiagonal(y[i:i+4], a, x[i:i+4], i)
		low, high := 0, i
		if upper {
			low, high = i+4, n
		}
		if low == high {
			continue
		}
		active.symvRows(a.Data[i*a.Stride+low:], a.Stride, x[low:high], y[low:high], (*[4]float64)(x[i:i+4]), (*[4]float64)(y[i:i+4]))
	}
	// Up to three rows remain: of an upper triangle their diagonal block, of a
	// lower one also what is to its left.
	symvDiagonal(y[i:], a, x[i:], i)
	if !upper {
		for r := i; r < n; r++ {
			row := a.Data[r*a.Stride : r*a.Stride+i]
			y[r] += active.dot(row, x[:i])
			active.axpy(x[r], row, y[:i])
		}
	}
}

// symvDiagonal adds the product with the diagonal block of a that begins at
// (i, i) and is as large as x.
func symvDiagonal(y []float64, a blas64.Symmetric, x []float64, i int) {
	for r := range x {
		y[r] += a.Data[(i+r)*a.Stride+i+r] * x[r]
		for s := range r {
			v := a.Data[(i+r)*a.Stride+i+s]
			if a.Uplo == blas.Upper {
				v = a.Data[(i+s)*a.Stride+i+r]
			}
			y[r] += v * x[s]
			y[s] += v * x[r]
		}
	}
}

func checkLengths(x, y int) {
	if x != y {
		panic(fmt.Sprintf("linalg: vectors of lengths %d and %d", x, y))
	}
}

// The functions below do in Go what the assembly does, operation by operation: entry i
// of a sum goes to the same partial sum, and products are fused with the sums they go
// into. So a processor without AVX2 gives the same results, only later.

func dotGo(x, y []float64) float64 {
	y = y[:len(x)]
	var s [16]float64
	for len(x) >= 16 {
		u, v := (*[16]float64)(x), (*[16]float64)(y)
		for i := range s {
			s[i] = math.FMA(u[i], v[i], s[i])
		}
		x, y = x[16:], y[16:]
	}
	for i, u := range x {
		s[i] = math.FMA(u, y[i], s[i])
	}
	var lanes [4]float64
	for i := range lanes {
		lanes[i] = (s[i] + s[4+i]) + (s[8+i] + s[12+i])
	}
	return sumLanes(&lanes)
}

// sumLanes adds the lanes of a vector register.
func sumLanes(s *[4]float64) float64 { return (s[0] + s[2]) + (s[1] + s[3]) }

func axpy2Go(alpha float64, x []float64, beta float64, y, z []float64) {
	axpyGo(alpha, x, z)
	axpyGo(beta, y, z)
}

func axpyGo(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] = math.FMA(alpha, v, y[i])
	}
}

func rotateGo(x, y []float64, cos, sin float64) {
	y = y[:len(x)]
	for i, u := range x {
		v := y[i]
		x[i] = math.FMA(cos, u, -(sin * v))
		y[i] = math.FMA(sin, u, cos*v)
	}
}

func replaceGo(dst, x, y, scale []float64) (moved float64) {
	x, y, scale = x[:len(dst)], y[:len(dst)], scale[:len(dst)]
	for i, before := range dst {
		v := x[i] - y[i]
		if v == before {
			continue
		}
		if d := math.Abs(v - before); d > moved*scale[i] {
			moved = d / scale[i]
		}
		dst[i] = v
	}
	return moved
}

// symvRowsGo does dot[r] += a_r·x and y += Σ_r alpha[r]·a_r for four rows of a, as
// long as x and y, that begin lda entries apart.
func symvRowsGo(a []float64, lda int, x, y []float64, alpha, dot *[4]float64) {
	for r := range dot {
		row := a[r*lda : r*lda+len(x)]
		var lanes [4]float64
		for j, v := range x {
			lanes[j%4] = math.FMA(row[j], v, lanes[j%4])
		}
		axpyGo(alpha[r], row, y)
		dot[r] += sumLanes(&lanes)
	}
}

// mulVecGo is mulVec in Go, in the order of gonum's assembly for x86-64: pairs of
// columns, and the odd column of all rows but an odd last one after both sums have
// become one. The conversions of products keep the compiler from fusing them.
func mulVecGo(y []float64, a Dense, x []float64) {
	even := len(x) &^ 1
	for i := range y {
		row := Row(a, i)[:len(x)]
		var s0, s1 float64
		for j := 0; j < even; j += 2 {
			s0 += float64(row[j] * x[j])
			s1 += float64(row[j+1] * x[j+1])
		}
		switch odd := even < len(x); {
		case !odd:
			y[i] = s0 + s1
		case i == len(y)-1 && i%2 == 0:
			s0 += float64(row[even] * x[even])
			y[i] = s0 + s1
		default:
			y[i] = s0 + s1 + float64(row[even]*x[even])
		}
	}
}
