package sparse

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// matchingPursuit subtracts the best single atom until it would need one atom
// more than allowed. Coefficients of an atom chosen twice add up.
type matchingPursuit struct {
	Options
	residual []float64 // ⟨r, d_j⟩
	atom     []int32
	coef     []float64
}

// mpVisits bounds how often each allowed atom may be visited on average: when
// atoms overlap, matching pursuit converges only geometrically.
const mpVisits = 50

func newMatchingPursuit(atoms int, o Options) searcher {
	return &matchingPursuit{
		Options:  o,
		residual: make([]float64, atoms),
		atom:     make([]int32, 0, o.Sparsity), coef: make([]float64, 0, o.Sparsity),
	}
}

func (s *matchingPursuit) search(p *Problem, m int) ([]int32, []float64) {
	copy(s.residual, p.corr(m))
	s.atom, s.coef = s.atom[:0], s.coef[:0]
	energy := p.Energy[m]
	for visits := 0; visits < mpVisits*s.Sparsity && energy > s.enough(p.Energy[m]); visits++ {
		best := strongest(s.residual)
		step := s.residual[best]
		if step == 0 {
			break
		}
		switch place := slices.Index(s.atom, int32(best)); {
		case place >= 0:
			s.coef[place] += step
		case len(s.atom) == s.Sparsity:
			return s.atom, s.coef
		default:
			s.atom, s.coef = append(s.atom, int32(best)), append(s.coef, step)
		}
		floats.AddScaled(s.residual, -step, p.gram(best))
		energy -= step * step
	}
	return s.atom, s.coef
}

// strongest returns the index of the entry of largest absolute value.
func strongest(x []float64) int {
	at, top := 0, 0.0
	for j, v := range x {
		if a := math.Abs(v); a > top {
			at, top = j, a
		}
	}
	return at
}
