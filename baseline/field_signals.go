package baseline

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/signals"
)

// readSignals puts the signals into rows, in the units that suit a field where they can be told.
func (r *fieldRun) readSignals() (err error) {
	r.y = rowsOf(r.problem.Y)
	if r.fewSignals() == "" && r.y.Cols <= mostFieldVertices {
		if r.units, err = field.Units(r.y, field.Orders, linalg.Threads(r.problem.Threads)); err != nil {
			return input.Errorf(Field{}.Name(), input.Signals, "%v", err)
		}
	}
	r.inUnits(r.y)
	return nil
}

// inUnits puts rows into the units of the field.
func (fit *FieldFit) inUnits(rows linalg.Dense) {
	for i, u := range fit.units {
		by := portable.Exp(u)
		for k := range rows.Rows {
			rows.Data[k*rows.Cols+i] *= by
		}
	}
}

// OrderOne keeps the contract of [method.Rooted]. Vertices that were set aside stay as they are.
func (fit *FieldFit) OrderOne(y *mat.Dense) *mat.Dense {
	if fit.root.Rows == 0 {
		return y
	}
	if fit.vertices == nil {
		return columnsOf(fit.rooted(y))
	}
	one, rooted := mat.DenseCopyOf(y), columnsOf(fit.rooted(matrix.Rows(y, fit.vertices)))
	for k, i := range fit.vertices {
		one.SetRow(i, rooted.RawRowView(k))
	}
	return one
}

// OnVertices keeps the contract of [method.ByVertex].
func (fit *FieldFit) OnVertices(vertices []int, _ []string, _ []signals.Aside) any {
	on := *fit
	if fit.vertices != nil {
		vertices = matrix.Pick(vertices, fit.vertices)
	}
	on.vertices = vertices
	return &on
}

// rooted returns signals of order one as rows.
func (fit *FieldFit) rooted(y *mat.Dense) linalg.Dense {
	rows := rowsOf(y)
	fit.inUnits(rows)
	rooted := linalg.NewDense(rows.Rows, rows.Cols)
	linalg.Mul(rooted, rows, fit.root)
	return rooted
}

// columnsOf turns rows into columns.
func columnsOf(rows linalg.Dense) *mat.Dense {
	return mat.DenseCopyOf(mat.NewDense(rows.Rows, rows.Cols, rows.Data).T())
}

// independentShare is the share of signals, as independent ones count, from which on their
// order is taken to say nothing.
const independentShare = 0.8

// inTrialOrder returns the rows of y in an order of their own if they are about independent,
// so that a choice by blocks of them does not depend on how they were given.
func inTrialOrder(y linalg.Dense, observations float64) linalg.Dense {
	if observations < independentShare*float64(y.Rows) {
		return y
	}
	energy := make([]float64, y.Rows) // which does not depend on the order of vertices either
	for k := range energy {
		energy[k] = linalg.Dot(linalg.Row(y, k), linalg.Row(y, k))
	}
	order := matrix.Sorted(y.Rows, func(a, b int) int { return cmp.Compare(energy[a], energy[b]) })
	// Those alike are dealt out to different blocks.
	dealt, to := linalg.NewDense(y.Rows, y.Cols), 0
	for first := range field.Blocks {
		for k := first; k < y.Rows; k += field.Blocks {
			copy(linalg.Row(dealt, to), linalg.Row(y, order[k]))
			to++
		}
	}
	return dealt
}

// rowsOf returns signals as rows with zero means, in a unit that makes their mean square
// one.
func rowsOf(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	rows := linalg.NewDense(m, n)
	_, exponent := math.Frexp(min(mat.Max(y)-mat.Min(y), math.MaxFloat64)) // so that no square overflows; the range may
	square := 0.0
	for i := range n {
		x := y.RawRowView(i)
		mean := 0.0
		for _, v := range x {
			mean += math.Ldexp(v, -exponent) / float64(m)
		}
		for k, v := range x {
			d := math.Ldexp(v, -exponent) - mean
			rows.Data[k*n+i] = d
			square += float64(d*d) / float64(n*m)
		}
	}
	unit := 1 / math.Sqrt(square)
	for k := range rows.Data {
		rows.Data[k] *= unit
	}
	return rows
}
