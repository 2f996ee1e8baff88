package cli

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/signals"
)

func newFill(c console) *cobra.Command {
	f := &fillFlags{}
	cmd := &cobra.Command{
		Use:   "fill GRAPH SIGNALS [flags]",
		Short: "Fill gaps in signals from neighbours in a graph",
		Long: `Estimate the missing values of signals from the known values of neighbouring
vertices, with a graph that was learned or is known. Known values stay as they
are. A vertex that was never measured, an empty column, is estimated throughout.
Vertices of the graph that the signals do not have are added, in columns at the
end.

The estimates minimise ‖x − y‖² over the known values plus tau·xᵀLx. By default
tau is chosen by hiding known values, a fifth at a time; the output reports how
well they were predicted. With --tau 0 the estimates pass through the known
values exactly: each is the weighted mean of its neighbours.

A value without any known value in its connected component cannot be estimated.
It stays missing, and a note says so. Rows of the output are observations. One
of GRAPH and SIGNALS may be - for standard input; a graph is an edge list there.`,
		Example: `  nervure fill graph.csv gaps.csv --out filled.csv
  nervure fill graph.csv gaps.csv --tau 0 --out filled.npy`,
		Args:              graphAndSignals,
		ValidArgsFunction: graphThenSignals,
		RunE: func(cmd *cobra.Command, args []string) error {
			run := &fillRun{fillFlags: f, useRun: newUseRun(&f.useFlags, args)}
			run.source.options.KeepEmpty = true
			return run.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

// A fillRun is a fill command with its flags understood.
type fillRun struct {
	*fillFlags
	useRun
}

func (r *fillRun) do(ctx context.Context, c console) error {
	data, err := r.read(ctx, c, r.output(nil), func(set *signals.Set) (*graph.Graph, error) {
		file, err := readGraphInput(c.in, r.graph, false)
		if err != nil {
			return nil, err
		}
		return file.With(set.Names)
	})
	if err != nil {
		return err
	}
	r.source.note(c, r.quiet, data.signals)
	given := onAllVertices(data)
	_, m := given.Dims()
	r.options.Center = r.centers(m > 1)
	var filled *gsp.Filling
	err = r.onGraph(ctx, data, gsp.Combinatorial, func(l *gsp.Laplacian) (err error) {
		filled, err = l.Fill(ctx, given, r.options)
		return err
	})
	if err != nil {
		return err
	}
	set, empty := withoutEmpty(filled.Y, data.graph.Names())
	set.Times = data.signals.Times
	written, err := r.write(ctx, c, r.output(set), set)
	if !r.quiet {
		tellFilling(c, data.signals, data.graph.Names(), filled, r.options, empty, written)
	}
	return err
}

// onAllVertices returns the signals on the vertices of the graph, those that were
// not measured without values.
func onAllVertices(data *signalsOnGraph) *mat.Dense {
	measured, m := data.signals.Y.Dims()
	n := data.graph.Vertices()
	if n == measured {
		return data.signals.Y
	}
	y := mat.NewDense(n, m, slices.Repeat([]float64{math.NaN()}, n*m))
	y.Slice(0, measured, 0, m).(*mat.Dense).Copy(data.signals.Y)
	return y
}

// withoutEmpty leaves out vertices that have no value still, which no file of
// signals may have, and names them.
func withoutEmpty(y *mat.Dense, names []string) (set *signals.Set, empty []string) {
	var kept []int
	var keptNames []string
	for i, row := range signals.DescribeRows(y) {
		if row.Observed == 0 {
			empty = append(empty, names[i])
			continue
		}
		kept, keptNames = append(kept, i), append(keptNames, names[i])
	}
	return &signals.Set{Y: signals.Rows(y, kept), Names: keptNames}, empty
}

// A useRun is what filter and fill share: signals from a graph and signals.
type useRun struct {
	use    *useFlags
	graph  string
	source signalFile
}

func newUseRun(f *useFlags, args []string) useRun {
	return useRun{f, args[0], signalsOf(f.read, args[1])}
}

// read checks the outputs, and reads signals and the graph they are on.
func (r *useRun) read(ctx context.Context, c console, outputs []output, graphOf func(*signals.Set) (*graph.Graph, error)) (*signalsOnGraph, error) {
	if err := checkOutputs(outputs, append(r.source.inputs(), r.graph)...); err != nil {
		return nil, err
	}
	return await(ctx, func() (*signalsOnGraph, error) {
		set, err := r.source.read(c, r.use.quiet)
		if err != nil {
			return nil, err
		}
		g, err := graphOf(set)
		switch e := input.Find(err); {
		case err == nil:
			r.source.hint = "" // the names of the graph show which way round the table is
		case e != nil && r.source.hint != "":
			e.Msg += "; " + r.source.hint
		}
		return &signalsOnGraph{set, g}, err
	})
}

// onGraph does work with a Laplacian on the threads asked for. What it finds wrong is put
// into words about the files.
func (r *useRun) onGraph(ctx context.Context, data *signalsOnGraph, byDefault gsp.Variant, work func(*gsp.Laplacian) error) error {
	threads, restore := useThreads(r.use.threads)
	defer restore()
	l, err := gsp.New(data.graph, r.use.variant(byDefault))
	if err != nil {
		return err
	}
	l.Threads = threads
	err = work(l)
	e := input.Find(err)
	switch {
	case err != nil && ctx.Err() != nil:
		return &interruption{"nothing was written"}
	case e == nil || e.File != "":
		return err
	case e.Field == input.Graph:
		return &input.Error{File: inputName(r.graph), Msg: e.Msg}
	}
	return r.source.explain(err, nil)
}

// output is the file of signals, or none if they are printed.
func (r *useRun) output(set *signals.Set) []output {
	if r.use.out == "" {
		return nil
	}
	return []output{{"--out", r.use.out, checkSignalsName, func(path string) error { return writeSignals(path, set) }}}
}

// write writes the outputs, and prints signals that go to no file as CSV.
func (r *useRun) write(ctx context.Context, c console, outputs []output, set *signals.Set) ([]string, error) {
	written, err := writeOutputs(ctx, outputs)
	if r.use.out == "" {
		err = errors.Join(err, printed(c.out, func(w io.Writer) error { return dataio.EncodeSignals(w, dataio.CSV, set) }))
	}
	return written, err
}
