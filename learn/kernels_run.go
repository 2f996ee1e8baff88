package learn

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// A kernelRun is one call of KernelSteps.
type kernelRun struct {
	ctx     context.Context
	g       *graph.Graph
	options KernelOptions

	yield   func(KernelStep) bool
	left    bool // the caller left the loop
	history []KernelStep
}

func (r *kernelRun) going() bool { return !r.left && r.ctx.Err() == nil }

// report yields a step.
func (r *kernelRun) report(f *kernelFit, phase Phase) {
	step := KernelStep{Phase: phase, Count: len(f.kernels), Start: f.start, Round: f.round, Residual: f.residual()}
	r.history = append(r.history, step)
	if !r.yield(step) {
		r.left = true
	}
}

func (r *kernelRun) learn(data prepared) (*KernelResult, error) {
	way, kernels := r.way(), r.options.Kernels
	var choice []CountScore
	var best *kernelFit
	var err error
	starts := r.options.Starts
	if kernels == nil && r.options.Count == 0 {
		if kernels, choice, err = r.chooseCount(data); err != nil || r.left {
			return nil, err
		}
	}
	if kernels == nil {
		best, starts, err = r.best(data, r.options.Count)
	} else {
		best, err = r.searchFrom(data, kernels, 1)
	}
	if err != nil || r.left {
		return nil, err
	}
	if err := way.settle(best); err != nil {
		return nil, err
	}
	r.options.Count = len(best.kernels)
	result := &KernelResult{
		Kernels: best.kernels, Codes: embedCodes(best.code, data, r.g.Vertices(), len(best.kernels)), Options: r.options,
		Residual: best.residual(), Rounds: best.round, Starts: starts, Status: best.status,
		Choice: choice, History: r.history,
	}
	if r.ctx.Err() != nil {
		result.Status = solver.Interrupted
	}
	for _, k := range result.Kernels {
		if w := k.Warning(); w != "" {
			result.Warnings = append(result.Warnings, w)
		}
	}
	return result, nil
}

// way returns what is free of the kernels.
func (r *kernelRun) way() kernelWay {
	if r.options.Kernels != nil {
		return scaleWay{}
	}
	return r.free()
}

func (r *kernelRun) free() freeWay {
	return freeWay{newFreeBounds(r.options.Degree, r.options.Sum, r.options.Slack)}
}

// best learns so many free polynomials from all starts and returns the fit of
// smallest residual, and how many starts there were.
func (r *kernelRun) best(data prepared, count int) (best *kernelFit, starts int, err error) {
	free := r.free()
	for start := 1; start <= r.options.Starts && (best == nil || r.going()); start++ {
		kernels, err := free.start(count, start, r.options.Seed)
		if err != nil {
			return nil, 0, err
		}
		f, err := r.searchFrom(data, kernels, start)
		if err != nil {
			return nil, 0, err
		}
		starts = start
		if best == nil || f.residual() < best.residual() {
			best = f
		}
		if best.status == solver.Converged {
			break
		}
	}
	return best, starts, nil
}

// searchFrom learns from the kernels given.
func (r *kernelRun) searchFrom(data prepared, kernels []kernel.Kernel, start int) (*kernelFit, error) {
	f, err := newKernelFit(data, r.g, kernels, r.way(), r.options.Sparsity, r.options.Threads, start)
	if err != nil {
		return nil, err
	}
	f.search(r)
	return f, nil
}

// A kernelFit is the signals, the codes and the kernels of one start.
type kernelFit struct {
	*fitter
	dense   *denseEngine
	way     kernelWay
	lambda  []float64
	damping float64
	start   int
	round   int
	status  solver.Status
}

// onGraph is the engine of a graph that stays as it is.
type onGraph struct{ *denseEngine }

// Place only makes ready to code.
func (e onGraph) Place([]float64) error {
	e.Problem(e.problem)
	return nil
}

func newKernelFit(data prepared, g *graph.Graph, kernels []kernel.Kernel, way kernelWay, sparsity, threads, start int) (*kernelFit, error) {
	pairs, w := dictionary.EdgesOf(g)
	floats.Scale(1/floats.Max(w), w) // so that no degree overflows
	dense := newDenseEngine(data.y, kernels, sparsity, threads)
	dense.SetPairs(pairs)
	if err := dense.At(w); err != nil {
		return nil, err
	}
	return &kernelFit{
		fitter: newFitter(data, Model{Kernels: kernels, Sparsity: sparsity}, threads, onGraph{dense}, pairs),
		dense:  dense, way: way, lambda: dense.Eigenvalues(), damping: firstDamping, start: start,
	}, nil
}

// residual returns the relative residual as last computed.
func (f *kernelFit) residual() float64 { return floats.Sum(f.engine.Residuals()) / f.energy }

func (f *kernelFit) setKernels(kernels []kernel.Kernel) {
	f.kernels = kernels
	f.dense.SetKernels(kernels)
}

const (
	// kernelSteps is how many Gauss–Newton steps follow each coding.
	kernelSteps = 4
	// kernelPatience is how many rounds in a row may gain too little.
	kernelPatience = 2
	// exceptions is one over the share of signals that may stay unexplained by
	// kernels that count as found: their supports were missed.
	exceptions = 50
)

// kernelStages are the ways to code, one after the other.
var kernelStages = []stage{{effort{sparse.OMP, 0}, 0.02}, {effort{sparse.Beam, 4}, 0.005}, {effort{sparse.Beam, 16}, 0.1}}

// search alternates coding and kernel steps until neither gains.
func (f *kernelFit) search(r *kernelRun) {
	f.status = solver.Stalled
	for _, s := range kernelStages {
		stall := solver.Stall{Tolerance: s.stall, Patience: kernelPatience}
		for stalled := false; !stalled; {
			if f.round == r.options.Rounds {
				f.status = solver.MaxRounds
				return
			}
			f.round++
			if f.improve(nil, s.effort, f.everySignal()) != nil {
				return
			}
			f.smooth()
			r.report(f, Coding)
			if !r.going() {
				return
			}
			loss := f.descend(r.ctx, kernelSteps)
			r.report(f, Kernel)
			if exceptions*len(f.unexplained()) <= f.m {
				f.status = solver.Converged
				return
			}
			if !r.going() {
				return
			}
			stalled = stall.Done(loss)
		}
	}
}
