package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/figure"
	"github.com/nervure/nervure/internal/inputs"
	"github.com/nervure/nervure/internal/plot"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/plan"
	"github.com/nervure/nervure/study"
)

// A planning is a plan command.
type planning struct {
	*arguments.Plan
	source signalFile
	doc    document.Run
}

func newPlan(c views.Console, stdin io.Reader) *cobra.Command {
	p := &planning{Plan: &arguments.Plan{}}
	cmd := &cobra.Command{
		Use:   "plan SIGNALS [flags]",
		Short: "Estimate how many signals it takes to find the edges",
		Long: `Estimate how many signals it takes to find the edges of a graph: from a pilot,
the signals there are so far, or with --graph from a graph that you assume.

For each of several numbers of signals, the table shows how many edges to expect
with that many, the recall (the share of the true edges that are found, with its
standard deviation from one set of signals to another) and the precision (the
share of the edges found that are true), both for all edges that are drawn and
for those that are sure: with a confidence of 0.9 or higher.

The graph learned from the pilot is taken for the truth. Its weights are fitted
to the pilot again without a penalty, signals are drawn from the model, and
graphs are learned from them in the same way. Up to the number of signals of the
pilot, the numbers of edges are those found in parts of the pilot itself, and
the simulation only says how many of them are true. If the signals follow one
another in time, simulated ones depend on one another in time as much.

Edges too weak for the pilot to show are not in the plan. A pilot that gives a
graph with many false edges, or with few of the true ones, gives a poor plan: it
should have at least one signal for each vertex.

With --graph, signals are simulated on the graph in FILE: a Gaussian field whose
precision matrix is L + 0.1, with the Laplacian L over the mean degree, or the
field of a --kernel.

A plan learns some thirty graphs. If you stop it with Ctrl-C, you get what is
known so far.`,
		Example: `  nervure plan signals.csv
  nervure plan signals.csv --recall 0.9 --plot plan.svg
  nervure plan signals.csv --signals 100,200,400 --out plan.csv
  nervure plan --graph graph.csv --repeats 2`,
		ValidArgsFunction: arguments.SignalFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if p.doc, err = p.Document(args); err != nil {
				return err
			}
			p.source = signalFile{RunRead: p.doc.Read, stdin: stdin}
			return p.do(cmd.Context(), c)
		},
	}
	p.Define(cmd)
	return cmd
}

func (p *planning) do(ctx context.Context, c views.Console) error {
	options, err := nervure.OptionsOf(&p.doc)
	if err != nil {
		return p.source.Explain(err)
	}
	k, err := p.Kernel()
	if err != nil {
		return err
	}
	if err := checkOutputs(p.outputs(nil), p.source.inputs()...); err != nil {
		return err
	}
	record, err := p.make(ctx, c, options, k)
	if record == nil && ctx.Err() != nil {
		return views.Interrupted("nothing is known yet, and nothing was written")
	}
	if record == nil {
		return p.explain(err)
	}
	if p.Graph == "" {
		record.Run = &p.doc
	}
	outputs, left := p.outputs(record), ""
	if record.Interrupted { // a file may be of a plan that ended
		for k, o := range outputs {
			if isFile(o.path) {
				outputs[k].path, left = "", left+fmt.Sprintf("; %s is unchanged", o.path)
			}
		}
	}
	written, err := writeOutputs(ctx, outputs)
	if p.JSON {
		err = errors.Join(err, document.Write(c.Out, record))
	} else {
		err = errors.Join(err, views.PrintPlan(c.Out, record))
	}
	if !p.Quiet {
		views.TellPlan(c, record)
		c.Wrote(written)
	}
	if record.Interrupted {
		return errors.Join(views.Interrupted("the plan is of what was known by then"+left), err)
	}
	return err
}

// make reads what there is to plan by, and plans.
func (p *planning) make(ctx context.Context, c views.Console, learn nervure.Options, k *kernel.Kernel) (*document.Plan, error) {
	threads, restore := useThreads(p.Threads)
	defer restore()
	learn.Threads = threads
	bar := views.NewPlanProgress(c.Err, p.Mode())
	defer bar.Clear()
	started := time.Now()
	o := plan.Options{Learn: learn, Sizes: p.Sizes, Repeats: p.Repeats, Recall: p.Recall, Progress: func(done, of int) {
		if done == 0 {
			started = time.Now()
		}
		bar.Show(study.Progress{Done: done, Fresh: done, Total: of, Elapsed: time.Since(started)})
	}}
	if p.Graph != "" {
		g, err := await(ctx, func() (*graph.Graph, error) {
			file, err := readGraphFile(p.Graph, false)
			if err != nil {
				return nil, err
			}
			noteGraph(c, p.Graph, file)
			return file.Graph, nil
		})
		if err != nil {
			return nil, err
		}
		return plan.FromGraph(ctx, g, k, o)
	}
	set, err := await(ctx, func() (*nervure.Signals, error) { return p.source.read(c, p.Quiet) })
	if err != nil {
		return nil, err
	}
	p.source.note(c, p.Quiet, set)
	return plan.FromPilot(ctx, set, o)
}

// explain words what the library finds wrong.
func (p *planning) explain(err error) error {
	if p.Graph == "" {
		return p.source.explain(err, p.doc.Method.Params)
	}
	if e := input.Find(err); e != nil && e.Field == input.Graph {
		return inputs.InFile(e, p.Graph, "")
	}
	return p.source.explain(err, p.doc.Method.Params)
}

// outputs lists the files to write. They are checked without a record.
func (p *planning) outputs(record *document.Plan) []output {
	draw := func(w io.Writer) error {
		format, _ := figure.FormatOf(p.Plot)
		return figure.Write(w, format, figure.Page{}, plot.Plan("How many signals it takes to find the edges", record))
	}
	return []output{
		{"--out", p.Out, endsIn("--out", ".json", ".csv"), asTable(record)},
		{"--plot", p.Plot, endsIn("--plot", ".svg", ".png", ".pdf"), toFile(draw)},
	}
}
