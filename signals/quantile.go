package signals

import "slices"

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
