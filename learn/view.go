package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
)

// A view is a fit over some pairs of vertices: weights given to it are theirs.
type view[E engine] struct {
	*fit[E]
	pairs dictionary.Pairs
}

// overPairs returns a view on the pairs.
func (f *fit[E]) overPairs(pairs dictionary.Pairs) view[E] { return view[E]{f, pairs} }

// onEdges returns a view on the edges of g, and their weights.
func (f *fit[E]) onEdges(g *graph.Graph) (view[E], []float64) {
	pairs, w := dictionary.EdgesOf(g)
	return f.overPairs(pairs), w
}

// place moves to the weights w and makes ready to code there.
func (v view[E]) place(w []float64) error { return v.engine.Place(v.pairs, w) }

// at moves to the weights w.
func (v view[E]) at(w []float64) error { return v.engine.At(v.pairs, w) }

// recode replaces all codes by fresh ones for the weights w.
func (v view[E]) recode(w []float64, e coderSetting) (residualEnergies, error) {
	return v.recodeSome(w, e, nil)
}

// recodeSome codes the given signals, nil meaning all, for the weights w.
func (v view[E]) recodeSome(w []float64, e coderSetting, signals []int) (residualEnergies, error) {
	if err := v.place(w); err != nil {
		return nil, err
	}
	v.engine.Encode(v.code, e, signals)
	return v.refit(), nil
}

// refitAt returns the residuals of the codes at the weights w.
func (v view[E]) refitAt(w []float64) (residualEnergies, error) {
	if err := v.at(w); err != nil {
		return nil, err
	}
	return v.refit(), nil
}
