package learn

import (
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
)

// startWeights returns the weights that start number k begins from. The first
// is |corr|, which knows nothing of labels or seeds; later ones shake it. If a
// graph is known beforehand, a start from that comes before them.
func (a *attempt) startWeights(k int) []float64 {
	if a.task.side.hasGraph() {
		k--
	}
	w := correlations(a.fit.yt, a.pairs)
	if k > 1 {
		shake := rng.Stream(a.task.settings.Seed, "start", k)
		for e := range w {
			w[e] *= 2 * shake.Float64()
		}
	}
	normalise(w, a.fit.n)
	if k == 0 {
		a.task.side.apply(a.pairs, w)
	}
	return w
}

// usualStart is the number of the start from |corr|.
func (a *attempt) usualStart() int {
	if a.task.side.hasGraph() {
		return 2
	}
	return 1
}

// polishInit looks whether the initial graph, if there is one, is the answer
// already. A search would begin with quick codes, which are partly wrong, and
// leave it.
func (a *attempt) polishInit() (outcome, error) {
	found := outcome{best: noCandidate()}
	if a.task.side.init == nil {
		return found, nil
	}
	p, v := a.task.progress, a.fit.overPairs(a.pairs)
	p.start, p.round = 1, 1
	w := make([]float64, a.pairs.Len())
	moveTowards(a.task.side.init, 1, a.pairs, w)
	residuals, err := v.recode(w, coderSetting{sparse.Beam, polishWidths[0]})
	if err != nil {
		return found, err
	}
	loss := newRobustLoss(v)
	if err := p.step(coding, v.relative(residuals), loss.of(residuals), a.pairs, w); err != nil {
		return found, err
	}
	return a.tryPolish(graphOf(a.pairs, w), found)
}
