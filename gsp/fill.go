package gsp

import (
	"cmp"
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// fillOp is who refuses signals.
const fillOp = "gsp.Fill"

// FillOptions say how to fill gaps. The zero value fills them by the harmonic limit
// and takes the signals as they are.
type FillOptions struct {
	Tau float64 // τ; zero is the limit τ → 0, which passes through the known values
	// Choose chooses τ by hiding known values, if Tau is zero.
	Choose bool
	Folds  int // known values are hidden a share of 1/Folds at a time; zero means 5
	// Center removes the mean of each vertex over its known values before and adds it
	// back after, which is right where vertices have levels of their own. The level of
	// a vertex without any value is taken from its neighbours.
	Center bool
	// Prior, if not nil, fills the gaps by what it expects of them. With Choose it is one more
	// way that is tried.
	Prior *Prior
	Seed  uint64 // of the draw of what is hidden; zero is the same as 1
}

// A Filling is signals without gaps.
type Filling struct {
	// Y has the known values as they were given and x elsewhere; NaN where nothing is
	// known of the whole component.
	Y *mat.Dense
	// Smooth is x everywhere: known values are denoised, unless Tau is zero.
	Smooth *mat.Dense

	Tau     float64 // as given or chosen; zero by a prior
	ByPrior bool    // whether x is what the prior expects
	// End is set if the chosen Tau is the least but zero or the largest that was tried.
	End End
	// HiddenError is the mean squared error of values that were hidden, in units of
	// that of their vertex's mean, or of zero without Center; NaN if τ was given.
	HiddenError float64

	Missing int // values that were missing
	Filled  int // of them
	// Unreached are the vertices that stay without a value in some signal, in order.
	Unreached []int
}

// Fill estimates missing values, NaN in y, from what is known on neighbours: with m
// the known vertices of a signal, it solves
//
//	(diag(m) + τL)·x = diag(m)·y,
//
// and for τ → 0 it keeps x = y on m and makes x harmonic elsewhere, L_uu x_u = −L_um y_m.
// A component without a known vertex says nothing about its values: they stay
// missing, and Unreached names their vertices.
//
// Choose tries τ = 0 and 13 values with τ·mean(e) from 10⁻³ to 10³ on as many of the
// signals as hold 10 000 values, at most 100 and at least 4, and takes the τ, or the prior if
// there is one, that predicts hidden values best. If ctx ends, Fill returns its cause.
func (l *Laplacian) Fill(ctx context.Context, y *mat.Dense, o FillOptions) (*Filling, error) {
	if err := l.checkFill(y, &o); err != nil {
		return nil, err
	}
	rest, means := y, make([]float64, l.Vertices())
	var err error
	if o.Center {
		rest, _ = Center(y)
		if means, err = l.levels(ctx, y); err != nil {
			return nil, err
		}
	}
	f := &Filling{Tau: o.Tau, ByPrior: o.Prior != nil, HiddenError: math.NaN(), Missing: matrix.Missing(y)}
	if o.Choose && o.Tau == 0 {
		if err := l.chooseByHiding(ctx, y, o, f); err != nil {
			return nil, err
		}
	}
	if f.Smooth, err = l.way(f.ByPrior, f.Tau, o.Prior)(ctx, rest, precise); err != nil {
		return nil, err
	}
	addToRows(f.Smooth, 1, means)
	f.Y = mat.DenseCopyOf(y)
	for i := range l.names {
		row, smooth, reached := f.Y.RawRowView(i), f.Smooth.RawRowView(i), true
		for k, v := range row {
			switch {
			case !math.IsNaN(v):
			case math.IsNaN(smooth[k]):
				reached = false
			default:
				row[k] = smooth[k]
				f.Filled++
			}
		}
		if !reached {
			f.Unreached = append(f.Unreached, i)
		}
	}
	return f, nil
}

// checkFill refuses what cannot be filled, and fills in what o leaves out.
func (l *Laplacian) checkFill(y *mat.Dense, o *FillOptions) error {
	if err := checkShape(fillOp, y, l.Vertices()); err != nil {
		return err
	}
	switch {
	case !(o.Tau >= 0) || math.IsInf(o.Tau, 0):
		return input.Errorf(fillOp, fieldTau, "got %g, want a non-negative number", o.Tau)
	case o.Prior != nil && o.Tau > 0:
		return input.Errorf(fillOp, fieldTau, "got %g and a prior, want one of them", o.Tau)
	case o.Folds < 0 || o.Folds == 1:
		return input.Errorf(fillOp, input.Folds, "got %d, want at least 2", o.Folds)
	case len(l.others.Val) == 0:
		return noEdges(fillOp)
	}
	for i, name := range l.names {
		for k, v := range y.RawRowView(i) {
			if math.IsInf(v, 0) {
				return input.Completef(fillOp, input.Signals, "vertex %q, signal %d: %s", name, k+1, notFinite(v))
			}
		}
	}
	if o.Prior != nil {
		if err := o.Prior.check(fillOp, l); err != nil {
			return err
		}
	}
	o.Folds, o.Seed = cmp.Or(o.Folds, 5), cmp.Or(o.Seed, 1)
	return nil
}

// levels returns the mean of each vertex over its known values. Those of vertices
// without values are filled in between their neighbours'; zero where there are none.
func (l *Laplacian) levels(ctx context.Context, y *mat.Dense) ([]float64, error) {
	means := mat.NewDense(l.Vertices(), 1, nil)
	for i, row := range matrix.DescribeRows(y) {
		means.Set(i, 0, row.Mean)
		if row.Observed == 0 {
			means.Set(i, 0, math.NaN())
		}
	}
	if matrix.Missing(means) > 0 {
		var err error
		if means, err = l.interpolate(ctx, means, 0, precise); err != nil {
			return nil, err
		}
	}
	levels := mat.Col(nil, 0, means)
	for i, v := range levels {
		if math.IsNaN(v) {
			levels[i] = 0
		}
	}
	return levels, nil
}
