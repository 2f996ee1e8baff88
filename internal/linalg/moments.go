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

// A Regression is that of a row on others by least squares, and has the memory for it.
type Regression struct {
	near  Neighbourhood
	small SmallSolver
	rows  []int
	beta  []float64
}

// Solve regresses row i of x on others, whose mean squares are raised by a share of themselves: without, some may
// determine each other but for rounding. It returns their coefficients, which the next call overwrites, and how much
// of the mean square of the row they explain; +Inf where they determine each other all the same.
func (r *Regression) Solve(x Dense, i int, on []int, share float64) (beta []float64, explained float64) {
	r.rows = append(append(r.rows[:0], on...), i)
	moments := r.near.Moments(x, r.rows)
	r.beta = append(r.beta[:0], Row(moments, len(on))[:len(on)]...)
	explained = r.small.Solve(r.beta, func(p int, dst []float64) {
		copy(dst, Row(moments, p))
		dst[p] *= 1 + share
	})
	return r.beta, explained
}

func divide(x []float64, by int) {
	for k := range x {
		x[k] /= float64(by)
	}
}
