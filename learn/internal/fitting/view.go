package fitting

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
)

// A View is a fit over some pairs of vertices: weights given to it are theirs.
type View[E Engine] struct {
	*Fit[E]
	Pairs dictionary.Pairs
}

// OverPairs returns a view on the pairs.
func (f *Fit[E]) OverPairs(pairs dictionary.Pairs) View[E] { return View[E]{f, pairs} }

// OnEdges returns a view on the edges of g, and their weights.
func (f *Fit[E]) OnEdges(g *graph.Graph) (View[E], []float64) {
	pairs, w := dictionary.EdgesOf(g)
	return f.OverPairs(pairs), w
}

// Place moves to the weights w and makes ready to code there.
func (v View[E]) Place(w []float64) error { return v.Engine.Place(v.Pairs, w) }

// At moves to the weights w.
func (v View[E]) At(w []float64) error { return v.Engine.At(v.Pairs, w) }

// Recode replaces all codes by fresh ones for the weights w.
func (v View[E]) Recode(w []float64, e CoderSetting) (Residuals, error) {
	return v.RecodeSome(w, e, nil)
}

// RecodeSome codes the given signals, nil meaning all, for the weights w.
func (v View[E]) RecodeSome(w []float64, e CoderSetting, signals []int) (Residuals, error) {
	if err := v.Place(w); err != nil {
		return nil, err
	}
	v.Engine.Encode(v.Code, e, signals)
	return v.Refit(), nil
}

// RefitAt returns the residuals of the codes at the weights w.
func (v View[E]) RefitAt(w []float64) (Residuals, error) {
	if err := v.At(w); err != nil {
		return nil, err
	}
	return v.Refit(), nil
}
