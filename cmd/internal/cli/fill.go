package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/matrix"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/signals"
)

// tauAuto is what --tau takes for one that is chosen.
const tauAuto = "auto"

// fillFlags are the flags of fill as they were typed.
type fillFlags struct {
	useFlags
	set  *pflag.FlagSet
	tau  string
	seed uint64
}

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
			c := c.reading(cmd)
			run, err := f.resolve(args)
			if err != nil {
				return err
			}
			return run.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

func (f *fillFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Signals", f.signals.define)
	addFlags(cmd, "Filling", func(s *pflag.FlagSet) {
		s.StringVar(&f.tau, "tau", tauAuto, "smoothness `X` of the estimates, 0 for the limit that passes through the known values, or auto to choose it")
		f.defineLaplacian(s, "combinatorial")
		f.defineCenter(s, "yes with several signals")
		s.Uint64Var(&f.seed, "seed", 1, "random seed `S` of which values are hidden to choose tau; 0 is the same as 1")
		f.defineThreads(s)
	})
	addFlags(cmd, "Output", f.defineOut)
	f.set = cmd.Flags()
	mustComplete(cmd, "tau", cobra.FixedCompletions([]cobra.Completion{tauAuto, "0"}, cobra.ShellCompDirectiveNoFileComp))
}

// A fillRun is a fill command with its flags understood.
type fillRun struct {
	*fillFlags
	graph   string
	source  signalFile
	options gsp.FillOptions
}

func (f *fillFlags) resolve(args []string) (*fillRun, error) {
	r := &fillRun{fillFlags: f, graph: args[0], source: f.signals.file(args[1])}
	r.source.options.KeepEmpty = true
	if f.set.Changed("out") && f.out == "" {
		return nil, misuse("--out needs a file name")
	}
	r.options = gsp.FillOptions{Choose: f.tau == tauAuto, Seed: f.seed}
	if f.tau != tauAuto {
		tau := notNegative()
		if err := tau.Set(f.tau); err != nil {
			return nil, misuse("--tau %q: %s, or auto", f.tau, err)
		}
		r.options.Tau = tau.value
	}
	return r, nil
}

func (r *fillRun) do(ctx context.Context, c console) error {
	if err := checkOutputs(r.signalsOutput(nil), append(r.source.inputs(), r.graph)...); err != nil {
		return err
	}
	data, err := await(ctx, func() (*signalsOnGraph, error) {
		return readOn(c, &r.source, r.quiet, func(set *signals.Set) (*graph.Graph, error) {
			file, err := readGraphInput(c.in, r.graph)
			if err != nil {
				return nil, err
			}
			return file.With(set.Names)
		})
	})
	if err != nil {
		return err
	}
	r.source.note(c, r.quiet, data.signals)
	given := onAllVertices(data)
	_, m := given.Dims()
	r.options.Center = r.centers(m > 1)
	var filled *gsp.Filling
	err = r.onGraph(data, r.variant(gsp.Combinatorial), r.graph, &r.source, func(l *gsp.Laplacian) (err error) {
		filled, err = l.Fill(ctx, given, r.options)
		return err
	})
	if err != nil {
		return interrupted(ctx, err)
	}
	set, empty := withoutEmpty(filled.Y, data.graph.Names())
	set.Times = data.signals.Times
	written, err := writeOutputs(ctx, r.signalsOutput(set))
	err = errors.Join(err, r.printSignals(c, set))
	if !r.quiet {
		r.tell(c, data, filled, empty, written)
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
	for i, row := range matrix.DescribeRows(y) {
		if row.Observed == 0 {
			empty = append(empty, names[i])
			continue
		}
		kept, keptNames = append(kept, i), append(keptNames, names[i])
	}
	return &signals.Set{Y: matrix.Rows(y, kept), Names: keptNames}, empty
}

// tell says what was filled, how well, and what was not.
func (r *fillRun) tell(c console, data *signalsOnGraph, f *gsp.Filling, empty, written []string) {
	note := func(format string, args ...any) { fmt.Fprintln(c.err, wrapped("note: "+fmt.Sprintf(format, args...))) }
	names := data.graph.Names()
	if measured, _ := data.signals.Y.Dims(); measured < len(names) {
		note("the signals do not have %s of the graph: %s", plural(len(names)-measured, "vertex"), words.List(firstFew(names[measured:]), "and"))
	}
	var unmeasured []string
	for i, row := range matrix.DescribeRows(data.signals.Y) {
		if row.Observed == 0 && !slices.Contains(empty, names[i]) {
			unmeasured = append(unmeasured, names[i])
		}
	}
	if len(unmeasured) > 0 {
		note("%s without any value, estimated from the others throughout: %s", plural(len(unmeasured), "vertex"), words.List(firstFew(unmeasured), "and"))
	}
	var unreached []string
	for _, i := range f.Unreached {
		if !slices.Contains(empty, names[i]) {
			unreached = append(unreached, names[i])
		}
	}
	const why = "no vertex of their component has a known value"
	if len(unreached) > 0 {
		note("some values at %s stay missing, because %s in those signals: %s", plural(len(unreached), "vertex"), why, words.List(firstFew(unreached), "and"))
	}
	if len(empty) > 0 {
		note("%s left out, because %s: %s", plural(len(empty), "vertex"), why, words.List(firstFew(empty), "and"))
	}
	switch {
	case f.HiddenError > 0.9: // not if it is NaN
		note("hidden values are predicted hardly better than by the mean of their vertex, or by 0 with --center no: this graph says little about the values of these signals")
	case f.End == gsp.AtLeast:
		note("the chosen tau is the least but 0 that was tried")
	case f.End == gsp.AtMost:
		note("the chosen tau is the largest that was tried")
	}
	how := fmt.Sprintf("tau %.3g", f.Tau)
	if r.options.Choose {
		unit := "mean square"
		if r.options.Center {
			unit = "variance"
		}
		how += fmt.Sprintf(" (chosen), hidden values predicted with %s of their %s as error", percent(f.HiddenError), unit)
	}
	if f.Missing == 0 {
		how = "nothing was missing"
	}
	fmt.Fprintln(c.err, wrapped(fmt.Sprintf("filled %d of %s: %s%s", f.Filled, plural(f.Missing, "missing value"), how, wroteWords(written))))
}

// firstFew returns at most five names, and says how many there are besides.
func firstFew(names []string) []string {
	const few = 5
	if len(names) <= few {
		return names
	}
	return append(slices.Clone(names[:few]), fmt.Sprintf("%d more", len(names)-few))
}
