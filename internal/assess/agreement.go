package assess

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// leastRidge is what is added at least to the variances of the vertices before the covariance is
// inverted. Where signals are few, it is the number of vertices over that of signals: with less, the
// partial correlations of about as many signals as vertices are mostly chance.
const leastRidge = 0.1

// Agreement returns how well the earlier and the later half of signals agree on what each
// pair of vertices has to do with each other, given all others: the correlation, over the
// pairs, of the partial correlations in one half with those in the other. What all vertices
// have in common is left out if there are enough to tell, for it says nothing about edges. It
// is a quick measure of how much signals tell about a graph, by no method in particular.
//
// The share of a vertex that others predict is no such measure: where observations depend on
// the ones before, slow patterns that a few observations show by chance predict much, and
// are others in the other half.
//
// Signals that cannot be prepared are an *input.Error. If ctx ends first, there is only its
// cause.
func Agreement(ctx context.Context, y *mat.Dense) (float64, error) {
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return 0, err
	}
	y, _, err = prepare.Signals(ctx, y, prepare.AsTheyAre(prepare.Options{Center: prepare.Yes, Scale: prepare.Yes}))
	if err != nil {
		return 0, err
	}
	_, m := y.Dims()
	var of [2][]float64
	for half := range of {
		of[half] = partialCorrelations(standardisedPart(y, half*(m/2), (half+1)*(m/2)))
		if err := context.Cause(ctx); err != nil {
			return 0, err
		}
	}
	a, b := matrix.Describe(of[0]), matrix.Describe(of[1])
	if !a.Varies || !b.Varies {
		return 0, nil
	}
	sum := 0.0
	for k, v := range of[0] {
		sum += float64((v - a.Mean) / a.SD * (of[1][k] - b.Mean) / b.SD)
	}
	return sum / float64(len(of[0])), nil
}

// partialCorrelations returns those of all pairs of rows; none if they cannot be told.
func partialCorrelations(rows linalg.Dense) []float64 {
	n := rows.Rows
	moments := momentsOf(rows)
	ridge := max(leastRidge, float64(n)/float64(max(rows.Cols, 1)))
	for i := range n {
		moments.SetSym(i, i, moments.At(i, i)+ridge)
	}
	var factor mat.Cholesky
	var inverse mat.SymDense
	if !factor.Factorize(moments) || factor.InverseTo(&inverse) != nil {
		return nil
	}
	list := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for j := range i {
			list = append(list, -inverse.At(i, j)/math.Sqrt(inverse.At(i, i))/math.Sqrt(inverse.At(j, j)))
		}
	}
	return list
}

// standardisedPart returns some columns, each row with mean 0 and variance 1, or zero.
func standardisedPart(y *mat.Dense, from, to int) linalg.Dense {
	n, _ := y.Dims()
	part := linalg.NewDense(n, to-from)
	for i := range n {
		row := y.RawRowView(i)[from:to]
		mean, scale := meanAndScale(row)
		matrix.Standardise(linalg.Row(part, i), row, mean, scale)
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
