package prepare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A row is what a vertex does over the observations.
type row struct {
	observed int
	mean, sd float64 // over what was observed; the variance has the divisor n
	varies   bool    // by more than rounding
}

// describe returns the moments of each row of y.
func describe(y *mat.Dense) []row {
	n, _ := y.Dims()
	rows := make([]row, n)
	for i := range rows {
		rows[i] = describeRow(y.RawRowView(i))
	}
	return rows
}

// describeRow works in a unit of the row's own, so that no square overflows and
// no vertex is lost beside another.
func describeRow(x []float64) row {
	low, high, n := math.Inf(1), math.Inf(-1), 0
	for _, v := range x {
		if math.IsNaN(v) {
			continue
		}
		low, high = min(low, v), max(high, v)
		n++
	}
	if n == 0 {
		return row{}
	}
	largest := max(math.Abs(low), math.Abs(high))
	r := row{observed: n, mean: low, varies: high/2-low/2 > 1e-12*largest}
	if !r.varies {
		return r
	}
	_, exponent := math.Frexp(largest)
	var mean, square float64
	for _, v := range x {
		if !math.IsNaN(v) {
			mean += math.Ldexp(v, -exponent) / float64(n)
		}
	}
	for _, v := range x {
		if !math.IsNaN(v) {
			d := math.Ldexp(v, -exponent) - mean
			square += d * d / float64(n)
		}
	}
	r.mean, r.sd = math.Ldexp(mean, exponent), math.Ldexp(math.Sqrt(square), exponent)
	return r
}

// standardised returns a row that varies with mean 0 and mean square 1.
func standardised(x []float64) []float64 {
	z := slices.Clone(x)
	r := describeRow(x)
	centreRow(z, r)
	scaleRow(z, r)
	return z
}

// energy returns Σ y² over what is observed, in the unit given.
func energy(y *mat.Dense, unit float64) float64 {
	var sum float64
	n, _ := y.Dims()
	for i := range n {
		for _, v := range y.RawRowView(i) {
			if !math.IsNaN(v) {
				v /= unit
				sum += v * v
			}
		}
	}
	return sum
}

// largest returns the largest size of an entry, 1 if there is none but zeros.
func largest(y *mat.Dense) float64 {
	var most float64
	n, _ := y.Dims()
	for i := range n {
		for _, v := range y.RawRowView(i) {
			if a := math.Abs(v); a > most { // never for NaN
				most = a
			}
		}
	}
	if most == 0 {
		return 1
	}
	return most
}
