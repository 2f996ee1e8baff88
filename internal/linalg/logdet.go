package linalg

import "math"

// cholBlock is how many columns are factorised before the rest is updated by a
// product of matrices.
const cholBlock = 48

// LogDet returns the logarithm of the determinant of a symmetric matrix, and whether
// the matrix is positive definite. Only the diagonal and what is below it are read;
// the Cholesky factor L, with A = L·Lᵀ, replaces them.
func (t Threads) LogDet(a Dense) (float64, bool) {
	n, sum := a.Rows, 0.0
	minus := NewDense(n, cholBlock)
	for first := 0; first < n; first += cholBlock {
		end := min(first+cholBlock, n)
		for j := first; j < end; j++ {
			lj := Row(a, j)[first : j+1]
			pivot := lj[j-first] - Dot(lj[:j-first], lj[:j-first])
			if !(pivot > 0) {
				return math.Inf(-1), false
			}
			sum += math.Log(pivot)
			lj[j-first] = math.Sqrt(pivot)
			for i := j + 1; i < n; i++ {
				li := Row(a, i)[first : j+1]
				li[j-first] = (li[j-first] - Dot(li[:j-first], lj[:j-first])) / lj[j-first]
			}
		}
		t.subtractSquare(a, window(minus, 0, n-end, 0, end-first), first, end)
	}
	return sum, true
}

// subtractSquare subtracts L·Lᵀ from what is left of a, where L is its columns first
// to end below row end, a block of columns at a time. minus has room for −L.
func (t Threads) subtractSquare(a, minus Dense, first, end int) {
	for i := range minus.Rows {
		to := Row(minus, i)
		for k, v := range Row(a, end+i)[first:end] {
			to[k] = -v
		}
	}
	for j := end; j < a.Rows; j += cholBlock {
		stop := min(j+cholBlock, a.Rows)
		t.AddMulTransB(window(a, j, a.Rows, j, stop), window(minus, j-end, minus.Rows, 0, minus.Cols), window(a, j, stop, first, end))
	}
}
