package gsp

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/nervure/nervure/internal/linalg"
)

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
