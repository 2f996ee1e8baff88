// Package ongraph learns the kernels of a graph that is known.
package ongraph

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/optimise"
	"github.com/nervure/nervure/method"
)

// Settings are the options of a search for kernels, as resolved.
type Settings struct {
	Kernels  []kernel.Kernel // of which the scales are learned; nil means free polynomials
	Count    int             // of free polynomials; zero means as many as held-out signals ask for
	Degree   int
	Sum      float64
	Slack    float64
	Sparsity int
	Rounds   int
	Starts   int
	Seed     uint64
	Threads  int
}

// A Step is a look at a search in progress.
type Step struct {
	Phase    method.Phase
	Count    int
	Start    int
	Round    int
	Residual float64
}

// Found are what a search has found.
type Found struct {
	Kernels  []kernel.Kernel
	Codes    *sparse.Code // X for the signals as given
	Residual float64
	Rounds   int
	Starts   int
	Status   method.Status
	Choice   []CountScore // how the count was chosen; nil if it was given
}

// Search searches for kernels on a graph. It yields its steps, of which it returns
// the history. If the context ends, the best so far comes with job.ErrInterrupted.
func Search(ctx context.Context, g *graph.Graph, y *mat.Dense, o Settings, yield func(Step) bool) (*Found, []Step, error) {
	r := &knownGraph{Reporter: job.Reporter[Step]{Ctx: ctx, Yield: yield}, graph: g, data: canonical.AsGiven(y), options: o}
	found, err := r.learn()
	return found, r.History, err
}

// knownGraph is one call of searchKernels.
type knownGraph struct {
	job.Reporter[Step]
	graph   *graph.Graph
	data    canonical.Signals
	memory  dictionary.Memory // of the starts, one after the other
	options Settings
}

func (g *knownGraph) learn() (*Found, error) {
	kernels, starts := g.options.Kernels, g.options.Starts
	var choice []CountScore
	var best *kernelSearch
	var err error
	if kernels == nil && g.options.Count == 0 {
		if kernels, choice, err = g.chooseCount(); err != nil {
			return nil, err
		}
	}
	if kernels == nil {
		best, starts, err = g.best(g.data, g.options.Count)
	} else {
		best, err = g.searchFrom(g.data, kernels, 1)
	}
	if job.Failed(err) {
		return nil, err
	}
	residuals, fault := best.kernels.Finalise()
	if fault != nil {
		return nil, fault
	}
	result := &Found{
		Kernels: best.fit.Engine.Kernels(), Codes: g.data.EmbedCodes(best.fit.Code, g.graph.Vertices()),
		Residual: best.fit.Relative(residuals), Rounds: best.round, Starts: starts, Status: best.status,
		Choice: choice,
	}
	if err != nil {
		result.Status = method.Interrupted
	}
	return result, err
}

// parameters returns what is free of the kernels.
func (g *knownGraph) parameters() kernelparam.Parameters {
	if g.options.Kernels != nil {
		return kernelparam.Scales{}
	}
	return g.polynomials()
}

func (g *knownGraph) polynomials() kernelparam.Polynomials {
	return kernelparam.Polynomials{Bounds: kernelparam.NewBounds(g.options.Degree, g.options.Sum, g.options.Slack)}
}

// best learns that many free polynomials from all starts and returns the search of
// smallest residual, and how many starts there were. If the context ends, these
// come with job.ErrInterrupted.
func (g *knownGraph) best(data canonical.Signals, count int) (best *kernelSearch, starts int, err error) {
	free := g.polynomials()
	for start := 1; start <= g.options.Starts; start++ {
		kernels, err := free.Start(count, start, g.options.Seed)
		if err != nil {
			return nil, 0, err
		}
		s, err := g.searchFrom(data, kernels, start)
		if job.Failed(err) {
			return nil, 0, err
		}
		starts = start
		if best == nil || s.residual < best.residual {
			best = s
		}
		if best.status == method.Converged || err != nil {
			return best, starts, err
		}
	}
	return best, starts, nil
}

// A kernelSearch is one start: the signals, their codes and the kernels.
type kernelSearch struct {
	fit      *fitting.DenseFit
	kernels  *fitting.DenseKernelMover
	start    int
	round    int
	residual float64
	status   method.Status
}

// fitOn returns the signals with codes of a model on a graph that stays as it is.
func fitOn(g *graph.Graph, data canonical.Signals, m fitting.Model, threads int, memory *dictionary.Memory) (fitting.DenseView, error) {
	pairs, w := dictionary.EdgesOf(g)
	floats.Scale(1/floats.Max(w), w) // so that no degree overflows
	v := fitting.New(data, m, fitting.NewDense(data, m, threads, memory), new(int)).OverPairs(pairs)
	return v, v.At(w)
}

const (
	// kernelPatience is how many rounds in a row may gain too little.
	kernelPatience = 2
	// exceptions is one over the share of signals that may stay unexplained by
	// kernels that count as found: their supports were missed.
	exceptions = 50
)

// kernelStages are the ways to code, one after the other.
var kernelStages = []fitting.Stage{{CoderSetting: fitting.CoderSetting{Method: sparse.OMP, Width: 0}, Stall: 0.02}, {CoderSetting: fitting.CoderSetting{Method: sparse.Beam, Width: 4}, Stall: 0.005}, {CoderSetting: fitting.CoderSetting{Method: sparse.Beam, Width: 16}, Stall: 0.1}}

// searchFrom learns from the kernels given: it alternates coding and kernel steps
// until neither gains. If the context ends, what it has come to comes with
// job.ErrInterrupted.
func (g *knownGraph) searchFrom(data canonical.Signals, kernels []kernel.Kernel, start int) (*kernelSearch, error) {
	v, err := fitOn(g.graph, data, fitting.Model{Kernels: kernels, Sparsity: g.options.Sparsity}, g.options.Threads, &g.memory)
	if err != nil {
		return nil, err
	}
	s := &kernelSearch{fit: v.Fit, kernels: fitting.NewKernelMover(v.Fit, g.parameters()), start: start, status: method.Stalled}
	loss := fitting.NewRobustLoss(v)
	for _, stage := range kernelStages {
		stall := optimise.Stall{Tolerance: stage.Stall, Patience: kernelPatience}
		for stalled := false; !stalled; {
			if s.round == g.options.Rounds {
				s.status = method.MaxRounds
				return s, nil
			}
			s.round++
			v.Engine.PlaceHere()
			residuals := v.Improve(stage.CoderSetting, v.EverySignal())
			loss.Smooth(residuals)
			if err := g.show(s, job.Coding, residuals); err != nil {
				return s, err
			}
			var value float64
			value, residuals = s.kernels.Minimise(g.Ctx, loss, fitting.KernelSteps)
			err := g.show(s, job.KernelUpdate, residuals)
			if exceptions*len(v.Unexplained(residuals)) <= v.M {
				s.status = method.Converged
			}
			if err != nil || s.status == method.Converged {
				return s, err
			}
			stalled = stall.Done(value)
		}
	}
	return s, nil
}

// show reports a step with the residuals that it has come to.
func (g *knownGraph) show(s *kernelSearch, phase method.Phase, residuals fitting.Residuals) error {
	s.residual = s.fit.Relative(residuals)
	return g.Report(Step{Phase: phase, Count: len(s.fit.Engine.Kernels()), Start: s.start, Round: s.round, Residual: s.residual})
}
