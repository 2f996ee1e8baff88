package matrix

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Row describes the values of one vertex.
type Row struct {
	Observed int     // values that are not missing
	Low      float64 // the least of them
	High     float64 // the largest
	Mean     float64 // over what was observed; Low if the row does not vary
	SD       float64 // the square root of the variance with divisor n; 0 if the row does not vary
	Varies   bool    // by more than rounding
}

// rounding is the share of a vertex's largest value within which all its values
// count as one and the same.
const rounding = 1e-12

// Varies reports whether the values of a vertex that are not missing differ by more
// than rounding: whether half their range exceeds 10⁻¹² of the largest.
func Varies(x []float64) bool {
	low, high, _ := extremes(x)
	return varies(low, high)
}

// varies divides before it subtracts, so that no difference overflows; it is
// false for the extremes of no values at all.
func varies(low, high float64) bool {
	return high/2-low/2 > rounding*max(math.Abs(low), math.Abs(high))
}

// extremes returns the least and the largest value that is not missing, and how
// many there are.
func extremes(x []float64) (low, high float64, observed int) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range x { // nothing is less or more than NaN
		if v < low {
			low = v
		}
		if v > high {
			high = v
		}
		if v == v {
			observed++
		}
	}
	return low, high, observed
}

// DescribeRows describes each row of y.
func DescribeRows(y *mat.Dense) []Row {
	n, _ := y.Dims()
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Describe(y.RawRowView(i))
	}
	return rows
}

// Describe returns the moments of a row. It works in a unit of the row's own, so
// that no square overflows and no vertex is lost beside another. A row without
// any value is the zero Row.
func Describe(x []float64) Row {
	low, high, n := extremes(x)
	if n == 0 {
		return Row{}
	}
	r := Row{Observed: n, Low: low + 0, High: high + 0, Mean: low + 0, Varies: varies(low, high)} // no −0
	if !r.Varies {
		return r
	}
	_, exponent := math.Frexp(max(math.Abs(low), math.Abs(high)))
	first, second := InverseUnit(exponent)
	var mean, square float64
	for _, v := range x {
		if !math.IsNaN(v) {
			mean += v * first * second / float64(n)
		}
	}
	for _, v := range x {
		if !math.IsNaN(v) {
			d := v*first*second - mean
			square += float64(d*d) / float64(n)
		}
	}
	r.Mean, r.SD = math.Ldexp(mean, exponent), math.Ldexp(math.Sqrt(square), exponent)
	return r
}

// Standardise sets each entry of to to that of x less a mean, over a standard deviation; all to zero if that is zero,
// as it is of a [Row] that does not vary. They may be the same slice, and NaN stays NaN otherwise.
func Standardise(to, x []float64, mean, sd float64) {
	if sd == 0 {
		clear(to)
		return
	}
	for k, v := range x {
		to[k] = (v - mean) / sd
	}
}

// InverseUnit returns two factors whose product is 2 to the power of −exponent, which may itself be out of range. A
// number times both is what [math.Ldexp] makes of it, bit by bit, at a fraction of the time.
func InverseUnit(exponent int) (first, second float64) {
	half := exponent / 2
	return math.Ldexp(1, -half), math.Ldexp(1, half-exponent)
}

// Size returns the largest magnitude in a row.
func (r Row) Size() float64 { return max(math.Abs(r.Low), math.Abs(r.High)) }

// Bounded returns values with wild ones brought in to ten times the distance of the quartiles
// from the median, so that no few of them decide a mean.
func Bounded(values []float64) []float64 {
	sorted := slices.Clone(values)
	low, middle, high := Quantile(sorted, 0.25), Quantile(sorted, 0.5), Quantile(sorted, 0.75)
	most := 10 * (high - low)
	for k, v := range values {
		sorted[k] = min(max(v, middle-most), middle+most)
	}
	return sorted
}

// ObservedShare returns the share of the values of rows that vary which are not missing; 1 of none. A row that
// was masked as a whole, or is the same as another and stands aside, takes nothing from the others.
func ObservedShare(y *mat.Dense) float64 {
	_, m := y.Dims()
	observed, all := 0, 0
	for _, row := range DescribeRows(y) {
		if row.Varies {
			observed, all = observed+row.Observed, all+m
		}
	}
	if all == 0 {
		return 1
	}
	return float64(observed) / float64(all)
}

// Kurtosis returns the median kurtosis of samples, of which there are the sums of squares and of fourth
// powers of values in units of their own, and how many those are; 0 of none.
func Kurtosis(squares, fourths, counts []float64) float64 {
	var all []float64
	for k, s := range squares {
		if s > 0 {
			all = append(all, counts[k]*fourths[k]/(s*s))
		}
	}
	return Quantile(all, 0.5)
}

// QValues returns the false discovery rate at which each of some chances passes, by Benjamini and
// Hochberg's rule ([benjamini1995]) over as many tests, of which the others have larger ones.
func QValues(chances []float64, tests int) []float64 {
	order := Sorted(len(chances), func(a, b int) int { return cmp.Compare(chances[a], chances[b]) })
	values, least := make([]float64, len(chances)), 1.0
	for rank := len(order) - 1; rank >= 0; rank-- {
		k := order[rank]
		least = min(least, chances[k]*float64(tests)/float64(rank+1))
		values[k] = least
	}
	return values
}

// Quantile returns the q-quantile of values, which it sorts, by interpolation between the
// nearest two; 0 of none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	at := q * float64(len(values)-1)
	k := int(at)
	if k+1 == len(values) {
		return values[k]
	}
	return values[k] + (at-float64(k))*(values[k+1]-values[k])
}

// ObservedColumns returns the columns with a value in any row.
func ObservedColumns(y *mat.Dense) []int {
	n, m := y.Dims()
	seen := make([]bool, m)
	for i := range n {
		for k, v := range y.RawRowView(i) {
			seen[k] = seen[k] || !math.IsNaN(v)
		}
	}
	return Where(seen, func(_ int, some bool) bool { return some })
}
