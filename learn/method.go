package learn

import (
	"context"
	"iter"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// Sparse is this package's learner under the contract of all methods. The zero
// value chooses everything by itself.
type Sparse struct {
	Model   Model // without kernels, it takes those of the problem
	Options Options
}

// Methods lists the methods of this package for a registry: [Sparse], then [Maretic2017].
func Methods() []method.Entry {
	return []method.Entry{{
		Default: Sparse{},
		About:   "each signal is a sum of a few atoms, which kernels generate on the graph",
		Source:  "maretic2017",
	}, {
		Default:   Maretic2017{},
		About:     "the paper's algorithm for the model of sparse, unchanged; slow, so compare runs it only if it is named",
		Source:    "maretic2017",
		OnlyNamed: true,
	}}
}

// Name returns "sparse".
func (Sparse) Name() string { return "sparse" }

// Canonical keeps the contract of [method.Canonical]: names, seed and threads are those of the
// problem.
func (s Sparse) Canonical() method.Method {
	s.Options.Names, s.Options.Seed, s.Options.Threads = nil, 0, 0
	return s
}

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
	return asMethod(Steps(ctx, p.Y, s.Model, s.Options), s, ownCut, p.Progress)
}

// asMethod goes through the steps of a method under the contract of all methods. What was
// asked for is told as options of [Sparse].
func asMethod(steps iter.Seq2[Step, error], asked Sparse, ownCut graph.Cut, progress func(method.Step)) (*method.Result, error) {
	for step, err := range steps {
		switch {
		case step.Result != nil:
			step.Result.asked = asked
			return step.Result.asMethod(ownCut), err
		case err != nil:
			return nil, err
		case progress != nil:
			progress(step.Method())
		}
	}
	panic("learn: the steps ended without a result")
}

// asMethod returns the result under the contract of all methods. What the problem
// gave is not part of the method; the cut is the method's own.
func (r *Result) asMethod(ownCut graph.Cut) *method.Result {
	return &method.Result{
		Method: r.method(ownCut), Graph: r.Graph, Weights: r.Weights, Cut: r.Threshold.Rule,
		Rounds: r.Rounds, Status: r.Status, Warnings: r.Warnings, Aside: r.Aside, Own: r,
	}
}

// method returns the method that learns again with what r was learned with.
func (r *Result) method(ownCut graph.Cut) method.Method {
	if r.paper != nil {
		paper := *r.paper
		paper.Model = r.Model
		return paper
	}
	again := Sparse{Model: r.Model, Options: r.Options}
	again.Options.Names, again.Options.Seed, again.Options.Threads, again.Options.Cut = nil, 0, 0, ownCut
	again.Options.Kernels, again.Options.KernelCount = KernelsGiven, 0
	return again
}

// refit learns from other signals by the method and with the model that r was learned
// with, and with the options o, which are those of r with a few changes.
func (r *Result) refit(ctx context.Context, y *mat.Dense, o Options) (*Result, error) {
	if r.paper == nil {
		return Fit(ctx, y, r.Model, o)
	}
	paper := *r.paper
	paper.Model = r.Model
	return resultOf(paper.steps(ctx, y, o))
}

// The phases.
const (
	Coding                    = job.Coding       // new codes for the current graph
	GraphUpdate               = job.GraphUpdate  // new weights for the current codes; not reported by [Maretic2017], which has one step per round
	KernelUpdate              = job.KernelUpdate // new kernels for the current codes, on a known graph
	Pruning                   = job.Pruning      // a graph on the pruning path
	Polishing                 = job.Polishing    // weights and codes on some edges only
	Done         method.Phase = "done"           // the last step, which carries the Result
)

// A Step is a look at a run in progress.
type Step struct {
	Phase     method.Phase
	Start     int     // from 1
	Round     int     // from 1, within the start
	Residual  float64 // ‖Y − DX‖²/‖Y‖²
	Objective float64 // what the phase minimises: the method's loss, or the residual of the signals that polishing fits
	Edges     int     // pairs of positive weight
	Gradients int     // computed so far, all starts together

	// Result is set on the last step only.
	Result *Result

	now *job.LiveWeights
}

// stepOf returns a step of a run as users see it.
func stepOf(s job.Step) Step {
	return Step{s.Phase, s.Start, s.Round, s.Residual, s.Objective, s.Edges, s.Gradients, nil, s.Now}
}

// Method returns the step under the contract of all methods.
func (s Step) Method() method.Step {
	return method.Step{
		Phase: s.Phase, Start: s.Start, Round: s.Round, Residual: s.Residual,
		Objective: s.Objective, Edges: s.Edges, Weights: s.Weights,
	}
}

// Weights returns the graph that the run has come to, before any cut. It can be
// had as long as the step is the newest; later, and on the last step, it is nil.
func (s Step) Weights() *graph.Graph {
	return s.now.Graph()
}
