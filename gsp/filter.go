package gsp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
)

// filterOp is who refuses signals.
const filterOp = "gsp.Filter"

// The polynomials of large graphs: their degree is doubled until they are as near
// to the response as filterError, relative to its peak, or is degreeMost.
const (
	degreeFirst = 16
	degreeMost  = 512
	filterError = 1e-10
	peakPoints  = 1000 // of the response that are looked at for its peak
)

// A Filtered is signals after a filter.
type Filtered struct {
	Y *mat.Dense
	// ApproximationError is the largest difference between the response and the
	// polynomial that stood for it; zero if the filter is exact. No signal is off by
	// more than that share of its norm.
	ApproximationError float64
}

// Filter returns g(L)·y for the response g of the filter to each frequency, such as
// the Value of a kernel.Kernel: exactly where [Laplacian.IsExact], else by a
// Chebyshev series. If ctx ends, Filter returns its cause.
func (l *Laplacian) Filter(ctx context.Context, y *mat.Dense, response func(frequency float64) float64) (*Filtered, error) {
	if err := l.check(filterOp, y); err != nil {
		return nil, err
	}
	if !l.IsExact() {
		return l.filterBySeries(ctx, y, response)
	}
	s, err := l.Spectrum()
	if err != nil {
		return nil, err
	}
	filtered, err := s.Filter(y, response)
	if err != nil {
		return nil, err
	}
	return &Filtered{Y: filtered}, context.Cause(ctx)
}

func (l *Laplacian) filterBySeries(ctx context.Context, y *mat.Dense, response func(float64) float64) (*Filtered, error) {
	var peak float64
	for i := range peakPoints + 1 {
		peak = max(peak, math.Abs(response(l.bound*float64(i)/peakPoints)))
	}
	for degree := degreeFirst; ; degree *= 2 {
		p, err := polynomial(filterOp, response, degree, l.bound)
		if err != nil {
			return nil, err
		}
		if p.ApproximationError <= filterError*peak || degree >= degreeMost {
			filtered, err := l.applySeries(ctx, y, p.Series(), l.bound)
			return &Filtered{filtered, p.ApproximationError}, err
		}
	}
}

// polynomial stands for the response on [0, bound], as a kernel on [0, 2].
func polynomial(op string, response func(float64) float64, degree int, bound float64) (kernel.Kernel, error) {
	k, err := kernel.FromFunction("filter", func(x float64) float64 { return response(x * bound / 2) }, degree)
	if err != nil {
		return k, input.Completef(op, input.Kernels, "%s", err)
	}
	return k, nil
}

// applySeries returns Σ c_k T_k(2L/bound − I)·y, some columns at a time.
func (l *Laplacian) applySeries(ctx context.Context, y *mat.Dense, series []float64, bound float64) (*mat.Dense, error) {
	n, m := y.Dims()
	out := mat.NewDense(n, m, nil)
	if bound == 0 { // no edges: L is zero in any unit
		bound = 1
	}
	l.byColumns(m, func(columns columnRange) {
		if ctx.Err() != nil {
			return
		}
		last, now := columns.of(y.RawMatrix()), linalg.NewDense(n, columns.count)
		sum := linalg.NewDense(n, columns.count)
		linalg.Axpy(series[0], last.Data, sum.Data)
		for k := 1; k < len(series); k++ {
			if k == 1 {
				l.shifted(now, last, bound)
			} else { // T_k = 2x·T_{k−1} − T_{k−2}
				next := linalg.NewDense(n, columns.count)
				l.shifted(next, now, bound)
				for i, v := range last.Data {
					next.Data[i] = 2*next.Data[i] - v
				}
				last, now = now, next
			}
			linalg.Axpy(series[k], now.Data, sum.Data)
		}
		columns.put(out.RawMatrix(), sum)
	})
	return out, context.Cause(ctx)
}

// shifted sets dst = (2L/bound − I)·x.
func (l *Laplacian) shifted(dst, x linalg.Dense, bound float64) {
	l.mul(dst, x)
	for i, v := range x.Data {
		dst.Data[i] = 2*dst.Data[i]/bound - v
	}
}

// columnsPerBlock is how many signals are worked on together.
const columnsPerBlock = 16

// A columnRange is some neighbouring columns.
type columnRange struct{ first, count int }

// byColumns shares m columns between the threads, some at a time.
func (l *Laplacian) byColumns(m int, work func(columnRange)) {
	blocks := (m + columnsPerBlock - 1) / columnsPerBlock
	linalg.ForEach(max(1, l.Threads), blocks, func(_, b int) {
		first := b * columnsPerBlock
		work(columnRange{first, min(columnsPerBlock, m-first)})
	})
}

// of returns a copy of the columns.
func (c columnRange) of(a linalg.Dense) linalg.Dense {
	some := linalg.NewDense(a.Rows, c.count)
	for i := range a.Rows {
		copy(linalg.Row(some, i), linalg.Row(a, i)[c.first:])
	}
	return some
}

// put writes columns to their places.
func (c columnRange) put(a, some linalg.Dense) {
	for i := range a.Rows {
		copy(linalg.Row(a, i)[c.first:], linalg.Row(some, i))
	}
}

// evenly returns at most most of m columns, evenly spread.
func evenly(m, most int) []int {
	columns := make([]int, min(m, most))
	for k := range columns {
		columns[k] = k * m / len(columns)
	}
	return columns
}

// Center returns y without the mean of each vertex over its known values, and the
// means; zero for a vertex without values.
func Center(y *mat.Dense) (centred *mat.Dense, means []float64) {
	centred, means = mat.DenseCopyOf(y), make([]float64, y.RawMatrix().Rows)
	for i, row := range matrix.DescribeRows(y) {
		means[i] = row.Mean
	}
	addToRows(centred, -1, means)
	return centred, means
}

// addToRows adds a multiple of v_i to all of row i.
func addToRows(y *mat.Dense, factor float64, v []float64) {
	for i, x := range v {
		row := y.RawRowView(i)
		for k := range row {
			row[k] += factor * x
		}
	}
}
