package fitting

import (
	"math"
	"slices"
)

// A RelativeLoss is the mean over the signals of √(‖r‖²/‖y‖² + ε²) − ε, with the
// coefficients eliminated: a robust loss (see [RobustLoss]) in which every signal
// counts alike, however small it is. Where noise is no concern, a small signal
// says as much about the edges around its atoms as a large one, and where signals
// are few, it may be the only one that does.
type RelativeLoss struct {
	DenseView
	Smoothing float64   // ε²
	Residuals Residuals // of the weights it was last evaluated at
	weight    []float64 // its derivatives by ‖r_m‖² there
}

// NewRelativeLoss returns the loss, to be smoothed before it is used.
func NewRelativeLoss(v DenseView) *RelativeLoss {
	return &RelativeLoss{DenseView: v, weight: make([]float64, v.M)}
}

// Smooth sets ε to a third of the median share that is left of a signal.
func (l *RelativeLoss) Smooth(residuals Residuals) {
	shares := make([]float64, 0, l.M)
	for m, r := range residuals {
		if energy := l.Engine.SignalEnergy(m); energy > 0 {
			shares = append(shares, r/energy)
		}
	}
	slices.Sort(shares)
	l.Smoothing = 1e-30
	if len(shares) > 0 {
		l.Smoothing += 0.1 * shares[len(shares)/2]
	}
}

// Of returns the loss of the residuals, and leaves its derivatives in l.weight.
func (l *RelativeLoss) Of(residuals Residuals) float64 {
	l.Residuals = residuals
	var value float64
	for m, r := range residuals {
		l.weight[m] = 0
		if energy := l.Engine.SignalEnergy(m); energy > 0 {
			root := math.Sqrt(r/energy + l.Smoothing)
			value += root - math.Sqrt(l.Smoothing)
			l.weight[m] = 1 / (2 * root * energy * float64(l.M))
		}
	}
	return value / float64(l.M)
}

// Evaluate is the loss as an objective.
func (l *RelativeLoss) Evaluate(w, grad []float64) float64 {
	*l.gradients++
	residuals, err := l.RefitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	value := l.Of(residuals)
	l.Engine.Gradient(grad, l.Code, l.weight)
	return value
}
