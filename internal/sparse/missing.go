package sparse

import (
	"math"

	"github.com/nervure/nervure/internal/linalg"
)

// leastSeen is the share of an atom's energy that must lie on the observed
// entries of a signal for the atom to be chosen there. Without noise a little is
// enough: with a tenth instead, one signal in six stays unexplained when one entry
// in ten is missing.
const leastSeen = 1e-3

// An observedView is the coding problem of one signal with missing entries, over
// its observed entries alone. It owns its memory, so that coders need not know
// of missing entries at all.
type observedView struct{ problem *Problem }

// of returns the problem of signal m of p, as its only signal.
func (v *observedView) of(p *Problem, m int) *Problem {
	if v.problem == nil {
		v.problem = EmptyProblem(p.Atoms, 1)
	}
	q := v.problem
	copy(q.Gram, p.Gram)
	copy(q.Corr, p.corr(m))
	q.Energy[0] = p.Energy[m]
	for _, i := range p.Missing[m] {
		row := p.Dictionary.RawRowView(int(i))
		for k, a := range row {
			linalg.Axpy(-a, row, q.gram(k))
		}
	}
	inverse := make([]float64, p.Atoms)
	for j := range inverse {
		q.Norm[j] = 0
		if seen := q.Gram[j*q.Atoms+j]; seen > leastSeen {
			inverse[j], q.Norm[j] = 1/math.Sqrt(seen), p.Norm[j]*math.Sqrt(seen)
		}
	}
	q.rescale(inverse)
	q.NormalizeSignals()
	return q
}
