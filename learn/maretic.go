package learn

import (
	"cmp"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/solver"
)

// The algorithm of [maretic2017], section 3, to the letter: a random symmetric
// start in (0, 1); in each round one OMP and one step along the symmetric,
// zero-diagonal gradient of the fit plus β·sign(W), projected on W ≥ 0; a
// decaying step; a fixed number of rounds.
//
// Two things the paper leaves open. Its printed gradient has the wrong sign;
// the right one is used. And its step and β only make sense for signals of one
// size, so here they are in units of the mean energy per atom of the signals,
// u = ‖Y‖²/(M·T₀): the step is divided by u and β multiplied, which makes the
// algorithm blind to the scale of the signals.

// Values found by a grid search on graphs of their own, N = 20, 50 and 100 together
// (docs/results/tuning.txt), where a plateau of one edge or two lies round them;
// the decay is that of the published code.
const (
	tunedStep    = 0.1
	tunedPenalty = 0.8
	tunedDecay   = 0.985
)

// A literal says with which numbers the algorithm runs, in the units above.
type literal struct {
	StepSize, StepDecay, EdgePenalty float64
}

// learnLiterally does a task by the paper's algorithm.
func learnLiterally(t task, m literal) (*answer, error) {
	o, p := t.settings, t.progress
	f := newFit(t.data, t.model, newDenseEngine(t.data, t.model, o.Threads, t.memory), &p.gradients)
	v := f.overPairs(t.side.allowed.list(f.n))
	coder := coderSetting{cmp.Or(o.Coder, sparse.OMP), 0}
	unit := f.energy / float64(f.m*f.sparsity)
	step, penalty := m.StepSize/unit, m.EdgePenalty*unit

	random := rng.Stream(o.Seed, "start")
	w, grad := make([]float64, v.pairs.Len()), make([]float64, v.pairs.Len())
	for e := range w {
		w[e] = random.Float64()
	}
	if t.side.init != nil {
		size := portable.Sum(w)
		normalise(w, f.n)
		moveTowards(t.side.init, 1, v.pairs, w)
		floats.Scale(size/portable.Sum(w), w) // steps have the size of weights
	}
	// code returns the residual and the objective of fresh codes.
	code := func() (value, objective float64, err error) {
		if err := v.place(w); err != nil {
			return 0, 0, err
		}
		f.engine.Encode(f.code, coder, nil)
		value = f.engine.Fit(f.code)
		return value, value + 2*penalty*portable.Sum(w), nil // ‖W‖₁ counts each edge twice
	}
	var ended error
	p.start = 1
	p.round = 1
	loop, _, err := rememberLoop(p, func(c *checkpoint.Coder) {
		c.Floats(&w)
		c.Float(&step)
	})
	if err != nil {
		return nil, err
	}
	for ; p.round <= o.Rounds; p.round++ {
		loop.save()
		value, objective, err := code()
		if err != nil {
			return nil, err
		}
		f.engine.Gradient(grad, f.code, nil)
		p.gradients++
		if ended = p.step(coding, value/f.energy, objective/f.energy, v.pairs, w); ended != nil {
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
		step *= m.StepDecay
	}
	if failed(ended) {
		return nil, ended
	}
	p.round = min(p.round, o.Rounds)
	value, objective, err := code()
	if err != nil {
		return nil, err
	}
	residuals := residualsOf(f.engine)
	normalise(w, f.n)
	weights := graphOf(v.pairs, w)
	kept, threshold := cut(weights, o.Cut)
	found := &answer{
		model: t.model, weights: weights, graph: kept, codes: f.code, codedOn: weights, residuals: residuals,
		residual: value / f.energy, objective: objective / f.energy, threshold: threshold, rounds: p.round, status: solver.MaxRounds,
		unexplained: len(f.unexplained(residuals)), entries: f.spareEntries() + f.sparsity,
	}
	return found.endedBy(ended)
}
