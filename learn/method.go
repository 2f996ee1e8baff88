package learn

import (
	"context"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
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
		About:   "sums of a few local patterns: each signal is a sum of a few atoms, which kernels generate on the graph",
		Source:  "maretic2017",
	}, {
		Default:   Maretic2017{},
		About:     "the paper's algorithm for sums of a few local patterns, unchanged; slow, so compare runs it only if it is named",
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
	return []method.Capability{
		method.UsesKernels, method.UsesKnown, method.UsesMeans, method.UsesScales, method.TakesMissing, method.HasCodes,
	}
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

// refit learns from other signals by the method that r was learned with, and with the model m and the
// options o, which are those of r with a few changes.
func (r *Result) refit(ctx context.Context, y *mat.Dense, m Model, o Options) (*Result, error) {
	if r.paper == nil {
		return Fit(ctx, y, m, o)
	}
	paper := *r.paper
	paper.Model = m
	return resultOf(paper.steps(ctx, y, o))
}

// The phases.
const (
	Coding                    = job.Coding       // new codes for the current graph
	GraphUpdate               = job.GraphUpdate  // new weights for the current codes; not of [Maretic2017], which has one step per round
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

// InitialKernels returns the kernels that learning begins with; none if they are
// free polynomials.
func (s Sparse) InitialKernels() []kernel.Kernel {
	switch {
	case s.Options.Kernels == KernelsFree:
		return nil
	case len(s.Model.Kernels) == 0:
		return PaperModel().Kernels
	}
	return s.Model.Kernels
}

// CommonMode keeps the contract of [method.CommonModeUser]. If the kernels are chosen, the
// learner itself decides by what predicts better.
func (s Sparse) CommonMode(y *mat.Dense, kernels []kernel.Kernel) method.CommonMode {
	if s.Model.Kernels == nil {
		s.Model.Kernels = kernels
	}
	n, _ := y.Dims()
	auto := s.Options.Kernels == KernelsAuto || s.Options.Kernels == "" && len(s.Model.Kernels) == 0
	switch {
	case auto && !s.Options.Large(n):
		return method.OwnCommonMode
	case slices.ContainsFunc(s.InitialKernels(), isHighPass):
		return method.NeedsCommonMode
	}
	return method.RemoveCommonMode
}

// isHighPass reports whether a kernel passes more of what differs most between
// neighbours than of what is the same everywhere.
func isHighPass(k kernel.Kernel) bool { return math.Abs(k.Eval(0)) < math.Abs(k.Eval(2)) }

// RemoveCommonMode removes the common mode from signals of the same vertices as the
// learner did: the mean of each signal over the vertices that were learned from.
// Vertices that were set aside keep their values, and missing entries have no part
// in the mean. It returns a copy of y without the mode, and the mode, a value for
// each signal; y itself and nil if Options.RemoveCommonMode is not set.
func (r *Result) RemoveCommonMode(y *mat.Dense) (rest *mat.Dense, mode []float64) {
	if !r.Options.RemoveCommonMode {
		return y, nil
	}
	return RemoveCommonMode(y, r.Aside)
}

// RemoveCommonMode is [Result.RemoveCommonMode] for vertices of which some were set
// aside, whatever the options.
func RemoveCommonMode(y *mat.Dense, aside []signals.Aside) (rest *mat.Dense, mode []float64) {
	n, m := y.Dims()
	data := fitting.InOrder(y, without(matrix.Span(0, n), aside))
	level := data.SubtractCommonMode()
	rest, mode = mat.DenseCopyOf(y), make([]float64, m)
	for c, s := range data.Signals {
		mode[s] = level[c] * data.Unit
		for k, i := range data.Vertices {
			rest.Set(i, s, data.Rows.At(c, k)*data.Unit)
		}
	}
	return rest, mode
}

// without returns the vertices that were not set aside.
func without(vertices []int, aside []signals.Aside) []int {
	return slices.DeleteFunc(vertices, func(i int) bool {
		return slices.ContainsFunc(aside, func(a signals.Aside) bool { return a.Vertex == i })
	})
}

// WithRun returns the method with the kernels and options that a document asks for. A
// document that makes no sense is an [*input.Error] with keys in backquotes.
func (s Sparse) WithRun(r *document.Run) (method.Method, error) {
	kernels, learned, count, err := r.Kernels.Kernels()
	if err != nil {
		return nil, err
	}
	s.Model.Kernels, s.Model.Sparsity = kernels, r.Method.Sparsity
	s.Options.Kernels, s.Options.KernelCount = KernelLearning(learned), count
	if s.Options.Kernels == KernelsFree {
		s.Options.KernelDegree = r.Kernels.Degree
	}
	s.Options.Rounds = r.Method.Rounds
	s.Options.Coder = Coder(r.Method.Coder)
	return s, nil
}

// Describe puts the kernels and options into a document, as far as it has a place for them.
func (s Sparse) Describe(r *document.Run) {
	r.Kernels.SetKernels(s.Model.Kernels, string(s.Options.Kernels), s.Options.KernelCount)
	if s.Options.Kernels == KernelsFree {
		r.Kernels.Degree = s.Options.KernelDegree
	}
	r.Method.Sparsity, r.Method.Coder, r.Method.Rounds = s.Model.Sparsity, string(s.Options.Coder), s.Options.Rounds
}

// WithRun returns the method with the kernels and options that a document asks for, besides
// its parameters. It learns no kernels and knows no prior.
func (m Maretic2017) WithRun(r *document.Run) (method.Method, error) {
	kernels, learned, _, err := r.Kernels.Kernels()
	switch {
	case err != nil:
		return nil, err
	case learned == string(KernelsScaled) || learned == string(KernelsFree):
		return nil, input.Completef("learn", "run", "`kernels.given`: %s does not learn kernels: give them, such as heat:2", m.Name())
	case r.Known.Prior != "":
		return nil, input.Completef("learn", "run", "`known.prior` applies only to `method.name` %s", Sparse{}.Name())
	}
	if m.Model.Kernels, m.Model.Sparsity = kernels, r.Method.Sparsity; r.Method.Rounds > 0 {
		m.Rounds = r.Method.Rounds
	}
	m.Coder = Coder(r.Method.Coder)
	return m, nil
}

// Describe puts the kernels and options into a document, without the parameters.
func (m Maretic2017) Describe(r *document.Run) {
	r.Kernels.SetKernels(m.Model.Kernels, string(KernelsGiven), 0)
	r.Method.Sparsity, r.Method.Coder = m.Model.Sparsity, string(m.Coder)
}
