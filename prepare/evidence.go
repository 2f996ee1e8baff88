package prepare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/nervure/nervure/signals"
)

// signsByChance returns the probability that all values that are not zero have the
// same sign by chance, 1 if they have not. A signal of the model is as likely as
// its negative, so it is that of as many tosses of a coin as there are independent
// signals that are not zero, the first toss being free.
func signsByChance(y *mat.Dense, rows []signals.Row) float64 {
	above, below := false, false
	_, m := y.Dims()
	tossed := make([]bool, m)
	for i, r := range rows {
		if !r.Varies {
			continue
		}
		for k, v := range y.RawRowView(i) {
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
	return min(math.Exp2(1-min(EffectiveObservations(y), float64(tosses))), 1)
}

// meansByChance returns a bound on the probability that a mean as far from zero
// as the farthest in y is chance, and the row of that mean: Student's test of
// each row that varies, with as many degrees of freedom as its effective
// observations leave, times the number of rows. It is 1 if no row comes below
// meanAlarm.
//
// Signals of the model are sums of a few atoms with Gaussian coefficients of mean
// zero. Given the atoms, the entries of a row are Gaussian with different
// variances, and for those Student's test errs on the safe side at every level
// below 0.05 ([bakirov2006]), however sparse the row.
func meansByChance(y *mat.Dense, rows []signals.Row) (p float64, vertex int) {
	p, vertex = 1, -1
	for i, r := range rows {
		if !r.Varies {
			continue
		}
		q := studentTail(r, float64(r.Observed))
		if q*float64(len(rows)) > meanAlarm { // autocorrelation only makes it larger
			continue
		}
		q = studentTail(r, effectiveOf(y.RawRowView(i), longest)) * float64(len(rows))
		if q <= meanAlarm && q < p {
			p, vertex = q, i
		}
	}
	return p, vertex
}

// studentTail returns the probability that Student's statistic of n independent
// observations is as large in size as that of r.
func studentTail(r signals.Row, n float64) float64 {
	freedom := n - 1
	if freedom <= 0 {
		return 1
	}
	t := r.Mean / r.SD * math.Sqrt(freedom)
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// scaleSpread returns how far the standard deviations of the rows lie apart, the
// ratio of the one that a tenth of them exceed to the one that nine tenths exceed,
// and the median of how many independent Gaussian values would give them as
// surely: 2n/(κ − 1) for kurtosis κ, which sparse signals make large.
func scaleSpread(y *mat.Dense, rows []signals.Row) (ratio, grounds float64) {
	var logs, values []float64
	for i, r := range rows {
		if !r.Varies {
			continue
		}
		logs = append(logs, math.Log(r.SD))
		var fourth float64
		for _, v := range y.RawRowView(i) {
			if !math.IsNaN(v) {
				fourth += math.Pow((v-r.Mean)/r.SD, 4)
			}
		}
		n := float64(r.Observed)
		values = append(values, 2*n/max(fourth/n-1, 1e-9))
	}
	if len(logs) == 0 {
		return 1, 0
	}
	return math.Exp(quantile(logs, 0.9) - quantile(logs, 0.1)), quantile(values, 0.5)
}

// correlationFloor returns the correlation that all pairs of the given vertices
// but a share of floorRank exceed. Of many vertices and observations it takes
// some, evenly spaced.
func correlationFloor(z *mat.Dense, vertices []int) float64 {
	const mostVertices, mostObservations = 200, 5000 // some seconds' work would tell no more
	vertices = spaced(vertices, mostVertices)
	_, m := z.Dims()
	stride := (m + mostObservations - 1) / mostObservations
	unit := make([][]float64, len(vertices))
	for k, i := range vertices {
		x := standardised(z.RawRowView(i))
		for at := 0; at*stride < m; at++ {
			unit[k] = append(unit[k], x[at*stride])
		}
	}
	var correlations []float64
	for a := range unit {
		for b := range a {
			correlations = append(correlations, correlation(unit[a], unit[b]))
		}
	}
	return quantile(correlations, floorRank)
}

// correlation returns the cosine between two rows that have mean zero, over what
// is observed in both; 0 if that is nothing.
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

func varyingOf(rows []signals.Row) []int {
	var list []int
	for i, r := range rows {
		if r.Varies {
			list = append(list, i)
		}
	}
	return list
}

// spaced returns at most so many of a list, from its first to its last.
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

// quantile returns the q-quantile of values, which it sorts, by interpolation.
func quantile(values []float64, q float64) float64 {
	slices.Sort(values)
	at := q * float64(len(values)-1)
	k := int(at)
	if k+1 == len(values) {
		return values[k]
	}
	return values[k] + (at-float64(k))*(values[k+1]-values[k])
}
