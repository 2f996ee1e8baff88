package fitting

import (
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
)

// An Engine turns weights over some pairs of vertices into codes, residuals and
// gradients. Pairs come with the weights, so that nobody has to put them back.
type Engine interface {
	// Place moves to the weights w and makes ready to code there.
	Place(pairs dictionary.Pairs, w []float64) error
	// Encode codes the given signals, nil meaning all, at the weights of Place.
	Encode(dst *sparse.Code, e CoderSetting, signals []int)
	// At moves to weights that are not far from those of Place.
	At(pairs dictionary.Pairs, w []float64) error
	// Refit computes the coefficients, and Residuals what they leave over; see
	// dictionary.Spectral.
	Refit(x *sparse.Code) float64
	Residuals() []float64
	Gradient(grad []float64, x *sparse.Code, weight []float64)

	Energy() float64
	SignalEnergy(m int) float64
}

// CoderSetting says how to code: with which method, and with beams how wide.
type CoderSetting struct {
	Method sparse.Method
	Width  int
}

// samePairs reports whether two lists of pairs are one and the same.
func samePairs(p, q dictionary.Pairs) bool {
	return p.N == q.N && p.Len() == q.Len() && (p.Len() == 0 || &p.I[0] == &q.I[0] && &p.J[0] == &q.J[0])
}

// A Stage codes in one way until its rounds improve the loss by less than a share.
type Stage struct {
	CoderSetting
	Stall float64
}
