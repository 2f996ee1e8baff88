package linalg

// A CSR is a square sparse matrix in compressed rows.
type CSR struct {
	N      int
	RowEnd []int // row i holds entries RowEnd[i] … RowEnd[i+1]−1
	Col    []int32
	Val    []float64
}

// SymmetricCSR returns the matrix with value v[k] at (i[k], j[k]) and (j[k], i[k]).
// The pairs must be distinct and off the diagonal.
func SymmetricCSR(n int, i, j []int32, v []float64) *CSR {
	c := &CSR{N: n, RowEnd: make([]int, n+1), Col: make([]int32, 2*len(v)), Val: make([]float64, 2*len(v))}
	for k := range v {
		c.RowEnd[i[k]+1]++
		c.RowEnd[j[k]+1]++
	}
	for r := range n {
		c.RowEnd[r+1] += c.RowEnd[r]
	}
	next := append([]int(nil), c.RowEnd[:n]...)
	put := func(r, col int32, val float64) {
		c.Col[next[r]], c.Val[next[r]] = col, val
		next[r]++
	}
	for k := range v {
		put(i[k], j[k], v[k])
		put(j[k], i[k], v[k])
	}
	return c
}

// Mul sets dst = C·x for a dense x with N rows.
func (c *CSR) Mul(dst, x Dense) {
	for i := range c.N {
		row := Row(dst, i)
		clear(row)
		for k := c.RowEnd[i]; k < c.RowEnd[i+1]; k++ {
			Axpy(c.Val[k], Row(x, int(c.Col[k])), row)
		}
	}
}
