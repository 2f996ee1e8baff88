package portable

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// ordered is gonum's BLAS with dot products, and products of a matrix and a vector, in the
// order of its assembly for x86-64. That covers factorisations of small matrices; products
// of matrices within large ones have an order of their own.
type ordered struct{ gonum.Implementation }

// Ddot returns xᵀ·y. With steps other than 1 there are two sums, of the first, third, …
// and of the other products; an odd last product goes to the second.
func (o ordered) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	switch {
	case n <= 0 || incX <= 0 || incY <= 0 || (n-1)*incX >= len(x) || (n-1)*incY >= len(y):
		return o.Implementation.Ddot(n, x, incX, y, incY) // nothing to do, or an error
	case incX == 1 && incY == 1:
		return dotGo(x[:n], y[:n])
	}
	var first, second float64
	for i := 0; i+1 < n; i += 2 {
		first += float64(x[i*incX] * y[i*incY])
		second += float64(x[(i+1)*incX] * y[(i+1)*incY])
	}
	if n%2 == 1 {
		second += float64(x[(n-1)*incX] * y[(n-1)*incY])
	}
	return first + second
}

// Dgemv sets y = αax + βy. With aᵀ instead of a, gonum's order is the same everywhere.
func (o ordered) Dgemv(
	t blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int, beta float64, y []float64, incY int,
) {
	if t != blas.NoTrans || alpha == 0 || m <= 0 || n <= 0 || lda < n || incX <= 0 || incY <= 0 ||
		(n-1)*incX >= len(x) || (m-1)*incY >= len(y) || (m-1)*lda+n > len(a) {
		o.Implementation.Dgemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	even := n &^ 1
	for i := range m {
		row := a[i*lda:][:n]
		var s0, s1 float64
		for j := 0; j < even; j += 2 {
			s0 += float64(row[j] * x[j*incX])
			s1 += float64(row[j+1] * x[(j+1)*incX])
		}
		sum := s0 + s1
		if even < n {
			last := float64(row[even] * x[even*incX])
			if i == m-1 && m%2 == 1 { // a row that has none beside it
				sum = (s0 + last) + s1
			} else {
				sum += last
			}
		}
		to := &y[i*incY]
		if beta == 0 {
			*to = 0
		}
		*to = float64(beta**to) + float64(alpha*sum)
	}
}
