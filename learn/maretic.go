package learn

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// The recipe of [maretic2017], section 3, to the letter: a random symmetric
// start in (0, 1); in each round one OMP and one step along the symmetric,
// zero-diagonal gradient of the fit plus β·sign(W), projected on W ≥ 0; a
// decaying step; a fixed number of rounds.
//
// Two things the paper leaves open. Its printed gradient has the wrong sign;
// the right one is used. And its step and β only make sense for signals of one
// size, so here they are in units of the mean energy per atom of the signals,
// u = ‖Y‖²/(M·T₀): the step is divided by u and β multiplied, which makes the
// recipe blind to the scale of the signals.

// Values found by Tune on graphs of their own, N = 20, 50 and 100 together
// (docs/results/tuning.txt), where a plateau of one edge or two lies round them;
// the decay is that of the published code.
const (
	tunedStep    = 0.1
	tunedPenalty = 0.8
	tunedDecay   = 0.985
)

func (r *run) maretic() {
	o := r.options
	method := o.Coder
	if method == "" {
		method = sparse.OMP
	}
	coder := effort{method, 0}
	unit := r.energy / float64(r.m*r.sparsity)
	step, penalty := o.StepSize/unit, max(o.EdgePenalty, 0)*unit

	random := rng.Stream(o.Seed, "start")
	w, grad := make([]float64, r.all.Len()), make([]float64, r.all.Len())
	for e := range w {
		w[e] = random.Float64()
	}
	if r.begin != nil {
		size := floats.Sum(w)
		r.normalise(w)
		r.lean(w, r.begin, 1)
		floats.Scale(size/floats.Sum(w), w) // steps have the size of weights
	}
	status := solver.MaxRounds
	r.start = 1
	var value float64
	for r.round = 1; r.round <= o.Rounds; r.round++ {
		if r.err = r.recode(w, coder); r.err != nil {
			return
		}
		value = r.engine.Fit(r.code)
		r.engine.Gradient(grad, r.code, nil)
		r.gradients++
		objective := value + 2*penalty*floats.Sum(w) // ‖W‖₁ counts each edge twice
		if !r.report(Coding, value/r.energy, objective/r.energy, r.all, w) {
			break
		}
		for e, g := range grad {
			// The Frobenius gradient of the paper is half the derivative that
			// moves W_ij and W_ji together.
			direction := g / 2
			if w[e] > 0 {
				direction += penalty
			}
			w[e] = max(0, w[e]-step*direction)
		}
		step *= o.StepDecay
	}
	if r.left {
		return
	}
	if r.ctx.Err() != nil {
		status = solver.Interrupted
	}
	r.round = min(r.round, o.Rounds)
	if r.err = r.recode(w, coder); r.err != nil {
		return
	}
	value = r.engine.Fit(r.code)
	objective := (value + 2*penalty*floats.Sum(w)) / r.energy
	r.normalise(w)
	weights := r.graph(r.all, w)
	kept, threshold := r.cut(weights)
	r.answer = answer{
		weights: weights, graph: kept, codes: r.code, residual: value / r.energy, objective: objective,
		threshold: threshold, rounds: r.round, status: status, unexplained: len(r.unexplained()),
	}
}

func positive(w []float64) int {
	count := 0
	for _, v := range w {
		if v > 0 {
			count++
		}
	}
	return count
}
