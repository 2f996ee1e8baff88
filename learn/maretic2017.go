package learn

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// Maretic2017 is the algorithm of [maretic2017], section 3, to the letter, as a method
// of its own: a random start and, in each round, one coding and one step along the
// gradient of the fit plus β·sign(W), projected on W ≥ 0. It learns no kernels, knows no
// prior, and takes far longer than [Sparse], which departs from it where that was
// measured to help.
//
// Two things the paper leaves open. Its printed gradient has the wrong sign; the right
// one is used. And its step and β only make sense for signals of one size, so here they
// are in units of the mean energy per atom of the signals.
type Maretic2017 struct {
	// Model is how signals come from the graph. Without kernels it is that of the
	// problem or else of [PaperModel]; without a sparsity, 4 atoms per signal or, of
	// fewer than 8 vertices, half as many as there are.
	Model Model
	// Coder finds the sparse codes. Empty means orthogonal matching pursuit.
	Coder Coder

	// StepSize is the first step. Zero means the value found by grid search.
	StepSize float64 `param:"step" about:"first step size; 0 = 0.1, found by grid search"`
	// StepDecay is the factor on the step after each round. Zero means 0.985.
	StepDecay float64 `param:"decay" about:"factor on the step size after each round; 0 = 0.985"`
	// EdgePenalty is β. Zero means the value found by grid search.
	EdgePenalty float64 `param:"beta,omitzero" about:"weight β of the penalty on the sum of edge weights; 0 = 0.8, found by grid search"`
	// NoPenalty leaves the penalty out, whatever EdgePenalty is.
	NoPenalty bool `param:"no-penalty,omitzero" about:"1 = no penalty, whatever beta is"`
	// Rounds is the number of rounds. Zero means 500.
	Rounds int `param:"rounds" about:"rounds of coding and gradient step; 0 = 500"`
}

// Name returns "maretic2017".
func (Maretic2017) Name() string { return "maretic2017" }

// Capabilities keeps the contract of [method.Capable].
func (Maretic2017) Capabilities() []method.Capability { return Sparse{}.Capabilities() }

// CommonMode keeps the contract of [method.CommonModeUser].
func (m Maretic2017) CommonMode(y *mat.Dense, kernels []kernel.Kernel) method.CommonMode {
	return m.asSparse().CommonMode(y, kernels)
}

// asSparse returns the sparse method with the same model.
func (m Maretic2017) asSparse() Sparse {
	return Sparse{Model: m.Model, Options: Options{Coder: m.Coder, Rounds: m.Rounds, Kernels: KernelsGiven}}
}

// Learn learns a graph as [Sparse.Learn] does, by the paper's algorithm. The result's
// Own is a *[Result], whose Options are those that both methods share. A prior is refused:
// the algorithm has no place for one.
func (m Maretic2017) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if p.Y == nil {
		return nil, input.Errorf(m.Name(), input.Signals, "got none")
	}
	if m.Model.Kernels == nil {
		m.Model.Kernels = p.Kernels
	}
	if p.Known.Prior != nil {
		return nil, input.Errorf(m.Name(), input.Prior,
			"%s has no place for one: use %s, or give the graph as a start", m.Name(), Sparse{}.Name())
	}
	o := Options{Names: p.Names, Cut: p.Cut, Seed: p.Seed, Threads: p.Threads}
	if err := o.addKnown(p.Known); err != nil {
		return nil, err
	}
	return asMethod(m.steps(ctx, p.Y, o), m.asSparse(), graph.Cut{}, p.Progress)
}

// steps is [Steps] by this algorithm. Of the options, those that are not fields of m
// count.
func (m Maretic2017) steps(ctx context.Context, y *mat.Dense, o Options) iter.Seq2[Step, error] {
	m = m.defaults()
	return steps(ctx, func() (call, error) {
		if err := m.check(); err != nil {
			return call{}, err
		}
		c, err := newCall(y, m.Model, Options{
			Names: o.Names, Coder: m.Coder, Cut: o.Cut, Rounds: m.Rounds, Starts: 1, Seed: o.Seed, Threads: o.Threads,
			LargeFrom: math.MaxInt, Kernels: KernelsGiven, Allow: o.Allow, Forbid: o.Forbid, Init: o.Init,
		})
		c.task.ChooseSparsity, c.paper = false, &m
		return c, err
	})
}

// defaults returns the method with the default in the place of every zero.
func (m Maretic2017) defaults() Maretic2017 {
	m.StepSize = cmp.Or(m.StepSize, tunedStep)
	m.StepDecay = cmp.Or(m.StepDecay, tunedDecay)
	m.Rounds = cmp.Or(m.Rounds, 500)
	if m.EdgePenalty = cmp.Or(m.EdgePenalty, tunedPenalty); m.NoPenalty {
		m.EdgePenalty = 0
	}
	return m
}

// check reports what is wrong with the parameters.
func (m Maretic2017) check() error {
	var faults []error
	for _, v := range method.Values(m) {
		if !finiteNonNegative(v.Value) {
			faults = append(faults, input.Errorf(m.Name(), input.Field(v.Name), "got %g, want a number of at least 0", v.Value))
		}
	}
	return errors.Join(faults...)
}

// Values found by a grid search on graphs of their own, N = 20, 50 and 100 together
// (docs/results/tuning.txt), where a plateau of one edge or two lies round them;
// the decay is that of the published code.
const (
	tunedStep    = 0.1
	tunedPenalty = 0.8
	tunedDecay   = 0.985
)

// learn does a task: a random symmetric start in (0, 1); in each round one coding and one
// step along the symmetric, zero-diagonal gradient of the fit plus β·sign(W), projected on
// W ≥ 0; a decaying step; a fixed number of rounds. The step is divided by the unit u =
// ‖Y‖²/(M·T₀) and β multiplied, which makes the algorithm blind to the scale of the signals.
func (m Maretic2017) learn(t job.Task) (*job.Answer, error) {
	o, p := t.Settings, t.Progress
	f := fitting.New(t.Data, t.Model, fitting.NewDense(t.Data, t.Model, o.Threads, t.Memory), &p.Gradients)
	v := f.OverPairs(t.Side.Allowed.List(f.N))
	coder := fitting.CoderSetting{Method: cmp.Or(o.Coder, sparse.OMP)}
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
	loop, _, err := job.RememberLoop(p, &w, &step)
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
