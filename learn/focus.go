package learn

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
)

// focusFrom is the trimmed loss below which most supports are right, so that
// the clearest signals can be told.
const focusFrom = 1e-5

// focusFactor is how many times the numbers that weights can absorb the signals
// of a focus bring.
const focusFactor = 5

// focus makes the trimmed fit one of few signals, which determine the weights as
// well as all do once supports are right, and returns what divides a direction by
// its second derivatives at w: near an exact fit they are 2JᵀJ, and with them a
// few steps do what takes a hundred without. If the signals do not determine
// the weights, it changes nothing and returns nil.
func (r *run) focus(g *graph.Graph, w []float64) func(dir []float64) {
	signals := r.clearest(8 + focusFactor*len(w)/r.spareEntries())
	if len(signals) == 0 {
		return nil
	}
	directions, ok := r.scaleDirections()
	if !ok {
		return nil
	}
	size := len(w) + parameters(directions)
	info := make([]float64, size*size)
	r.dense.AddInformation(info, r.code, signals, directions)
	factor, ok := factorised(info, g, leastInformation)
	if !ok {
		return nil
	}
	clear(r.weight)
	for _, m := range signals {
		r.weight[m] = 1 / (float64(len(signals)) * r.engine.SignalEnergy(m))
	}
	// The information is about logarithms.
	at, x := slices.Clone(w), mat.NewVecDense(size, nil)
	for len(at) < size {
		at = append(at, logUnit)
	}
	return func(dir []float64) {
		for k, v := range dir {
			x.SetVec(k, v*at[k])
		}
		if factor.SolveVecTo(x, x) != nil {
			return // nearly singular: the direction stays as it is
		}
		for k := range dir {
			dir[k] = x.AtVec(k) * at[k] * float64(len(signals)) / 2
		}
	}
}

// clearest returns up to count signals, evenly from those that are kept in the
// trimmed fit and have no more than the median residual, as last computed.
func (r *run) clearest(count int) []int {
	sorted := slices.Sorted(slices.Values(r.engine.Residuals()))
	median := sorted[len(sorted)/2]
	var half []int
	for m, v := range r.engine.Residuals() {
		if v <= median && r.weight[m] > 0 && r.engine.SignalEnergy(m) > 0 {
			half = append(half, m)
		}
	}
	if len(half) <= count {
		return half
	}
	some := make([]int, count)
	for k := range some {
		some[k] = half[k*len(half)/count]
	}
	return some
}
