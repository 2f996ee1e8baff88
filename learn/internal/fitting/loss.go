package fitting

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/portable"
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
	return l.evaluate(w, grad, l.weight, l.Of)
}

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
	l.smoothing = 0.1*median(residuals) + 1e-30*l.Energy/float64(l.M)
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
	return l.evaluate(w, grad, l.Weight, l.Of)
}

// Minimise takes the given number of quasi-Newton steps of the weights w over pairs of n vertices, in
// place, or as many as gain that much, and returns the value of the objective.
func Minimise(ctx context.Context, objective optimise.Objective, w []float64, n, steps int, gain float64) float64 {
	value := optimise.NewQuasiNewton(len(w), objective).Minimise(ctx, w, optimise.Limits{Steps: steps, Gain: gain})
	Normalise(w, n)
	return value
}

// StepsPerRound is how many quasi-Newton steps follow each coding.
const StepsPerRound = 8

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

// WithoutOutliers returns the loss of the signals but those whose residual is more than
// that many standard deviations above the median. These are told by the median deviation,
// which they themselves cannot move.
func WithoutOutliers[E Engine](v View[E], residuals Residuals, deviations float64) *TrimmedLoss[E] {
	l := NewTrimmedLoss(v, nil)
	l.Residuals = residuals
	centre := median(residuals)
	away := make([]float64, len(residuals))
	for m, r := range residuals {
		away[m] = math.Abs(r - centre)
	}
	limit := centre + deviations*normalDeviation*median(away)
	for m, r := range residuals {
		if r <= limit {
			l.Weight[m] = 1 / l.Energy
		}
	}
	return l
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
	return l.evaluate(w, grad, l.Weight, func(residuals Residuals) float64 {
		l.Residuals = residuals
		return l.Of(residuals)
	})
}

// evaluate is a loss as an objective: of returns the loss of residuals, and leaves its
// derivatives by them in weight.
func (v View[E]) evaluate(w, grad, weight []float64, of func(Residuals) float64) float64 {
	*v.gradients++
	residuals, err := v.RefitAt(w)
	if err != nil {
		return math.Inf(1)
	}
	value := of(residuals)
	v.Engine.Gradient(grad, v.Code, weight)
	return value
}
