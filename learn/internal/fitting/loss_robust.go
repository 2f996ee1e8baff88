package fitting

import (
	"math"
	"slices"
)

// A RobustLoss is Σ_m (√(‖r_m‖² + ε²) − ε), relative to the signals' size, with the
// coefficients eliminated. It grows with the norms of the residuals, not their
// squares: the few signals whose support is still wrong then cannot pull the
// weights away from what the many agree on, and the graph comes out right while a
// good part of the codes is not.
type RobustLoss[E Engine] struct {
	View[E]
	smoothing float64   // ε²
	Residuals Residuals // of the weights it was last evaluated at
	Weight    []float64 // its derivatives by ‖r_m‖² there
}

// NewRobustLoss returns the loss, to be smoothed before it is used.
func NewRobustLoss[E Engine](v View[E]) *RobustLoss[E] {
	return &RobustLoss[E]{View: v, Weight: make([]float64, v.M)}
}

// Smooth sets ε to a third of the median residual, and returns the loss of the residuals.
func (l *RobustLoss[E]) Smooth(residuals Residuals) float64 {
	sorted := slices.Sorted(slices.Values(residuals))
	l.smoothing = 0.1*sorted[len(sorted)/2] + 1e-30*l.Energy/float64(l.M)
	return l.Of(residuals)
}

// Of returns the loss of the residuals, and leaves its derivatives in l.weight.
func (l *RobustLoss[E]) Of(residuals Residuals) float64 {
	l.Residuals = residuals
	unit := 1 / math.Sqrt(l.Energy*float64(l.M))
	var value float64
	for m, r := range residuals {
		root := math.Sqrt(r + l.smoothing)
		value += root - math.Sqrt(l.smoothing)
		l.Weight[m] = unit / (2 * root)
	}
	return value * unit
}

// Evaluate is the loss as an objective.
func (l *RobustLoss[E]) Evaluate(w, grad []float64) float64 {
	*l.gradients++
	residuals, err := l.RefitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	value := l.Of(residuals)
	l.Engine.Gradient(grad, l.Code, l.Weight)
	return value
}

// StepsPerRound is how many quasi-Newton steps follow each coding.
const StepsPerRound = 8
