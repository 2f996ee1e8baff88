package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/cmd/internal/views"
	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

func newFilter(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Filter{}
	cmd := &cobra.Command{
		Use:   "filter GRAPH SIGNALS [flags]",
		Short: "Remove noise from signals, or filter them, on a graph",
		Long: `Filter signals by graph frequency, with a graph that was learned or is known.
Low frequencies hardly change along the edges; noise has all frequencies alike.

By default, noise is removed: the signals x that minimise ‖x − y‖² + tau·xᵀLx
are smooth along the edges and near the given signals y. A larger tau means
smoother signals. By default it is chosen by generalised cross-validation, which
needs no clean signals. With --summary, the signals are a Gaussian field whose
kernel and noise learn has found, and the output is what is expected of the
field, given the signals. With --kernel, the signals are filtered by a kernel
instead, as in the dictionaries of learn.

Vertices are matched by name, in any order. A vertex that the graph does not
mention has no edges. Missing values must be filled first, with fill. The output
has the same vertices; rows are observations. One of GRAPH and SIGNALS may be -
for standard input; a graph is an edge list there.`,
		Example: `  nervure filter graph.csv signals.csv --out denoised.csv
  nervure filter graph.csv signals.csv --denoise 0.5 --out denoised.npy
  nervure filter graph.csv signals.csv --summary field.json --out denoised.csv
  nervure filter graph.csv signals.csv --kernel heat:2 --spectrum spectrum.csv \
    --out smooth.csv`,
		Args:              arguments.GraphAndSignals,
		ValidArgsFunction: arguments.GraphThenSignals,
		RunE: func(cmd *cobra.Command, args []string) error {
			kernel, err := f.Kernel()
			if err != nil {
				return err
			}
			run := &filterRun{Filter: f, useRun: newUseRun(&f.Use, args, stdin), kernel: kernel}
			return run.do(cmd.Context(), c)
		},
	}
	f.Define(cmd)
	return cmd
}

// A filterRun is a filter command with its flags understood.
type filterRun struct {
	*arguments.Filter
	useRun
	kernel *kernel.Kernel // nil to remove noise
	known  *knownField    // that the signals are; nil if there is none
}

// A filtering is signals after a filter, and what there is to say about it.
type filtering struct {
	set   *signals.Set
	bands []bandRow
	tell  func(written []string)
}

// A bandRow is a line of the spectrum.
type bandRow struct {
	gsp.Band
	after float64
}

func (r *filterRun) do(ctx context.Context, c views.Console) error {
	field, err := r.field()
	if err != nil {
		return err
	}
	r.known = field
	data, err := r.read(ctx, c, r.outputs(nil), func(set *signals.Set) (*graph.Graph, error) {
		return readGraphInputOn(r.source.stdin, r.graph, set.Names)
	})
	if err != nil {
		return err
	}
	if err := r.source.refuseGaps(data.signals); err != nil {
		return err
	}
	r.source.note(c, r.Quiet, data.signals)
	if err := r.maskFaults(ctx, c, data.signals); err != nil {
		return err
	}
	variant := gsp.Combinatorial
	if r.kernel != nil || r.known != nil {
		variant = gsp.Normalized
	}
	var done *filtering
	err = r.onGraph(ctx, data, variant, func(l *gsp.Laplacian) (err error) {
		if matrix.Missing(data.signals.Y) > 0 { // what was set aside
			_, m := data.signals.Y.Dims()
			filled, err := l.Fill(ctx, data.signals.Y, gsp.FillOptions{Choose: true, Center: m > 1})
			if err != nil {
				return err
			}
			if data.signals.Y = filled.Y; matrix.Missing(filled.Y) > 0 {
				return &input.Error{File: r.source.name(), Msg: "what was set aside cannot be estimated from the other values: keep it with --bad-sensors report"}
			}
		}
		done, err = r.filter(ctx, c, l, data.signals)
		return err
	})
	if err != nil {
		return err
	}
	written, err := r.write(ctx, c, r.outputs(done), done.set)
	if !r.Quiet {
		done.tell(written)
	}
	return err
}

// filter does the work.
func (r *filterRun) filter(ctx context.Context, c views.Console, l *gsp.Laplacian, set *signals.Set) (*filtering, error) {
	n, m := set.Y.Dims()
	center := r.Centers(r.kernel == nil && m > 1)
	var y *mat.Dense
	done := &filtering{}
	if r.kernel == nil {
		d, err := l.Denoise(ctx, set.Y, gsp.DenoiseOptions{Tau: r.Tau, Center: center, Prior: r.known.prior(l)})
		if err != nil {
			return nil, err
		}
		y = d.Y
		done.tell = func(written []string) {
			if r.known != nil {
				views.TellExpected(c, m, n, r.known.FieldSpectrum, d, written)
				return
			}
			views.TellDenoised(c, m, n, r.Tau == 0, d, written)
		}
	} else {
		rest, means := set.Y, make([]float64, n)
		if center {
			rest, means = gsp.Center(set.Y)
		}
		f, err := l.Filter(ctx, rest, r.kernel.Value)
		if err != nil {
			return nil, err
		}
		kept := share(f.Y, rest) // before the means are back
		done.tell = func(written []string) {
			views.TellFiltered(c, m, n, kernel.ShortName(r.kernel.Name), kept, f.ApproximationError, written)
		}
		y = f.Y
		y.Apply(func(i, _ int, v float64) float64 { return v + means[i] }, y)
	}
	done.set = &signals.Set{Y: y, Names: set.Names, Times: set.Times}
	if r.Spectrum == "" {
		return done, nil
	}
	bands, err := r.bands(l, set.Y, y, center)
	done.bands = bands
	return done, err
}

// share is the energy of a over that of b.
func share(a, b *mat.Dense) float64 {
	all := mat.Norm(b, 2)
	if all == 0 {
		return 1
	}
	return mat.Norm(a, 2) / all * (mat.Norm(a, 2) / all)
}

// bands are the energies by frequency before and after, about the means if those
// were kept apart.
func (r *filterRun) bands(l *gsp.Laplacian, before, after *mat.Dense, center bool) ([]bandRow, error) {
	s, err := l.Spectrum()
	if err != nil {
		return nil, err
	}
	if center {
		before, _ = gsp.Center(before)
		after, _ = gsp.Center(after)
	}
	was, err := s.Bands(before)
	if err != nil {
		return nil, err
	}
	is, err := s.Bands(after)
	if err != nil {
		return nil, err
	}
	rows := make([]bandRow, len(was))
	for k := range rows {
		rows[k] = bandRow{was[k], is[k].Energy}
	}
	return rows, nil
}

// outputs lists the files to write.
func (r *filterRun) outputs(done *filtering) []output {
	if done == nil {
		done = &filtering{}
	}
	spectrum := toFile(func(w io.Writer) error { return writeBands(w, done.bands) })
	return []output{r.output(done.set), {"--spectrum", r.Spectrum, endsIn("--spectrum", ".csv"), spectrum}}
}

// writeBands writes a line for each frequency.
func writeBands(w io.Writer, bands []bandRow) error {
	if _, err := io.WriteString(w, "frequency,waves,energy_before,energy_after\n"); err != nil {
		return err
	}
	for _, b := range bands {
		if _, err := fmt.Fprintf(w, "%v,%d,%v,%v\n", b.Frequency, b.Waves, b.Energy, b.after); err != nil {
			return err
		}
	}
	return nil
}

func newFill(c views.Console, stdin io.Reader) *cobra.Command {
	f := &arguments.Fill{}
	cmd := &cobra.Command{
		Use:   "fill GRAPH SIGNALS [flags]",
		Short: "Fill gaps in signals from neighbours in a graph",
		Long: `Estimate the missing values of signals from the known values of neighbouring
vertices, with a graph that was learned or is known. Known values stay as they
are, but for readings that look like sensor faults: they count as missing, as
learn has it (--bad-sensors). A row without any value is filled with the means
of the vertices. A vertex that was never measured, an empty column, is
estimated throughout.
Vertices of the graph that the signals do not have are added, in columns at the
end.

The estimates minimise ‖x − y‖² over the known values plus tau·xᵀLx. By default
tau is chosen by hiding known values, a fifth at a time; the output reports how
well they were predicted. With --tau 0 the estimates pass through the known
values exactly: each is the weighted mean of its neighbours. With --summary,
what is expected of the field that learn has found is tried as well, and taken
if it predicts hidden values best.

A value without any known value in its connected component cannot be estimated.
It stays missing, and a note says so. Rows of the output are observations. One
of GRAPH and SIGNALS may be - for standard input; a graph is an edge list there.`,
		Example: `  nervure fill graph.csv gaps.csv --out filled.csv
  nervure fill graph.csv gaps.csv --summary field.json --out filled.csv
  nervure fill graph.csv gaps.csv --tau 0 --out filled.npy`,
		Args:              arguments.GraphAndSignals,
		ValidArgsFunction: arguments.GraphThenSignals,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.Check(); err != nil {
				return err
			}
			run := &fillRun{Fill: f, useRun: newUseRun(&f.Use, args, stdin)}
			run.source.options.KeepEmpty, run.source.options.KeepObservations = true, true
			return run.do(cmd.Context(), c)
		},
	}
	f.Define(cmd)
	return cmd
}

// A fillRun is a fill command with its flags understood.
type fillRun struct {
	*arguments.Fill
	useRun
}

func (r *fillRun) do(ctx context.Context, c views.Console) error {
	field, err := r.field()
	if err != nil {
		return err
	}
	data, err := r.read(ctx, c, []output{r.output(nil)}, func(set *signals.Set) (*graph.Graph, error) {
		file, err := readGraphInput(r.source.stdin, r.graph, false)
		if err != nil {
			return nil, err
		}
		return file.With(set.Names)
	})
	if err != nil {
		return err
	}
	r.source.note(c, r.Quiet, data.signals)
	all := data.signals
	observed := matrix.ObservedColumns(all.Y)
	data.signals = &signals.Set{Y: matrix.Columns(all.Y, observed), Names: all.Names, Times: matrix.Pick(all.Times, observed)}
	if err := r.maskFaults(ctx, c, data.signals); err != nil {
		return err
	}
	given := onAllVertices(data)
	_, m := given.Dims()
	r.Options.Center = r.Centers(m > 1)
	var filled *gsp.Filling
	err = r.onGraph(ctx, data, gsp.Combinatorial, func(l *gsp.Laplacian) (err error) {
		if field != nil {
			normalised, err := gsp.New(data.graph, gsp.Normalized)
			if err != nil {
				return err
			}
			normalised.Threads = l.Threads
			r.Options.Prior = field.prior(normalised)
		}
		filled, err = l.Fill(ctx, given, r.Options)
		return err
	})
	if err != nil {
		return err
	}
	set, empty := withoutEmpty(filled.Y, data.graph.Names())
	set.Y, set.Times = withMeans(set.Y, all.Y, observed), all.Times
	written, err := r.write(ctx, c, []output{r.output(set)}, set)
	if !r.Quiet {
		views.TellFilling(c, data.signals, data.graph.Names(), filled, r.Options, empty, written)
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

// withMeans puts observations without any value back between those that have some: nothing is known of them but the mean of
// each vertex.
func withMeans(y, given *mat.Dense, observed []int) *mat.Dense {
	n, _ := y.Dims()
	_, m := given.Dims()
	if len(observed) == m {
		return y
	}
	whole := mat.NewDense(n, m, nil)
	for i, row := range matrix.DescribeRows(y) {
		x := whole.RawRowView(i)
		for k := range x {
			x[k] = row.Mean
		}
		for at, k := range observed {
			x[k] = y.At(i, at)
		}
	}
	return whole
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
	if kept == nil {
		return &signals.Set{Y: y, Names: names}, nil // writing it says that there is nothing
	}
	return &signals.Set{Y: matrix.Rows(y, kept), Names: keptNames}, empty
}

// A useRun is what filter and fill share: signals from a graph and signals.
type useRun struct {
	use    *arguments.Use
	graph  string
	source signalFile
}

func newUseRun(f *arguments.Use, args []string, stdin io.Reader) useRun {
	return useRun{f, args[0], signalsOf(f.Asked.Read, args[1], stdin)}
}

// A knownField is the field that signals are, as a summary describes it.
type knownField struct {
	*document.FieldSpectrum
	kernel kernel.Kernel
}

// field returns the field of the summary that was given, nil if none was.
func (r *useRun) field() (*knownField, error) {
	if r.use.Summary == "" {
		return nil, nil //nolint:nilnil // there is no field
	}
	summary, err := summaryIn(r.use.Summary)
	if err != nil {
		return nil, err
	}
	f := summary.Field
	if f == nil {
		return nil, &input.Error{File: r.use.Summary, Msg: fmt.Sprintf("the summary of method %s has no field: learn a graph with edges by --method field", summary.Method)}
	}
	k, err := kernel.Parse(f.Kernel, 1, kernel.Chebyshev) // whose function is used, not its polynomial
	if err != nil {
		return nil, &input.Error{File: r.use.Summary, Msg: err.Error()}
	}
	return &knownField{f, k}, nil
}

// prior is what is expected of signals, with each vertex in units of its standard deviation.
func (f *knownField) prior(l *gsp.Laplacian) *gsp.Prior {
	if f == nil {
		return nil
	}
	return &gsp.Prior{L: l, Response: func(e float64) float64 { return f.Size * f.kernel.Value(e) }, Noise: f.Noise, Scaled: true}
}

// read checks the outputs, and reads signals and the graph they are on.
func (r *useRun) read(ctx context.Context, c views.Console, outputs []output, graphOf func(*signals.Set) (*graph.Graph, error)) (*signalsOnGraph, error) {
	if err := checkOutputs(outputs, append(r.source.inputs(), r.graph, r.use.Summary)...); err != nil {
		return nil, err
	}
	return await(ctx, func() (*signalsOnGraph, error) {
		set, err := r.source.read(c, r.use.Quiet)
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
	threads, restore := useThreads(r.use.Threads)
	defer restore()
	l, err := gsp.New(data.graph, r.use.Variant(byDefault))
	if err != nil {
		return err
	}
	l.Threads = threads
	err = work(l)
	e := input.Find(err)
	switch {
	case err != nil && ctx.Err() != nil:
		return views.Interrupted("nothing was written")
	case e == nil || e.File != "":
		return err
	case e.Field == input.Graph:
		return &input.Error{File: arguments.InputName(r.graph), Msg: e.Msg}
	}
	return r.source.explain(err, nil)
}

// maskFaults takes out of signals what looks like faults of sensors, as learning does, and says so.
func (r *useRun) maskFaults(ctx context.Context, c views.Console, set *signals.Set) error {
	values, sentences, err := intake.WithoutFaults(ctx, set, prepare.FaultRule(r.use.Asked.Prepare.BadSensors))
	if err != nil {
		return err
	}
	for _, sentence := range sentences {
		if !r.use.Quiet {
			c.Note("%s", sentence)
		}
	}
	set.Y = values
	return nil
}

// output is the file of signals, if they are not printed.
func (r *useRun) output(set *signals.Set) output {
	return output{"--out", r.use.Out, checkSignalsName, func(path string) error { return writeSignals(path, set) }}
}

// write writes the outputs, and prints signals that go to no file as CSV.
func (r *useRun) write(ctx context.Context, c views.Console, outputs []output, set *signals.Set) ([]string, error) {
	written, err := writeOutputs(ctx, outputs)
	if r.use.Out == "" {
		err = errors.Join(err, printed(c.Out, func(w io.Writer) error { return dataio.EncodeSignals(w, dataio.CSV, set) }))
	}
	return written, err
}
