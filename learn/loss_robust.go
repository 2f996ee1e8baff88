package learn

import (
	"math"
	"slices"
)

// A robustLoss is Σ_m (√(‖r_m‖² + ε²) − ε), relative to the signals' size, with the
// coefficients eliminated. It grows with the norms of the residuals, not their
// squares: the few signals whose support is still wrong then cannot pull the
// weights away from what the many agree on, and the graph comes out right while a
// good part of the codes is not.
type robustLoss[E engine] struct {
	view[E]
	smoothing float64          // ε²
	residuals residualEnergies // of the weights it was last evaluated at
	weight    []float64        // its derivatives by ‖r_m‖² there
}

// newRobustLoss returns the loss, to be smoothed before it is used.
func newRobustLoss[E engine](v view[E]) *robustLoss[E] {
	return &robustLoss[E]{view: v, weight: make([]float64, v.m)}
}

// smooth sets ε to a third of the median residual, and returns the loss of the residuals.
func (l *robustLoss[E]) smooth(residuals residualEnergies) float64 {
	sorted := slices.Sorted(slices.Values(residuals))
	l.smoothing = 0.1*sorted[len(sorted)/2] + 1e-30*l.energy/float64(l.m)
	return l.of(residuals)
}

// of returns the loss of the residuals, and leaves its derivatives in l.weight.
func (l *robustLoss[E]) of(residuals residualEnergies) float64 {
	l.residuals = residuals
	unit := 1 / math.Sqrt(l.energy*float64(l.m))
	var value float64
	for m, r := range residuals {
		root := math.Sqrt(r + l.smoothing)
		value += root - math.Sqrt(l.smoothing)
		l.weight[m] = unit / (2 * root)
	}
	return value * unit
}

// evaluate is the loss as an objective.
func (l *robustLoss[E]) evaluate(w, grad []float64) float64 {
	*l.gradients++
	residuals, err := l.refitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	value := l.of(residuals)
	l.engine.Gradient(grad, l.code, l.weight)
	return value
}

// stepsPerRound is how many quasi-Newton steps follow each coding.
const stepsPerRound = 8
