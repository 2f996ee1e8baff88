package signals

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
)

const (
	// leastToRegress is the fewest signals and observed values of a vertex that missing
	// values are inferred from.
	leastToRegress = 10
	// mostAtOnce is the most values missing in a signal that are drawn together; more are
	// drawn each for itself.
	mostAtOnce = 300
	// fillVertices is the most vertices whose correlations are looked at.
	fillVertices = 2000
	// fillShrinkage is how much of the correlations is given up, and of as many signals as
	// vertices, so that they are those of a distribution.
	fillShrinkage, fillPerVertex = 0.02, 0.5
	// fillErrors is how many standard errors of chance are taken off the square of a
	// correlation: what chance makes of independent vertices must not come back as edges.
	fillErrors = 3
)

// FillMissing returns y with its missing entries drawn from what the others suggest, and
// how many there were; y itself if there are none. They are drawn from the Gaussian whose
// correlations are those of the values observed at both of two vertices, given the
// values that are there: their variance and their correlations are then about those of
// the others, neither weaker, as with means, nor stronger, as with what is most likely.
// The same y gives the same draws. A row with hardly any value is filled with its
// mean, or with zeros. If ctx ends first, there is only its cause.
func FillMissing(ctx context.Context, y *mat.Dense) (*mat.Dense, int, error) {
	missing := matrix.Missing(y)
	if missing == 0 {
		return y, 0, nil
	}
	filled := mat.DenseCopyOf(y)
	n, m := y.Dims()
	rows := matrix.DescribeRows(y)
	f := filler{y: filled, rows: rows}
	for i, r := range rows {
		if r.Varies && r.Observed >= leastToRegress {
			f.usable = append(f.usable, i)
		}
	}
	if len(f.usable) > 1 && n <= fillVertices && m >= leastToRegress && f.fit(ctx) {
		for t := range run.While(ctx, m) {
			f.draw(t)
		}
	}
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	for i, r := range rows { // the rest
		row := filled.RawRowView(i)
		for k, v := range row {
			if math.IsNaN(v) {
				row[k] = r.Mean
			}
		}
	}
	return filled, missing, nil
}

// A filler draws missing values.
type filler struct {
	y      *mat.Dense
	rows   []matrix.Row
	usable []int         // rows that take part
	theta  *mat.SymDense // the inverse of their correlations
}

// fit finds the correlations; false if there is no such distribution.
func (f *filler) fit(ctx context.Context) bool {
	_, m := f.y.Dims()
	n := len(f.usable)
	values, seen := linalg.NewDense(n, m), linalg.NewDense(n, m)
	for a, i := range f.usable {
		z, there := linalg.Row(values, a), linalg.Row(seen, a)
		for k, v := range f.y.RawRowView(i) {
			if !math.IsNaN(v) {
				z[k], there[k] = (v-f.rows[i].Mean)/f.rows[i].SD, 1
			}
		}
	}
	products, pairs := linalg.NewDense(n, n), linalg.NewDense(n, n)
	linalg.MulTransB(products, values, values)
	if ctx.Err() != nil {
		return false
	}
	linalg.MulTransB(pairs, seen, seen)
	for shrink := fillShrinkage + fillPerVertex*float64(n)/float64(n+m); shrink < 1 && ctx.Err() == nil; shrink = (1 + shrink) / 2 {
		correlations := mat.NewSymDense(n, nil)
		for a := range n {
			for b := range a {
				if both := pairs.Data[a*n+b]; both > 0 {
					correlations.SetSym(a, b, (1-shrink)*beyondChance(min(max(products.Data[a*n+b]/both, -1), 1), both))
				}
			}
			correlations.SetSym(a, a, 1)
		}
		var chol mat.Cholesky
		f.theta = mat.NewSymDense(n, nil)
		if chol.Factorize(correlations) && chol.InverseTo(f.theta) == nil {
			return true
		}
		if shrink > 0.95 {
			break
		}
	}
	return false
}

// beyondChance returns a correlation over that many signals without what chance has of it:
// r·(1 − c²/(n r²)), and 0 if that is all.
func beyondChance(r, count float64) float64 {
	if chance := fillErrors * fillErrors / count; r*r > chance {
		return r * (1 - chance/(r*r))
	}
	return 0
}

// draw fills signal t: given the others, missing values z have the precision Θ_hh and the
// mean −Θ_hh⁻¹ Θ_hv z_v.
func (f *filler) draw(t int) {
	var hidden []int
	known := make([]float64, len(f.usable))
	for a, i := range f.usable {
		if v := f.y.At(i, t); math.IsNaN(v) {
			hidden = append(hidden, a)
		} else {
			known[a] = (v - f.rows[i].Mean) / f.rows[i].SD
		}
	}
	if len(hidden) == 0 {
		return
	}
	r := rng.Stream(1, "missing", t)
	set := func(a int, z float64) {
		i := f.usable[a]
		f.y.Set(i, t, f.rows[i].Mean+f.rows[i].SD*z)
	}
	if len(hidden) > mostAtOnce {
		for _, a := range hidden {
			set(a, r.NormFloat64())
		}
		return
	}
	block, pull := mat.NewSymDense(len(hidden), nil), mat.NewVecDense(len(hidden), nil)
	for h, a := range hidden {
		sum := 0.0
		for b, z := range known {
			sum -= f.theta.At(a, b) * z
		}
		pull.SetVec(h, sum)
		for g, b := range hidden[:h+1] {
			block.SetSym(h, g, f.theta.At(a, b))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(block) {
		return // the means do
	}
	var expected mat.VecDense
	if err := chol.SolveVecTo(&expected, pull); err != nil {
		return
	}
	// With Θ_hh = UᵀU, U⁻¹ε has the covariance Θ_hh⁻¹.
	var upper mat.TriDense
	chol.UTo(&upper)
	noise := mat.NewVecDense(len(hidden), nil)
	for h := range hidden {
		noise.SetVec(h, r.NormFloat64())
	}
	if err := noise.SolveVec(&upper, noise); err != nil {
		return
	}
	for h, a := range hidden {
		set(a, expected.AtVec(h)+noise.AtVec(h))
	}
}
