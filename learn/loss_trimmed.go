package learn

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/portable"
)

// A trimmedLoss is ‖DX − Y‖²/‖Y‖² over some of the signals, with the coefficients
// eliminated.
type trimmedLoss[E engine] struct {
	view[E]
	residuals residualEnergies // of the weights it was last evaluated at
	weight    []float64        // of each signal, 0 for those left out
}

// newTrimmedLoss returns the loss of the given signals.
func newTrimmedLoss[E engine](v view[E], signals []int) *trimmedLoss[E] {
	l := &trimmedLoss[E]{view: v, weight: make([]float64, v.m)}
	for _, m := range signals {
		l.weight[m] = 1 / l.energy
	}
	return l
}

// trim leaves signals out whose support is still wrong: they would keep the
// weights from becoming exact. The given share of the signals, those of smallest
// residual, is kept in any case, and with them all that are not far above the
// median unless strict.
func (l *trimmedLoss[E]) trim(residuals residualEnergies, share float64, strict bool) {
	l.residuals = residuals
	sorted := slices.Sorted(slices.Values(residuals))
	limit := sorted[int(share*float64(len(sorted)-1))]
	if !strict {
		limit = max(limit, 100*sorted[len(sorted)/2])
	}
	for m, r := range residuals {
		l.weight[m] = 0
		if r <= max(limit, l.rounding[m]) {
			l.weight[m] = 1 / l.energy
		}
	}
}

// trimOutliers leaves signals out whose residual is more than so many standard
// deviations above the median. These are told by the median deviation, which they
// themselves cannot move.
func (l *trimmedLoss[E]) trimOutliers(residuals residualEnergies, deviations float64) {
	l.residuals = residuals
	centre := median(residuals)
	away := make([]float64, len(residuals))
	for m, r := range residuals {
		away[m] = math.Abs(r - centre)
	}
	limit := centre + deviations*normalDeviation*median(away)
	for m, r := range residuals {
		l.weight[m] = 0
		if r <= limit {
			l.weight[m] = 1 / l.energy
		}
	}
}

// normalDeviation is the standard deviation of a normal variable over its median
// deviation.
const normalDeviation = 1.4826

// median returns the middle one of the values, the upper of two.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// concentrate leaves out all but the given signals, of which each counts by the
// share that is left of it.
func (l *trimmedLoss[E]) concentrate(signals []int) {
	clear(l.weight)
	for _, m := range signals {
		l.weight[m] = 1 / (float64(len(signals)) * l.engine.SignalEnergy(m))
	}
}

// of returns the loss of the residuals.
func (l *trimmedLoss[E]) of(residuals residualEnergies) float64 {
	return portable.Dot(l.weight, residuals)
}

// evaluate is the loss as an objective.
func (l *trimmedLoss[E]) evaluate(w, grad []float64) float64 {
	*l.gradients++
	residuals, err := l.refitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	l.residuals = residuals
	l.engine.Gradient(grad, l.code, l.weight)
	return l.of(residuals)
}
