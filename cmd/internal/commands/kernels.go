package commands

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/model"
	"github.com/nervure/nervure/signals"
)

func newKernels(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Kernels{}
	cmd := &cobra.Command{
		Use:   "kernels SIGNALS --graph GRAPH [flags]",
		Short: "Learn kernels from signals on a known graph",
		Long: `Learn the kernels that make signals sparse on a known graph, and print them as
flags for the other commands, one kernel per line.

By default kernels are free polynomials that are non-negative on [0, 2], scaled
to a peak of 1 and ordered from low-pass to high-pass; their number is chosen
with held-out signals. With --kernel, kernels of the given families are used and
only their scales are learned. This needs fewer signals and is more informative
if the families are right.

The vertices of the graph are matched to the signals by name, in any order. A
vertex that the graph does not mention has no edges.`,
		Example: `  nervure kernels signals.csv --graph graph.csv
  nervure kernels signals.csv --graph graph.csv \
    --kernel heat:1 --kernel highpass:1
  nervure kernels signals.csv --graph graph.csv --kernels 2 --out kernels.json
  nervure learn new.csv $(nervure kernels signals.csv --graph graph.csv)`,
		Args:              arguments.OneArgument("the signals file (or - for standard input)"),
		ValidArgsFunction: arguments.SignalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			options, err := f.Options(args[0])
			if err != nil {
				return err
			}
			run := &kernelsRun{Kernels: f, source: signalsOf(f.Asked.Read, args[0], stdin), options: options}
			return run.do(cmd.Context(), c)
		},
	}
	f.Define(cmd)
	return cmd
}

// A kernelsRun is a kernels command with its flags understood.
type kernelsRun struct {
	*arguments.Kernels
	source  signalFile
	options model.KernelOptions
}

// do learns the kernels, prints them and writes what was asked for.
func (r *kernelsRun) do(ctx context.Context, c views.Console) error {
	if err := checkOutputs(r.outputs(nil), append(r.source.inputs(), r.Graph)...); err != nil {
		return err
	}
	data, err := await(ctx, func() (*signalsOnGraph, error) {
		set, err := r.source.read(c, r.Quiet)
		if err != nil {
			return nil, err
		}
		g, err := readGraph(r.Graph, set.Names)
		return &signalsOnGraph{set, g}, err
	})
	if err != nil {
		return err
	}
	r.source.note(c, r.Quiet, data.signals)

	analysis, err := r.learn(ctx, c, data)
	if analysis == nil {
		if ctx.Err() != nil {
			return views.Interrupted("no kernels had been learned yet; nothing was written")
		}
		return r.source.explain(err, nil)
	}
	learned := analysis.Document()
	written, err := writeOutputs(ctx, r.outputs(learned))
	if r.JSON {
		err = errors.Join(err, document.Write(c.Out, learned))
	} else {
		err = errors.Join(err, views.PrintKernels(c.Out, learned))
	}
	if !r.Quiet {
		views.TellKernels(c, learned, written)
	}
	if analysis.Status == method.Interrupted {
		err = errors.Join(views.Interrupted("the best kernels so far were written"), err)
	}
	return err
}

// signalsOnGraph are signals and the graph they are on, with the same vertices.
type signalsOnGraph struct {
	signals *signals.Set
	graph   *graph.Graph
}

func (r *kernelsRun) learn(ctx context.Context, c views.Console, data *signalsOnGraph) (*model.KernelAnalysis, error) {
	threads, restore := useThreads(r.Threads)
	defer restore()
	r.options.Learn.Threads = threads
	bar := views.NewProgress(c.Err, r.Mode())
	defer bar.Clear()
	for step, err := range model.KernelSteps(ctx, data.signals, data.graph, r.options) {
		switch {
		case step.Analysis != nil || err != nil:
			return step.Analysis, err
		case step.Preparation != nil:
			if !r.Quiet {
				views.TellPreparation(c, step.Preparation)
			}
			bar.Begin("learning kernels")
		default:
			bar.ShowKernels(step.Learn)
		}
	}
	panic("model.KernelSteps ended without a last step")
}

// outputs lists the files to write.
func (r *kernelsRun) outputs(learned *document.Kernels) []output {
	return []output{{"--out", r.Out, endsIn("--out", ".json", ".csv"), asTable(learned)}}
}
