package sensors

import (
	"context"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/prepare"
)

const (
	// clip is the standard deviations beyond which a value tells the others no more.
	clip = 3
	// ridge keeps sensors that are nearly the same from being played off against each other.
	ridge = 0.1
)

// peers are signals in units of their own, without cycles and trends, and what each
// sensor's others predict of it.
type peers struct {
	rows      []int        // those that vary
	z         linalg.Dense // a row for each: usual values have median 0 and standard deviation 1
	predicted linalg.Dense // by the others, less than their values if that is not sure
	residual  linalg.Dense // what that leaves
	known     linalg.Dense // of the values, what others are told: clipped, 0 if missing
}

// courseOf returns the trends and cycles of signals some of which may be at fault.
func courseOf(ctx context.Context, y *mat.Dense, times []time.Time) (prepare.Course, error) {
	clipped := mat.DenseCopyOf(y)
	standardise(ctx, clipped, clip)
	return prepare.FindCourse(ctx, clipped, times)
}

func newPeers(ctx context.Context, y *mat.Dense, course prepare.Course, times []time.Time) (*peers, error) {
	y = mat.DenseCopyOf(y)
	standardise(ctx, y, math.Inf(1))
	if err := course.RemoveRobustly(ctx, y, times); err != nil {
		return nil, err
	}
	standardise(ctx, y, math.Inf(1))

	p := &peers{}
	_, m := y.Dims()
	for i := range run.While(ctx, y.RawMatrix().Rows) {
		if _, sd := middle(y.RawRowView(i)); sd > 0 {
			p.rows = append(p.rows, i)
		}
	}
	n := len(p.rows)
	p.z, p.residual = linalg.NewDense(n, m), linalg.NewDense(n, m)
	p.known = linalg.NewDense(n, m)
	for a, i := range p.rows {
		copy(linalg.Row(p.z, a), y.RawRowView(i))
		for k, v := range y.RawRowView(i) {
			if !isMissing(v) {
				linalg.Row(p.known, a)[k] = min(max(v, -clip), clip)
			}
		}
	}
	p.predicted = p.without(ctx, make([]bool, n))
	for k, v := range p.z.Data {
		p.residual.Data[k] = v - p.predicted.Data[k]
	}
	return p, context.Cause(ctx)
}

// inTime is the median correlation of values with the ones before from which on they
// follow one another in time.
const inTime = 0.2

// areInTime reports whether observations follow one another in time, by their correlation.
func (p *peers) areInTime() bool {
	correlations := make([]float64, p.z.Rows)
	for a := range correlations {
		correlations[a] = memory(linalg.Row(p.z, a))
	}
	return matrix.Median(correlations) > max(inTime, 4/math.Sqrt(float64(p.z.Cols)))
}

// standardise gives each row the median 0 and the usual standard deviation 1, and clips
// values beyond most of these. Rows without a usual deviation are left alone.
func standardise(ctx context.Context, y *mat.Dense, most float64) {
	for i := range run.While(ctx, y.RawMatrix().Rows) {
		x := y.RawRowView(i)
		median, sd := middle(x)
		if sd == 0 {
			continue
		}
		for k, v := range x {
			if !isMissing(v) {
				x[k] = min(max((v-median)/sd, -most), most)
			}
		}
	}
}

// moments returns the sums of products of what sensors tell, and the inverse of those of some of them with a ridge; nil if
// there is none.
func (p *peers) moments(in []int) (moments linalg.Dense, inverse *mat.SymDense) {
	n, m := p.known.Rows, p.known.Cols
	moments = linalg.NewDense(n, n)
	linalg.MulTransB(moments, p.known, p.known)
	kept := mat.NewSymDense(max(len(in), 1), nil)
	for a, i := range in {
		for b, j := range in[:a+1] {
			kept.SetSym(a, b, moments.Data[i*n+j])
		}
		kept.SetSym(a, a, kept.At(a, a)+ridge*float64(m)+float64(n))
	}
	var chol mat.Cholesky
	inverse = &mat.SymDense{}
	if len(in) == 0 || !chol.Factorize(kept) || chol.InverseTo(inverse) != nil {
		return moments, nil
	}
	return moments, inverse
}

// without returns what each row's others predict of it, but for some that are left
// out: the regression on these, with a ridge, of all observations but the one that is predicted. With
// as many sensors as observations, a regression that has seen a value nearly repeats it, and every
// other one seems to be a spike. What it returns after the end of ctx means nothing.
func (p *peers) without(ctx context.Context, out []bool) linalg.Dense {
	n, m := p.known.Rows, p.known.Cols
	predicted := linalg.NewDense(n, m)
	in := matrix.Where(out, func(_ int, taken bool) bool { return !taken })
	moments, inverse := p.moments(in)
	if inverse == nil || ctx.Err() != nil {
		return predicted // nothing
	}
	// Rows of pull are, for a sensor in the regression, its row of the inverse A⁻¹ of the moments
	// with a ridge, and for one left out its coefficients.
	pull := linalg.NewDense(n, n)
	for a, i := range in {
		for b, j := range in {
			pull.Data[i*n+j] = inverse.At(a, b)
		}
	}
	for i := range run.While(ctx, n) {
		if !out[i] {
			continue
		}
		for a, j := range in {
			for b, l := range in {
				pull.Data[i*n+j] += inverse.At(a, b) * moments.Data[i*n+l]
			}
		}
	}
	if ctx.Err() != nil {
		return predicted
	}
	linalg.Mul(predicted, pull, p.known)
	// Without the observation z, the moments are A − zzᵀ. With u = A⁻¹z and q = zᵀu, the residual of
	// sensor i is u_i/((1 − q)(A⁻¹)_ii + u_i²); and if it is left out of the regression, which
	// predicts ŷ for its value y, that becomes (ŷ − qy)/(1 − q).
	q := make([]float64, m)
	for _, i := range in {
		u, z := linalg.Row(predicted, i), linalg.Row(p.known, i)
		for k := range q {
			q[k] += u[k] * z[k]
		}
	}
	for i := range n {
		x, z, own := linalg.Row(predicted, i), linalg.Row(p.known, i), pull.Data[i*n+i]
		for k, v := range x {
			if left := 1 - q[k]; out[i] {
				x[k] = (v - q[k]*z[k]) / left
			} else {
				x[k] = z[k] - v/(left*own+v*v)
			}
		}
	}
	return predicted
}
