package learn

import (
	"context"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
)

// Sparse is this package's learner under the contract of all methods. The zero
// value chooses everything by itself.
type Sparse struct {
	Model   Model // without kernels, it takes those of the problem
	Options Options
}

// Entry describes the method to a registry.
func Entry() method.Entry {
	return method.Entry{
		Default: Sparse{},
		About:   "each signal is a sum of a few atoms, which kernels generate on the graph",
		Source:  "maretic2017",
	}
}

// Name returns "sparse".
func (Sparse) Name() string { return "sparse" }

// Capabilities keeps the contract of [method.Capable].
func (Sparse) Capabilities() []method.Capability {
	return []method.Capability{method.UsesKernels, method.UsesKnown, method.UsesMeans, method.UsesScales, method.TakesMissing, method.HasCodes}
}

// Learn learns like [Fit]. Names, seed and threads are those of the problem, and
// so is the cut unless it is zero; p.Progress sees every step before the last.
// The result's Own is the *[Result]. Its Method has the kernels and the number of
// atoms that were found, as given, so that learning again with it repeats what was
// chosen.
func (s Sparse) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if p.Y == nil {
		return nil, input.Errorf(s.Name(), input.Signals, "got none")
	}
	if s.Model.Kernels == nil {
		s.Model.Kernels = p.Kernels
	}
	ownCut := s.Options.Cut
	s.Options.Names, s.Options.Seed, s.Options.Threads = p.Names, p.Seed, p.Threads
	if p.Cut != (graph.Cut{}) {
		s.Options.Cut = p.Cut
	}
	if err := s.Options.addKnown(p.Known); err != nil {
		return nil, err
	}
	for step, err := range Steps(ctx, p.Y, s.Model, s.Options) {
		switch {
		case step.Result != nil:
			step.Result.asked = s
			return step.Result.asMethod(ownCut), err
		case err != nil:
			return nil, err
		case p.Progress != nil:
			p.Progress(step.Method())
		}
	}
	panic("learn: the steps ended without a result")
}

// asMethod returns the result under the contract of all methods. What the problem
// gave is not part of the method; the cut is the method's own.
func (r *Result) asMethod(ownCut graph.Cut) *method.Result {
	again := Sparse{Model: r.Model, Options: r.Options}
	again.Options.Names, again.Options.Seed, again.Options.Threads, again.Options.Cut = nil, 0, 0, ownCut
	again.Options.Kernels, again.Options.KernelCount = KernelsGiven, 0
	return &method.Result{
		Method: again, Graph: r.Graph, Weights: r.Weights, Cut: r.Threshold.Rule,
		Rounds: r.Rounds, Status: r.Status, Warnings: r.Warnings, Aside: r.Aside, Own: r,
	}
}
