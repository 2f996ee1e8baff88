package learn

import (
	"math"
	"slices"
)

// A relativeLoss is the mean over the signals of √(‖r‖²/‖y‖² + ε²) − ε, with the
// coefficients eliminated: a robust loss (see loss_robust.go) in which every signal
// counts alike, however small it is. Where noise is no concern, a small signal
// says as much about the edges around its atoms as a large one, and where signals
// are few, it may be the only one that does.
type relativeLoss struct {
	denseView
	smoothing float64          // ε²
	residuals residualEnergies // of the weights it was last evaluated at
	weight    []float64        // its derivatives by ‖r_m‖² there
}

// newRelativeLoss returns the loss, to be smoothed before it is used.
func newRelativeLoss(v denseView) *relativeLoss {
	return &relativeLoss{denseView: v, weight: make([]float64, v.m)}
}

// smooth sets ε to a third of the median share that is left of a signal.
func (l *relativeLoss) smooth(residuals residualEnergies) {
	shares := make([]float64, 0, l.m)
	for m, r := range residuals {
		if energy := l.engine.SignalEnergy(m); energy > 0 {
			shares = append(shares, r/energy)
		}
	}
	slices.Sort(shares)
	l.smoothing = 1e-30
	if len(shares) > 0 {
		l.smoothing += 0.1 * shares[len(shares)/2]
	}
}

// of returns the loss of the residuals, and leaves its derivatives in l.weight.
func (l *relativeLoss) of(residuals residualEnergies) float64 {
	l.residuals = residuals
	var value float64
	for m, r := range residuals {
		l.weight[m] = 0
		if energy := l.engine.SignalEnergy(m); energy > 0 {
			root := math.Sqrt(r/energy + l.smoothing)
			value += root - math.Sqrt(l.smoothing)
			l.weight[m] = 1 / (2 * root * energy * float64(l.m))
		}
	}
	return value / float64(l.m)
}

// evaluate is the loss as an objective.
func (l *relativeLoss) evaluate(w, grad []float64) float64 {
	*l.gradients++
	residuals, err := l.refitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	value := l.of(residuals)
	l.engine.Gradient(grad, l.code, l.weight)
	return value
}
