package prepare

import (
	"context"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

// EffectiveObservations returns the effective sample size of y: how many
// independent observations would determine the means of its rows as precisely as
// its columns do, which may be autocorrelated. It is the median, over the rows that
// vary, up to a thousand at equal distances, of
//
//	n/(1 + 2 Σ_k ρ_k)
//
// where n is the number of observed columns and ρ_k the autocorrelation at lag k.
// The sum ends before the first two lags 2j and 2j + 1 whose sum is negative: from
// there on it is noise. The answer is at least 1 and at most n.
// Entries that are NaN are missing. A matrix without a row that varies gives the
// number of its columns.
func EffectiveObservations(y *mat.Dense) float64 {
	return effectiveObservations(context.Background(), y)
}

// ObservedValues returns how many values a vertex has: the median of those that vary.
func ObservedValues(y *mat.Dense) float64 {
	var observed []float64
	for _, row := range matrix.DescribeRows(y) {
		if row.Varies {
			observed = append(observed, float64(row.Observed))
		}
	}
	if len(observed) == 0 {
		_, m := y.Dims()
		return float64(m)
	}
	return matrix.Median(observed)
}

// effectiveObservations is EffectiveObservations; what it returns after the end of ctx
// means nothing.
func effectiveObservations(ctx context.Context, y *mat.Dense) float64 {
	n, m := y.Dims()
	var effective []float64
	for k := range run.While(ctx, min(n, mostEffective)) {
		if x := y.RawRowView(k * n / min(n, mostEffective)); matrix.Varies(x) {
			effective = append(effective, effectiveOf(x, transformLimit))
		}
	}
	if len(effective) == 0 {
		return float64(m)
	}
	return matrix.Median(effective)
}

// mostEffective is the most vertices that are looked at, at equal distances: the median of more is the same.
const mostEffective = 1000

// transformLimit is the most columns that autocorrelations are computed from:
// gonum's Fourier transforms have at most thirteen factors of four, and half is
// padding.
const transformLimit = 1 << 25

// effectiveOf is EffectiveObservations of one row that varies, with the
// autocorrelations of its first values, at most that many.
func effectiveOf(x []float64, most int) float64 {
	start := x[:min(len(x), most)]
	var rho []float64 // those of a start that does not vary say nothing
	if matrix.Varies(start) {
		rho = autocorrelation(start)
	}
	sum := 0.0
	for k := 0; k+1 < len(rho); k += 2 {
		pair := rho[k] + rho[k+1]
		if pair <= 0 {
			break
		}
		sum += 2 * pair
	}
	n := 0
	for _, v := range x {
		if !math.IsNaN(v) {
			n++
		}
	}
	return max(float64(n)/max(sum-1, 1), 1) // sum counts lag 0 twice
}

// autocorrelation returns the autocorrelations of x at the lags from 0 to half its
// length: sums over the pairs that are observed, all divided by that of lag 0.
// These are the shares that pairs at each lag have in the variance of the mean,
// with gaps as without; far lags have fewer pairs and count for less.
func autocorrelation(x []float64) []float64 {
	m := len(x)
	size := 1
	for size < 2*m {
		size *= 2
	}
	values := make([]float64, size)
	for k, v := range standardised(x, matrix.Describe(x)) {
		if !math.IsNaN(v) {
			values[k] = v
		}
	}
	products := correlate(fourier.NewFFT(size), values)
	rho := make([]float64, m/2+1)
	for k := range rho {
		rho[k] = products[k] / products[0]
	}
	return rho
}

// correlate returns Σ_t x_t x_{t+k}, but for a factor, of a sequence padded with
// as many zeros as it is long.
func correlate(fft *fourier.FFT, x []float64) []float64 {
	c := fft.Coefficients(nil, x)
	for k, v := range c {
		c[k] = complex(real(v)*real(v)+imag(v)*imag(v), 0)
	}
	s := fft.Sequence(nil, c)
	for k := range s {
		s[k] /= float64(len(x))
	}
	return s
}
