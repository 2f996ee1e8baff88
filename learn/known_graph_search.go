package learn

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// kernelSettings are the options of a search for kernels, as resolved.
type kernelSettings struct {
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

// An innerKernelStep is a look at a search in progress.
type innerKernelStep struct {
	Phase    phaseName
	Count    int
	Start    int
	Round    int
	Residual float64
}

// foundKernels are what a search has found.
type foundKernels struct {
	Kernels  []kernel.Kernel
	Codes    *sparse.Code // X for the signals as given
	Residual float64
	Rounds   int
	Starts   int
	Status   solver.Status
	Choice   []innerCountScore // how the count was chosen; nil if it was given
}

// searchKernels searches for kernels on a graph. It yields its steps, of which it returns
// the history. If the context ends, the best so far comes with errInterrupted.
func searchKernels(ctx context.Context, g *graph.Graph, y *mat.Dense, o kernelSettings, yield func(innerKernelStep) bool) (*foundKernels, []innerKernelStep, error) {
	r := &knownGraph{reporter: reporter[innerKernelStep]{ctx: ctx, yield: yield}, graph: g, data: prepareAsGiven(y), options: o}
	found, err := r.learn()
	return found, r.history, err
}

// knownGraph is one call of searchKernels.
type knownGraph struct {
	reporter[innerKernelStep]
	graph   *graph.Graph
	data    prepared
	memory  dictionary.Memory // of the starts, one after the other
	options kernelSettings
}

func (g *knownGraph) learn() (*foundKernels, error) {
	kernels, starts := g.options.Kernels, g.options.Starts
	var choice []innerCountScore
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
	if failed(err) {
		return nil, err
	}
	residuals, fault := best.kernels.finalise()
	if fault != nil {
		return nil, fault
	}
	result := &foundKernels{
		Kernels: best.fit.engine.Kernels(), Codes: g.data.embedCodes(best.fit.code, g.graph.Vertices()),
		Residual: best.fit.relative(residuals), Rounds: best.round, Starts: starts, Status: best.status,
		Choice: choice,
	}
	if err != nil {
		result.Status = solver.Interrupted
	}
	return result, err
}

// parameters returns what is free of the kernels.
func (g *knownGraph) parameters() kernelParameters {
	if g.options.Kernels != nil {
		return kernelScales{}
	}
	return g.polynomials()
}

func (g *knownGraph) polynomials() freePolynomials {
	return freePolynomials{newPolynomialBounds(g.options.Degree, g.options.Sum, g.options.Slack)}
}

// best learns so many free polynomials from all starts and returns the search of
// smallest residual, and how many starts there were. If the context ends, these
// come with errInterrupted.
func (g *knownGraph) best(data prepared, count int) (best *kernelSearch, starts int, err error) {
	free := g.polynomials()
	for start := 1; start <= g.options.Starts; start++ {
		kernels, err := free.start(count, start, g.options.Seed)
		if err != nil {
			return nil, 0, err
		}
		s, err := g.searchFrom(data, kernels, start)
		if failed(err) {
			return nil, 0, err
		}
		starts = start
		if best == nil || s.residual < best.residual {
			best = s
		}
		if best.status == solver.Converged || err != nil {
			return best, starts, err
		}
	}
	return best, starts, nil
}

// A kernelSearch is one start: the signals, their codes and the kernels.
type kernelSearch struct {
	fit      *denseFit
	kernels  *kernelUpdate
	start    int
	round    int
	residual float64
	status   solver.Status
}

// fitOn returns the signals with codes of a model on a graph that stays as it is.
func fitOn(g *graph.Graph, data prepared, m innerModel, threads int, memory *dictionary.Memory) (denseView, error) {
	pairs, w := dictionary.EdgesOf(g)
	floats.Scale(1/floats.Max(w), w) // so that no degree overflows
	v := newFit(data, m, newDenseEngine(data, m, threads, memory), new(int)).overPairs(pairs)
	return v, v.at(w)
}

const (
	// kernelPatience is how many rounds in a row may gain too little.
	kernelPatience = 2
	// exceptions is one over the share of signals that may stay unexplained by
	// kernels that count as found: their supports were missed.
	exceptions = 50
)

// kernelStages are the ways to code, one after the other.
var kernelStages = []stage{{coderSetting{sparse.OMP, 0}, 0.02}, {coderSetting{sparse.Beam, 4}, 0.005}, {coderSetting{sparse.Beam, 16}, 0.1}}

// searchFrom learns from the kernels given: it alternates coding and kernel steps
// until neither gains. If the context ends, what it has come to comes with
// errInterrupted.
func (g *knownGraph) searchFrom(data prepared, kernels []kernel.Kernel, start int) (*kernelSearch, error) {
	v, err := fitOn(g.graph, data, innerModel{Kernels: kernels, Sparsity: g.options.Sparsity}, g.options.Threads, &g.memory)
	if err != nil {
		return nil, err
	}
	s := &kernelSearch{fit: v.fit, kernels: newKernelUpdate(v.fit, g.parameters()), start: start, status: solver.Stalled}
	loss := newRobustLoss(v)
	for _, stage := range kernelStages {
		stall := solver.Stall{Tolerance: stage.stall, Patience: kernelPatience}
		for stalled := false; !stalled; {
			if s.round == g.options.Rounds {
				s.status = solver.MaxRounds
				return s, nil
			}
			s.round++
			v.engine.PlaceHere()
			residuals := v.improve(stage.coderSetting, v.everySignal())
			loss.smooth(residuals)
			if err := g.show(s, coding, residuals); err != nil {
				return s, err
			}
			var value float64
			value, residuals = s.kernels.minimise(g.ctx, loss, kernelSteps)
			err := g.show(s, kernelsUpdated, residuals)
			if exceptions*len(v.unexplained(residuals)) <= v.m {
				s.status = solver.Converged
			}
			if err != nil || s.status == solver.Converged {
				return s, err
			}
			stalled = stall.Done(value)
		}
	}
	return s, nil
}

// show reports a step with the residuals that it has come to.
func (g *knownGraph) show(s *kernelSearch, phase phaseName, residuals residualEnergies) error {
	s.residual = s.fit.relative(residuals)
	return g.report(innerKernelStep{Phase: phase, Count: len(s.fit.engine.Kernels()), Start: s.start, Round: s.round, Residual: s.residual})
}
