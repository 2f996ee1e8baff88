package nervure

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"time"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
)

// KernelOptions say how to learn kernels on a known graph. The zero value learns
// free polynomials, as many as held-out signals ask for.
type KernelOptions struct {
	Prepare prepare.Options     // preprocessing; by default only where the data call for it
	Learn   learn.KernelOptions // its zero seed means 1, its zero number of threads all cores
}

// A KernelAnalysis is kernels that were learned on a known graph.
type KernelAnalysis struct {
	*learn.KernelResult
	Preparation *Preparation
	Graph       *graph.Graph
	Duration    time.Duration
	Asked       learn.KernelOptions
}

// A KernelStep is a look at learning kernels: the preparation first, then steps
// of the learner, and last the analysis.
type KernelStep struct {
	Preparation *Preparation
	Learn       learn.KernelStep
	Analysis    *KernelAnalysis
}

// LearnKernels learns the kernels that make signals sparse on a graph of the same
// vertices, in their order. If ctx ends, the best kernels so far come with the
// cause.
func LearnKernels(ctx context.Context, s *Signals, g *graph.Graph, o KernelOptions) (*KernelAnalysis, error) {
	var last KernelStep
	for step, err := range KernelSteps(ctx, s, g, o) {
		if err != nil {
			return step.Analysis, err
		}
		last = step
	}
	return last.Analysis, nil
}

// KernelSteps is [LearnKernels] as a loop over the work in progress; leaving the
// loop stops the work. The last step carries the analysis.
func KernelSteps(ctx context.Context, s *Signals, g *graph.Graph, o KernelOptions) iter.Seq2[KernelStep, error] {
	return func(yield func(KernelStep, error) bool) {
		o.Learn.Seed = cmp.Or(o.Learn.Seed, 1)
		o.Learn.Threads = cmp.Or(o.Learn.Threads, runtime.GOMAXPROCS(0))
		prepared, err := prepareFor(s, o.Prepare, keepCommonMode)
		if err != nil {
			yield(KernelStep{}, err)
			return
		}
		if !yield(KernelStep{Preparation: prepared}, nil) {
			return
		}
		begun := time.Now()
		for step, err := range learn.KernelSteps(ctx, g, prepared.Y, o.Learn) {
			if step.Result == nil && err == nil {
				if !yield(KernelStep{Learn: step}, nil) {
					return
				}
				continue
			}
			var a *KernelAnalysis
			if step.Result != nil {
				a = &KernelAnalysis{step.Result, prepared, g, time.Since(begun), o.Learn}
			}
			yield(KernelStep{Learn: step, Analysis: a}, err)
			return
		}
	}
}

// Document describes the kernels for programs, as nervure kernels writes them.
func (a *KernelAnalysis) Document() *document.Kernels {
	n, m := a.Preparation.Y.Dims()
	r := a.KernelResult
	d := &document.Kernels{
		Version: Version(), Vertices: n, Signals: m, Edges: a.Graph.EdgeCount(), Free: a.Asked.Kernels == nil,
		Sparsity: r.Options.Sparsity, Residual: r.Residual, Counts: document.NewKernelCounts(r.Choice),
		Rounds: r.Rounds, Starts: r.Starts, Status: r.Status, Seconds: a.Duration.Seconds(),
		Seed: a.Asked.Seed, Threads: a.Asked.Threads, Warnings: append([]string{}, r.Warnings...),
		Preparation: document.NewPreparation(a.Preparation.Report, a.Preparation.Options),
	}
	d.Tabulate(r.Kernels)
	return d
}
