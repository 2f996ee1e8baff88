package prepare

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// evidence is what signals tell about the steps that they call for. It computes only what
// is asked for.
type evidence struct {
	z    *mat.Dense
	rows []matrix.Row
}

func newEvidence(z *mat.Dense) evidence { return evidence{z, matrix.DescribeRows(z)} }

// sameSignPValue returns the probability that all non-zero values have the same
// sign by chance, 1 if their signs differ. Under the model a signal is as likely as
// its negative, so this is the probability of equal tosses of a coin, one for each
// independent non-zero signal.
func (e evidence) sameSignPValue(ctx context.Context) float64 {
	above, below := false, false
	_, m := e.z.Dims()
	tossed := make([]bool, m)
	for i, r := range e.rows {
		if !r.Varies {
			continue
		}
		for k, v := range e.z.RawRowView(i) {
			above, below = above || v > 0, below || v < 0
			tossed[k] = tossed[k] || v > 0 || v < 0
		}
		if above && below {
			return 1
		}
	}
	tosses := 0
	for _, t := range tossed {
		if t {
			tosses++
		}
	}
	return min(math.Exp2(1-min(effectiveObservations(ctx, e.z), float64(tosses))), 1)
}

// meansPValue tests whether the mean of any row differs from zero and returns the
// smallest p-value with its row: Student's test of each row that varies, with the
// degrees of freedom of its effective observations, corrected for the number of rows
// (Bonferroni). It is 1 if no row comes below meanAlarm.
//
// Under the model, signals are sums of a few atoms with Gaussian coefficients of
// mean zero. Given the atoms, the entries of a row are Gaussian with different
// variances, and for those Student's test is conservative at every level below 0.05
// ([bakirov2006]), however sparse the row.
func (e evidence) meansPValue(ctx context.Context) (p float64, vertex int) {
	p, vertex = 1, -1
	for i := range run.While(ctx, len(e.rows)) {
		r := e.rows[i]
		if !r.Varies {
			continue
		}
		q := studentTail(r, float64(r.Observed))
		if q*float64(len(e.rows)) > meanAlarm { // autocorrelation only makes it larger
			continue
		}
		q = studentTail(r, effectiveOf(e.z.RawRowView(i), transformLimit)) * float64(len(e.rows))
		if q <= meanAlarm && q < p {
			p, vertex = q, i
		}
	}
	return p, vertex
}

// studentTail returns the two-sided p-value of Student's statistic of r for n
// independent observations.
func studentTail(r matrix.Row, n float64) float64 {
	freedom := n - 1
	return min(2*upperTail(r.Mean/r.SD*math.Sqrt(freedom), freedom), 1)
}

// scaleSpread returns the ratio of the 0.9-quantile of the rows' standard deviations
// to their 0.1-quantile, and the median number of independent Gaussian values that
// would determine these as precisely: 2n/(κ − 1) for kurtosis κ, which is large for
// sparse signals.
func (e evidence) scaleSpread() (ratio, effective float64) {
	var logs, values []float64
	for i, r := range e.rows {
		if !r.Varies {
			continue
		}
		logs = append(logs, math.Log(r.SD))
		var fourth float64
		for _, v := range e.z.RawRowView(i) {
			if !math.IsNaN(v) {
				square := (v - r.Mean) / r.SD
				square *= square
				fourth += float64(square * square)
			}
		}
		n := float64(r.Observed)
		values = append(values, 2*n/max(fourth/n-1, 1e-9))
	}
	if len(logs) == 0 {
		return 1, 0
	}
	ratio = min(portable.Exp(matrix.Quantile(logs, 0.9)-matrix.Quantile(logs, 0.1)), math.MaxFloat64)
	return ratio, matrix.Median(values)
}

// correlationFloor returns the floorRank-quantile of the correlations of all pairs
// of the given vertices. Of many vertices and observations it takes an evenly spaced
// sample.
func (e evidence) correlationFloor(ctx context.Context, vertices []int) float64 {
	const mostVertices, mostObservations = 200, 5000 // more would take seconds and tell no more
	vertices = spaced(vertices, mostVertices)
	_, m := e.z.Dims()
	stride := (m + mostObservations - 1) / mostObservations
	unit := make([][]float64, len(vertices))
	for k, i := range vertices {
		x := standardised(e.z.RawRowView(i), e.rows[i])
		for at := 0; at*stride < m; at++ {
			unit[k] = append(unit[k], x[at*stride])
		}
	}
	var correlations []float64
	for a := range run.While(ctx, len(unit)) {
		for b := range a {
			correlations = append(correlations, correlation(unit[a], unit[b]))
		}
	}
	return matrix.Quantile(correlations, floorRank)
}

// correlation returns the cosine between two rows of mean zero, over the entries
// observed in both; 0 if there are none.
func correlation(a, b []float64) float64 {
	var ab, aa, bb float64
	for k, v := range a {
		if w := b[k]; !math.IsNaN(v) && !math.IsNaN(w) {
			ab += v * w
			aa += v * v
			bb += w * w
		}
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa) / math.Sqrt(bb)
}

func varyingOf(rows []matrix.Row) []int {
	return matrix.Where(rows, func(_ int, r matrix.Row) bool { return r.Varies })
}

// spaced returns at most that many of a list, from its first to its last.
func spaced(list []int, most int) []int {
	if len(list) <= most {
		return list
	}
	some := make([]int, most)
	for k := range some {
		some[k] = list[k*(len(list)-1)/(most-1)]
	}
	return some
}
