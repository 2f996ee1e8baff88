package learn

import (
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// Automatic choices. Nothing here knows the truth:
//
//   - kernels that lead to an answer which proves itself are right;
//   - their scales are learned too, and those of two low-pass kernels, and kept if
//     that proves itself, or leads to a clear gap in the weights and explains the
//     signals better;
//   - otherwise kernels are judged by how well the graphs that they lead to
//     predict vertices from others, in signals not learned from: see neighbourly.
//     How well they code says nothing about them. Beside the kernels to begin
//     with, low-pass ones are tried, which suit measured fields;
//   - how many atoms a signal has is told by the shortest description of the
//     signals, see sparsity.go, where they are described well.

const (
	// sparsityTries bounds how often the number of atoms is chosen anew.
	sparsityTries = 4
	// explainsBetter is the share of the residual that learned scales must not
	// exceed to be preferred to those begun with.
	explainsBetter = 0.95
)

// adopt makes ready to learn with a model.
func (r *run) adopt(data prepared, m Model) {
	r.model = m
	r.dense = newDenseEngine(data.y, m.Kernels, m.Sparsity, r.options.Threads)
	spent := 0
	if r.fitter != nil {
		spent = r.gradients
	}
	all := r.within.pairs(len(data.vertices))
	r.dense.SetPairs(all)
	r.fitter = newFitter(data, m, r.options.Threads, r.dense, all)
	r.gradients = spent
	r.answer, r.pruning, r.damping = answer{}, nil, firstDamping
}

// attempt learns with the model's kernels and its number of atoms or, if that is
// to be chosen, as many as the signals ask for.
func (r *run) attempt(data prepared, m Model) {
	r.adopt(data, m)
	r.byDefault()
	r.deepen(data)
}

// deepen learns again with as many atoms a signal as the answer asks for, until
// it asks for none other, if the number is to be chosen.
func (r *run) deepen(data prepared) {
	tried := map[int]bool{}
	for range sparsityTries {
		switch {
		case !r.chooseSparsity || !r.going() || r.answer.graph == nil:
			return
		case r.answer.proved:
			r.model.Sparsity = r.enoughAtoms(r.answer.codes)
			return
		}
		tried[r.sparsity] = true
		atoms, residual := r.shortest(r.answer.graph)
		if tried[atoms] || r.err != nil || r.field && residual > describedWell {
			return
		}
		before := r.state()
		r.adopt(data, Model{r.kernels, atoms})
		if r.byDefault(); !r.going() {
			r.back(before) // better a whole answer than half of another
			return
		}
	}
}

// A state is an answer and what it was learned with.
type state struct {
	model   Model
	way     kernelWay
	fitter  *fitter
	dense   *denseEngine
	answer  answer
	pruning []PathPoint
}

func (r *run) state() state { return state{r.model, r.way, r.fitter, r.dense, r.answer, r.pruning} }

// back returns to a state, with the work done since and that somebody called it off.
func (r *run) back(s state) {
	spent := r.gradients
	r.model, r.way, r.fitter, r.dense, r.answer, r.pruning = s.model, s.way, s.fitter, s.dense, s.answer, s.pruning
	r.gradients = spent
	if r.ctx.Err() != nil {
		r.answer.status = solver.Interrupted
	}
}

// automatic learns with kernels that nobody gave.
func (r *run) automatic(data prepared, m Model) {
	first := r.trial(data, m, nil)
	if first == nil {
		r.deepen(data)
		return
	}
	chosen := first
	for _, kernels := range [][]kernel.Kernel{m.Kernels, lowPass(2, 0.5)} {
		scaled := r.trial(data, Model{kernels, m.Sparsity}, scaleWay{})
		if r.answer.proved {
			r.deepen(data)
			return
		}
		if scaled != nil && scaled.best.clear() && scaled.best.residual < explainsBetter*chosen.best.residual {
			chosen = scaled
		}
	}
	if !chosen.best.clear() && r.going() {
		if better := r.bestKernels(data, chosen.model); better != nil {
			r.field, r.options.RemoveCommonMode, r.way = true, r.options.RemoveCommonMode || better.CommonModeRemoved, nil
			r.attempt(better.signals(data), better.model)
			return
		}
	}
	if r.left || r.err != nil {
		return
	}
	r.back(chosen.state)
	r.finalise(chosen.best, chosen.status)
	r.deepen(data)
}

// A trial is a point that some kernels lead to, and all it takes to go on from it.
type trial struct {
	state
	best   candidate
	status solver.Status
}

// trial explores with a model, kernels moving by the given way. It returns nil if
// that ends the search: r.answer is set, or there is nothing to go on from.
func (r *run) trial(data prepared, m Model, way kernelWay) *trial {
	r.way = way
	r.adopt(data, m)
	best, status := r.explore(true)
	if best == nil {
		return nil
	}
	r.model.Kernels = best.kernels
	return &trial{r.state(), *best, status}
}
