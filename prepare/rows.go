package prepare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
)

// standardised returns a row that varies with mean 0 and mean square 1.
func standardised(x []float64) []float64 {
	z := slices.Clone(x)
	r := signals.Describe(x)
	centreRow(z, r)
	scaleRow(z, r)
	return z
}

// energy returns Σ y² over the observed entries, in the given unit.
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

// largest returns the largest absolute value of an entry, 1 if all are zero.
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
