// Package maretic is the algorithm of [maretic2017], section 3, to the letter.
package maretic

import (
	"cmp"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
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
	TunedStep    = 0.1
	TunedPenalty = 0.8
	TunedDecay   = 0.985
)

// A Parameters says with which numbers the algorithm runs, in the units above.
type Parameters struct {
	StepSize, StepDecay, EdgePenalty float64
}

// Learn does a task by the paper's algorithm.
func Learn(t job.Task, m Parameters) (*job.Answer, error) {
	o, p := t.Settings, t.Progress
	f := fitting.New(t.Data, t.Model, fitting.NewDense(t.Data, t.Model, o.Threads, t.Memory), &p.Gradients)
	v := f.OverPairs(t.Side.Allowed.List(f.N))
	coder := fitting.CoderSetting{Method: cmp.Or(o.Coder, sparse.OMP), Width: 0}
	unit := f.Energy / float64(f.M*f.Sparsity)
	step, penalty := m.StepSize/unit, m.EdgePenalty*unit

	random := rng.Stream(o.Seed, "start")
	w, grad := make([]float64, v.Pairs.Len()), make([]float64, v.Pairs.Len())
	for e := range w {
		w[e] = random.Float64()
	}
	if t.Side.Init != nil {
		size := portable.Sum(w)
		fitting.Normalise(w, f.N)
		fitting.MoveTowards(t.Side.Init, 1, v.Pairs, w)
		floats.Scale(size/portable.Sum(w), w) // steps have the size of weights
	}
	// code returns the residual and the objective of fresh codes.
	code := func() (value, objective float64, err error) {
		if err := v.Place(w); err != nil {
			return 0, 0, err
		}
		f.Engine.Encode(f.Code, coder, nil)
		value = f.Engine.Fit(f.Code)
		return value, value + 2*penalty*portable.Sum(w), nil // ‖W‖₁ counts each edge twice
	}
	var ended error
	p.Start = 1
	p.Round = 1
	loop, _, err := job.RememberLoop(p, func(c *checkpoint.Coder) {
		c.Floats(&w)
		c.Float(&step)
	})
	if err != nil {
		return nil, err
	}
	for ; p.Round <= o.Rounds; p.Round++ {
		loop.Save()
		value, objective, err := code()
		if err != nil {
			return nil, err
		}
		f.Engine.Gradient(grad, f.Code, nil)
		p.Gradients++
		if ended = p.Step(job.Coding, value/f.Energy, objective/f.Energy, v.Pairs, w); ended != nil {
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
	if job.Failed(ended) {
		return nil, ended
	}
	p.Round = min(p.Round, o.Rounds)
	value, objective, err := code()
	if err != nil {
		return nil, err
	}
	residuals := fitting.ResidualsOf(f.Engine)
	fitting.Normalise(w, f.N)
	weights := fitting.GraphOf(v.Pairs, w)
	kept, threshold := job.Cut(weights, o.Cut)
	found := &job.Answer{
		Model: t.Model, Weights: weights, Graph: kept, Codes: f.Code, CodedOn: weights, Residuals: residuals,
		Residual: value / f.Energy, Objective: objective / f.Energy, Threshold: threshold, Rounds: p.Round, Status: method.MaxRounds,
		Unexplained: len(f.Unexplained(residuals)), Entries: f.SpareEntries() + f.Sparsity,
	}
	return found.EndedBy(ended)
}
