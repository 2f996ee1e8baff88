package learn

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
)

// knownGraph is one call of KernelSteps.
type knownGraph struct {
	reporter[KernelStep]
	graph   *graph.Graph
	data    prepared
	memory  dictionary.Memory // of the starts, one after the other
	options KernelOptions
}

func (g *knownGraph) learn() (*KernelResult, error) {
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
	if failed(err) {
		return nil, err
	}
	residuals, fault := best.kernels.finalise()
	if fault != nil {
		return nil, fault
	}
	result := &KernelResult{
		Kernels: best.fit.engine.Kernels(), Codes: g.data.embedCodes(best.fit.code, g.graph.Vertices()), Options: g.options,
		Residual: best.fit.relative(residuals), Rounds: best.round, Starts: starts, Status: best.status,
		Choice: choice, History: g.history,
	}
	result.Options.Count = len(result.Kernels)
	if err != nil {
		result.Status = solver.Interrupted
	}
	for _, k := range result.Kernels {
		if w := k.Warning(); w != "" {
			result.Warnings = append(result.Warnings, w)
		}
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
func fitOn(g *graph.Graph, data prepared, m Model, threads int, memory *dictionary.Memory) (denseView, error) {
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
	v, err := fitOn(g.graph, data, Model{Kernels: kernels, Sparsity: g.options.Sparsity}, g.options.Threads, &g.memory)
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
			if err := g.show(s, Coding, residuals); err != nil {
				return s, err
			}
			var value float64
			value, residuals = s.kernels.minimise(g.ctx, loss, kernelSteps)
			err := g.show(s, KernelUpdate, residuals)
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
func (g *knownGraph) show(s *kernelSearch, phase Phase, residuals residualEnergies) error {
	s.residual = s.fit.relative(residuals)
	return g.report(KernelStep{Phase: phase, Count: len(s.fit.engine.Kernels()), Start: s.start, Round: s.round, Residual: s.residual})
}
