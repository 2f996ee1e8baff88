package fitting

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/portable"
)

// A TrimmedLoss is ‖DX − Y‖²/‖Y‖² over some of the signals, with the coefficients
// eliminated.
type TrimmedLoss[E Engine] struct {
	View[E]
	Residuals Residuals // of the weights it was last evaluated at
	Weight    []float64 // of each signal, 0 for those left out
}

// NewTrimmedLoss returns the loss of the given signals.
func NewTrimmedLoss[E Engine](v View[E], signals []int) *TrimmedLoss[E] {
	l := &TrimmedLoss[E]{View: v, Weight: make([]float64, v.M)}
	for _, m := range signals {
		l.Weight[m] = 1 / l.Energy
	}
	return l
}

// Trim leaves signals out whose support is still wrong: they would keep the
// weights from becoming exact. The given share of the signals, those of smallest
// residual, is kept in any case, and with them all that are not far above the
// median unless strict.
func (l *TrimmedLoss[E]) Trim(residuals Residuals, share float64, strict bool) {
	l.Residuals = residuals
	sorted := slices.Sorted(slices.Values(residuals))
	limit := sorted[int(share*float64(len(sorted)-1))]
	if !strict {
		limit = max(limit, 100*sorted[len(sorted)/2])
	}
	for m, r := range residuals {
		l.Weight[m] = 0
		if r <= max(limit, l.rounding[m]) {
			l.Weight[m] = 1 / l.Energy
		}
	}
}

// TrimOutliers leaves signals out whose residual is more than that many standard
// deviations above the median. These are told by the median deviation, which they
// themselves cannot move.
func (l *TrimmedLoss[E]) TrimOutliers(residuals Residuals, deviations float64) {
	l.Residuals = residuals
	centre := median(residuals)
	away := make([]float64, len(residuals))
	for m, r := range residuals {
		away[m] = math.Abs(r - centre)
	}
	limit := centre + deviations*normalDeviation*median(away)
	for m, r := range residuals {
		l.Weight[m] = 0
		if r <= limit {
			l.Weight[m] = 1 / l.Energy
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

// Concentrate leaves out all but the given signals, of which each counts by the
// share that is left of it.
func (l *TrimmedLoss[E]) Concentrate(signals []int) {
	clear(l.Weight)
	for _, m := range signals {
		l.Weight[m] = 1 / (float64(len(signals)) * l.Engine.SignalEnergy(m))
	}
}

// Of returns the loss of the residuals.
func (l *TrimmedLoss[E]) Of(residuals Residuals) float64 {
	return portable.Dot(l.Weight, residuals)
}

// Evaluate is the loss as an objective.
func (l *TrimmedLoss[E]) Evaluate(w, grad []float64) float64 {
	*l.gradients++
	residuals, err := l.RefitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	l.Residuals = residuals
	l.Engine.Gradient(grad, l.Code, l.Weight)
	return l.Of(residuals)
}
