package assess

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// hiddenRidges are the ridges tried, of correlations: the best one depends on how many
// signals there are.
var hiddenRidges = []float64{0.3, 1, 3, 10}

// HiddenShare returns the share of the variance of each vertex that the others predict in
// signals that were held out: by ridge regression on one half of the signals, the earlier
// or the later, in the other, with the ridge that does best. What all vertices have in
// common is left out if there are enough to tell, for it says nothing about edges. It is
// a quick measure of how much signals tell about a graph, by no method in particular.
// Signals that cannot be prepared are an *input.Error. If ctx ends first, there is only its
// cause.
func HiddenShare(ctx context.Context, y *mat.Dense) (float64, error) {
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return 0, err
	}
	y, _, err = prepare.Signals(ctx, y, prepare.AsTheyAre(prepare.Options{Center: prepare.Yes, Scale: prepare.Yes}))
	if err != nil {
		return 0, err
	}
	n, m := y.Dims()
	left, all := make([]float64, len(hiddenRidges)), 0.0
	for half := range 2 {
		test, train := standardisedPart(y, half*(m/2), (half+1)*(m/2)), standardisedPart(y, (1-half)*(m/2), (2-half)*(m/2))
		var eigen mat.EigenSym
		if !eigen.Factorize(momentsOf(train), true) {
			return 0, nil
		}
		var vectors mat.Dense
		eigen.VectorsTo(&vectors)
		for k := range run.While(ctx, len(hiddenRidges)) {
			left[k] += ridgeErrors(&vectors, eigen.Values(nil), hiddenRidges[k], test)
		}
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
		all += float64(n * test.Cols)
	}
	return 1 - floats.Min(left)/all, nil
}

// standardisedPart returns some columns, each row with mean 0 and variance 1, or zero.
func standardisedPart(y *mat.Dense, from, to int) linalg.Dense {
	n, _ := y.Dims()
	part := linalg.NewDense(n, to-from)
	for i := range n {
		row := y.RawRowView(i)[from:to]
		mean, scale := meanAndScale(row)
		for k, v := range row {
			linalg.Row(part, i)[k] = (v - mean) / scale
		}
	}
	return part
}

func momentsOf(z linalg.Dense) *mat.SymDense {
	c := linalg.NewDense(z.Rows, z.Rows)
	linalg.MulTransB(c, z, z)
	s := mat.NewSymDense(z.Rows, nil)
	for i := range z.Rows {
		for j := range i + 1 {
			s.SetSym(i, j, c.Data[i*z.Rows+j]/float64(z.Cols))
		}
	}
	return s
}

// ridgeErrors returns the sum of the squared errors of predicting each row of z from the
// others. With P = (C + ρI)⁻¹ and C by its eigenvalues and vectors, row i is off by
// (Pz)_i/P_ii.
func ridgeErrors(vectors *mat.Dense, values []float64, ridge float64, z linalg.Dense) float64 {
	n := z.Rows
	scaled, precision := linalg.NewDense(n, n), linalg.NewDense(n, n)
	full := linalg.NewDense(n, n)
	for i := range n {
		for k, value := range values {
			full.Data[i*n+k] = vectors.At(i, k)
			scaled.Data[i*n+k] = vectors.At(i, k) / (max(value, 0) + ridge)
		}
	}
	linalg.MulTransB(precision, scaled, full)
	off := linalg.NewDense(n, z.Cols)
	linalg.Mul(off, precision, z)
	sum := 0.0
	for i := range n {
		for _, v := range linalg.Row(off, i) {
			e := v / precision.Data[i*n+i]
			sum += e * e
		}
	}
	return sum
}
