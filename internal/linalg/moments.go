package linalg

// Moments returns the means of the products of all pairs of rows of x.
func (t Threads) Moments(x Dense) Dense {
	c := NewDense(x.Rows, x.Rows)
	t.MulTransB(c, x, x)
	divide(c.Data, x.Cols)
	return c
}

// A Neighbourhood computes moments of a few rows at a time, and has the memory for it.
type Neighbourhood struct {
	rows, moments Dense
}

// Moments returns the means of the products of some rows of x. They are overwritten by the next call.
func (h *Neighbourhood) Moments(x Dense, rows []int) Dense {
	return h.MomentsOf(func(i int) []float64 { return Row(x, i) }, x.Cols, rows)
}

// MomentsOf is Moments of rows that are not in one matrix.
func (h *Neighbourhood) MomentsOf(row func(i int) []float64, cols int, rows []int) Dense {
	n := len(rows)
	h.rows.Data, h.moments.Data = grown(h.rows.Data, n*cols), grown(h.moments.Data, n*n)
	h.rows = Dense{Rows: n, Cols: cols, Stride: max(cols, 1), Data: h.rows.Data}
	h.moments = Dense{Rows: n, Cols: n, Stride: max(n, 1), Data: h.moments.Data}
	for p, i := range rows {
		copy(Row(h.rows, p), row(i))
	}
	MulTransB(h.moments, h.rows, h.rows)
	divide(h.moments.Data, cols)
	return h.moments
}

func divide(x []float64, by int) {
	for k := range x {
		x[k] /= float64(by)
	}
}
