package sparse

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// homotopy follows the solutions of
//
//	min ½‖y − Dx‖² + penalty·‖x‖₁
//
// from x = 0 as the penalty falls. Between events x is linear in the penalty;
// at an event one atom joins or leaves. It ends before the event at which an
// atom too many would join and refits that support by least squares, so that
// the shrinkage of the penalty does not stay in the coefficients.
type homotopy struct {
	Options

	penalty     float64
	corr        []float64 // ⟨y − Dx, d_j⟩: |corr_j| ≤ penalty, with equality on the support
	slope       []float64 // ⟨d_j, D·direction⟩
	inside      []bool
	atom        []int32
	coef        []float64
	dir         []float64 // d coef / d(−penalty)
	lastRemoved int       // the atom that left at the last event, or −1
	chol        []float64 // sparsity×sparsity
}

func newHomotopy(atoms int, o Options) searcher {
	t := o.Sparsity
	return &homotopy{
		Options: o,
		corr:    make([]float64, atoms), slope: make([]float64, atoms), inside: make([]bool, atoms),
		atom: make([]int32, 0, t), coef: make([]float64, 0, t), dir: make([]float64, t),
		chol: make([]float64, t*t),
	}
}

func (h *homotopy) search(p *Problem, m int) ([]int32, []float64) {
	h.follow(p, m)
	// Least squares on the support: rhs = ⟨y, d_j⟩.
	for q, j := range h.atom {
		h.coef[q] = p.corr(m)[j]
	}
	h.solve(p, h.coef)
	return h.atom, h.coef
}

// follow walks the path; afterwards atom, coef, penalty and corr hold a lasso solution.
func (h *homotopy) follow(p *Problem, m int) {
	copy(h.corr, p.corr(m))
	clear(h.inside)
	h.atom, h.coef, h.lastRemoved = h.atom[:0], h.coef[:0], -1
	first := strongest(h.corr)
	h.penalty = math.Abs(h.corr[first])
	small := math.Sqrt(h.enough(p.Energy[m]))
	if h.penalty <= small {
		return
	}
	h.join(first)
	// Each event adds or removes one atom; cycling is impossible in exact
	// arithmetic, and the bound only guards against rounding.
	for range 20 * h.Sparsity {
		dir := h.dir[:len(h.atom)]
		for q, j := range h.atom {
			dir[q] = math.Copysign(1, h.corr[j])
		}
		if !h.solve(p, dir) { // the newcomer lies in the span of the others
			h.leave(len(h.atom) - 1)
			return
		}
		clear(h.slope)
		for q, j := range h.atom {
			floats.AddScaled(h.slope, dir[q], p.gram(int(j)))
		}
		step, joins, leaves := h.nextEvent(p, dir)
		floats.AddScaled(h.corr, -step, h.slope)
		h.penalty -= step
		floats.AddScaled(h.coef, step, dir)
		switch {
		case h.penalty <= small:
			return
		case leaves >= 0:
			h.leave(leaves)
		case joins < 0 || len(h.atom) == h.Sparsity:
			return
		default:
			h.join(joins)
		}
	}
}

// nextEvent returns how far the penalty can fall before an atom joins or the
// support's entry number leaves drops to zero; −1 where there is none.
func (h *homotopy) nextEvent(p *Problem, dir []float64) (step float64, joins, leaves int) {
	step, joins, leaves = h.penalty, -1, -1
	for q, x := range h.coef {
		if s := -x / dir[q]; s > 0 && s < step {
			step, leaves = s, q
		}
	}
	for j, in := range h.inside {
		if in || p.Norm[j] == 0 {
			continue
		}
		c, a := h.corr[j], h.slope[j]
		soonest := 1e-14 * h.penalty
		if j == h.lastRemoved { // its |corr| equals the penalty, and rounding must not bring it back
			soonest = 1e-9 * h.penalty
		}
		for _, s := range [2]float64{(h.penalty - c) / (1 - a), (h.penalty + c) / (1 + a)} {
			if s > soonest && s < step {
				step, joins, leaves = s, j, -1
			}
		}
	}
	return step, joins, leaves
}

func (h *homotopy) join(j int) {
	h.inside[j], h.lastRemoved = true, -1
	h.atom, h.coef = append(h.atom, int32(j)), append(h.coef, 0)
}

func (h *homotopy) leave(q int) {
	h.lastRemoved = int(h.atom[q])
	h.inside[h.lastRemoved] = false
	h.atom = append(h.atom[:q], h.atom[q+1:]...)
	h.coef = append(h.coef[:q], h.coef[q+1:]...)
}

// solve replaces rhs by the solution of G_II·x = rhs on the current support; it
// reports false if the support's atoms are dependent.
func (h *homotopy) solve(p *Problem, rhs []float64) bool {
	n := len(h.atom)
	for i := range n {
		gram := p.gram(int(h.atom[i]))
		for j := range i + 1 {
			sum := gram[h.atom[j]]
			for k := range j {
				sum -= h.chol[i*n+k] * h.chol[j*n+k]
			}
			if i > j {
				h.chol[i*n+j] = sum / h.chol[j*n+j]
				continue
			}
			if sum < dependent {
				return false
			}
			h.chol[i*n+i] = math.Sqrt(sum)
		}
	}
	for i := range n {
		for k := range i {
			rhs[i] -= h.chol[i*n+k] * rhs[k]
		}
		rhs[i] /= h.chol[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			rhs[i] -= h.chol[k*n+i] * rhs[k]
		}
		rhs[i] /= h.chol[i*n+i]
	}
	return true
}
