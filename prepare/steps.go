package prepare

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

// takeLogs replaces each entry x by log(x + offset).
func takeLogs(y *mat.Dense, o Options) error {
	n, _ := y.Dims()
	for i := range n {
		x := y.RawRowView(i)
		for m, v := range x {
			if v+o.LogOffset <= 0 {
				return logFault(v, o.LogOffset, o.name(i), m)
			}
			x[m] = math.Log(v + o.LogOffset)
		}
	}
	return nil
}

func logFault(v, offset float64, vertex string, m int) error {
	if offset == 0 {
		return input.Errorf(op, input.Log, "vertex %q, observation %d: %g has no logarithm: add an offset to every value first", vertex, m+1, v)
	}
	return input.Errorf(op, input.Log, "vertex %q, observation %d: %g + %g has no logarithm: use a larger offset", vertex, m+1, v, offset)
}

// differences returns the changes from each observation to the next.
func differences(y *mat.Dense) (*mat.Dense, error) {
	n, m := y.Dims()
	if m < 2 {
		return nil, input.Errorf(op, input.Difference, "got %d observation, want at least 2", m)
	}
	d := mat.NewDense(n, m-1, nil)
	for i := range n {
		x, to := y.RawRowView(i), d.RawRowView(i)
		for k := range to {
			to[k] = x[k+1] - x[k]
		}
	}
	return d, nil
}

// centreRow subtracts the mean. A row that does not vary becomes exactly zero, so
// that it still does not.
func centreRow(x []float64, r signals.Row) {
	for k, v := range x {
		switch {
		case math.IsNaN(v):
		case r.Varies:
			x[k] = v - r.Mean
		default:
			x[k] = 0
		}
	}
}

// scaleRow divides by the standard deviation of a row that varies.
func scaleRow(x []float64, r signals.Row) {
	for k := range x {
		x[k] /= r.SD
	}
}

// scaleRows divides each row that varies by its standard deviation.
func scaleRows(y *mat.Dense, rows []signals.Row) {
	for i, r := range rows {
		if r.Varies {
			scaleRow(y.RawRowView(i), r)
		}
	}
}

// removeCommonMode subtracts from each signal its mean over the vertices that vary
// and are observed in it. The others are left as they are: they say nothing about
// the mode, and must not be made to vary by it.
func removeCommonMode(y *mat.Dense, rows []signals.Row) {
	_, m := y.Dims()
	mode := commonMode(y, rows)
	for i, r := range rows {
		if !r.Varies {
			continue
		}
		x := y.RawRowView(i)
		for k := range m {
			x[k] -= mode[k]
		}
	}
}

// commonMode returns the mean of each signal over the vertices that vary and are
// observed in it.
func commonMode(y *mat.Dense, rows []signals.Row) []float64 {
	_, m := y.Dims()
	mode, observed := make([]float64, m), make([]int, m)
	for i, r := range rows {
		if !r.Varies {
			continue
		}
		for k, v := range y.RawRowView(i) {
			if !math.IsNaN(v) {
				observed[k]++
				mode[k] += (v - mode[k]) / float64(observed[k]) // a running mean does not overflow
			}
		}
	}
	return mode
}
