package model

import (
	"cmp"
	"context"
	"iter"
	"runtime"
	"slices"
	"time"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// KernelOptions say how to learn kernels on a known graph. The zero value learns
// free polynomials, as many as held-out signals ask for.
type KernelOptions struct {
	Prepare prepare.Options // preprocessing; by default only where the data call for it
	// BadSensors is how to treat readings that look like sensor faults; the empty
	// rule makes them missing.
	BadSensors prepare.FaultRule
	Learn      learn.KernelOptions // its zero seed means 1, its zero number of threads all cores
}

// A KernelAnalysis is kernels that were learned on a known graph.
type KernelAnalysis struct {
	*learn.KernelResult
	Preparation *nervure.Preparation
	Graph       *graph.Graph
	Duration    time.Duration
	Asked       learn.KernelOptions
}

// A KernelStep is a look at learning kernels: the preparation first, then steps
// of the learner, and last the analysis.
type KernelStep struct {
	Preparation *nervure.Preparation
	Learn       learn.KernelStep
	Analysis    *KernelAnalysis
}

// LearnKernels learns the kernels that make signals sparse on a graph of the same
// vertices, matched by name. If ctx ends, the best kernels so far come with the
// cause.
func LearnKernels(ctx context.Context, s *nervure.Signals, g *graph.Graph, o KernelOptions) (*KernelAnalysis, error) {
	last, err := run.Last(KernelSteps(ctx, s, g, o))
	return last.Analysis, err
}

// KernelSteps is [LearnKernels] as a loop over the work in progress; leaving the
// loop stops the work. The last step carries the analysis.
func KernelSteps(ctx context.Context, s *nervure.Signals, g *graph.Graph, o KernelOptions) iter.Seq2[KernelStep, error] {
	return run.Iterate(ctx, func(ctx context.Context, show func(KernelStep)) (KernelStep, error) {
		switch {
		case s == nil || s.Y == nil:
			return KernelStep{}, input.Errorf("nervure", input.Signals, "got none")
		case g == nil:
			return KernelStep{}, input.Errorf("nervure", input.Graph, "got none")
		case o.Prepare.Scores == prepare.Yes:
			return KernelStep{}, input.Errorf("nervure", input.Scores, "got yes, but kernels are learned from values")
		}
		g, err := g, error(nil)
		if s.Names != nil {
			if g, err = method.OnVertices(input.Graph, g, s.Names); err != nil {
				return KernelStep{}, err
			}
		}
		o.Learn.Seed = cmp.Or(o.Learn.Seed, 1)
		o.Learn.Threads = cmp.Or(o.Learn.Threads, runtime.GOMAXPROCS(0))
		prepared, err := intake.Prepare(ctx, s, intake.Request{Prepare: o.Prepare, BadSensors: o.BadSensors})
		if err != nil {
			return KernelStep{}, err
		}
		show(KernelStep{Preparation: prepared})
		begun := time.Now()
		var last KernelStep
		for step, fault := range learn.KernelSteps(ctx, g, prepared.Y, o.Learn) {
			last, err = KernelStep{Learn: step}, fault
			if step.Result != nil {
				if columns := prepared.Columns(); columns != nil {
					step.Result.Codes = step.Result.Codes.Columns(columns)
					prepared = prepared.AsGiven()
				}
				last.Analysis = &KernelAnalysis{step.Result, prepared, g, time.Since(begun), o.Learn}
			} else if err == nil {
				show(last)
			}
		}
		return last, err
	})
}

// Document describes the kernels for programs, as nervure kernels writes them.
func (a *KernelAnalysis) Document() *document.Kernels {
	n, m := a.Preparation.Y.Dims()
	r := a.KernelResult
	d := &document.Kernels{
		Version: nervure.Version(), Vertices: n, Signals: m, Edges: a.Graph.EdgeCount(), Free: a.Asked.Kernels == nil,
		Sparsity: r.Options.Sparsity, Residual: r.Residual, Counts: append([]document.KernelCount{}, r.Choice...), // a list, not null

		Rounds: r.Rounds, Starts: r.Starts, Status: r.Status, Seconds: a.Duration.Seconds(),
		Seed: a.Asked.Seed, Threads: a.Asked.Threads, Warnings: slices.Concat([]string{}, a.Preparation.Sentences(), r.Warnings),
		Preparation: document.NewPreparation(a.Preparation.Report, a.Preparation.Options),
	}
	d.Tabulate(r.Kernels)
	return d
}
