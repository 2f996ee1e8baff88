package baseline

import (
	"context"
	"math"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// unscaled returns y divided by a power of two so that its largest entry is
// about 1: no digit changes, and no square overflows.
func unscaled(y *mat.Dense) *mat.Dense {
	var largest float64
	n, _ := y.Dims()
	for i := range n {
		largest = max(largest, floats.Norm(y.RawRowView(i), math.Inf(1)))
	}
	_, exponent := math.Frexp(largest)
	var scaled mat.Dense
	scaled.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, -exponent) }, y)
	return &scaled
}

// standardised returns the rows of y with mean 0 and mean square 1; rows that do
// not vary are zero. Each row has its own unit, so that none is lost beside others.
func standardised(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	u := linalg.NewDense(n, m)
	for i := range n {
		if !matrix.Varies(y.RawRowView(i)) {
			continue
		}
		row := linalg.Row(u, i)
		_, exponent := math.Frexp(floats.Norm(y.RawRowView(i), math.Inf(1)))
		for k, v := range y.RawRowView(i) {
			row[k] = math.Ldexp(v, -exponent) // so that no square overflows
		}
		floats.AddConst(-portable.Sum(row)/float64(m), row)
		floats.Scale(1/floats.Norm(row, math.Inf(1)), row)
		floats.AddConst(-portable.Sum(row)/float64(m), row)
		floats.Scale(math.Sqrt(float64(m))/floats.Norm(row, 2), row)
	}
	return u
}

// correlations returns the correlation of rows over the pairs, 0 where a row
// does not vary. If ctx ends, the pairs not reached are 0 and the status says so.
func correlations(ctx context.Context, y *mat.Dense) ([]float64, method.Status) {
	u := standardised(y)
	return overPairs(ctx, u.Rows, func(i, j int) float64 {
		return min(max(portable.Dot(linalg.Row(u, i), linalg.Row(u, j))/float64(u.Cols), -1), 1)
	})
}

// secondMoments returns U·Uᵀ over the number of columns, exactly symmetric.
func secondMoments(u linalg.Dense) linalg.Dense {
	s := linalg.NewDense(u.Rows, u.Rows)
	linalg.MulTransB(s, u, u)
	floats.Scale(1/float64(u.Cols), s.Data)
	mirror(s)
	return s
}

// mirror copies what is above the diagonal below it.
func mirror(a linalg.Dense) {
	for i := range a.Rows {
		for j := range i {
			a.Data[i*a.Stride+j] = a.Data[j*a.Stride+i]
		}
	}
}
