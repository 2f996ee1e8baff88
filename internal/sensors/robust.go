package sensors

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

var missing = math.NaN()

func isMissing(v float64) bool { return math.IsNaN(v) }

// toSD makes the median of absolute deviations of normal values their standard
// deviation: 1/Φ⁻¹(3/4).
const toSD = 1.4826

// observed returns the values that are not missing.
func observed(x []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(x), isMissing)
}

// middle returns the median of what is observed, and the standard deviation that the
// median of the absolute deviations from it suggests.
func middle(x []float64) (median, sd float64) {
	values := observed(x)
	median = matrix.Quantile(values, 0.5)
	for k, v := range values {
		values[k] = math.Abs(v - median)
	}
	return median, toSD * matrix.Quantile(values, 0.5)
}

// tails is how many times the distance between their quartiles numbers may be above
// the upper one, on a logarithmic scale, and count as usual, and longTails the same for
// the largest of very many.
const tails, longTails = 3, 5

// usual returns the largest number that is usual among positive ones, one for each
// sensor. If these differ much from each other, larger ones are usual. Up to a quarter
// of them may be of broken sensors.
func usual(values []float64, tails float64) float64 {
	logs := make([]float64, 0, len(values))
	for _, v := range values {
		if v > 0 {
			logs = append(logs, math.Log(v))
		}
	}
	if len(logs) == 0 {
		return 0
	}
	low, high := matrix.Quantile(logs, 0.25), matrix.Quantile(logs, 0.75)
	return portable.Exp(high + tails*(high-low))
}
