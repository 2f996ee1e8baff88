package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
)

// denoiseAuto is what --denoise takes for a tau that is chosen.
const denoiseAuto = "auto"

// filterFlags are the flags of filter as they were typed.
type filterFlags struct {
	useFlags
	set      *pflag.FlagSet
	kernel   string
	denoise  string
	spectrum string
}

func newFilter(c console) *cobra.Command {
	f := &filterFlags{}
	cmd := &cobra.Command{
		Use:   "filter GRAPH SIGNALS [flags]",
		Short: "Remove noise from signals, or filter them, on a graph",
		Long: `Filter signals by graph frequency, with a graph that was learned or is known.
Low frequencies hardly change along the edges; noise has all frequencies alike.

By default, noise is removed: the signals x that minimise ‖x − y‖² + tau·xᵀLx
are smooth along the edges and near the given signals y. A larger tau means
smoother signals. By default it is chosen by generalised cross-validation, which
needs no clean signals. With --kernel, the signals are filtered by a kernel
instead, as in the dictionaries of learn.

Vertices are matched by name, in any order. A vertex that the graph does not
mention has no edges. Missing values must be filled first, with fill. The output
has the same vertices; rows are observations.`,
		Example: `  nervure filter graph.csv signals.csv --out denoised.csv
  nervure filter graph.csv signals.csv --denoise 0.5 --out denoised.npy
  nervure filter graph.csv signals.csv --kernel heat:2 --spectrum spectrum.csv \
    --out smooth.csv`,
		Args:              graphAndSignals,
		ValidArgsFunction: graphThenSignals,
		RunE: func(cmd *cobra.Command, args []string) error {
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

func (f *filterFlags) define(cmd *cobra.Command) {
	addFlags(cmd, "Signals", f.signals.define)
	addFlags(cmd, "Filter", func(s *pflag.FlagSet) {
		s.StringVar(&f.denoise, "denoise", denoiseAuto, "remove noise with this `TAU`, or auto to choose it")
		s.StringVar(&f.kernel, "kernel", "", "filter by a kernel instead, given by its `SPEC`: "+kernelSpecs())
		f.defineLaplacian(s, "combinatorial, or normalised with --kernel")
		f.defineCenter(s, "yes with --denoise and several signals")
		f.defineThreads(s)
	})
	addFlags(cmd, "Output", func(s *pflag.FlagSet) {
		f.defineOut(s)
		s.StringVar(&f.spectrum, "spectrum", "", "write the energy of the signals by graph frequency, before and after, to `FILE.csv` (up to "+strconv.Itoa(gsp.MaxExact)+" vertices)")
	})
	f.set = cmd.Flags()
	(&kernelFlags{}).complete(cmd)
	mustComplete(cmd, "denoise", cobra.FixedCompletions([]cobra.Completion{denoiseAuto}, cobra.ShellCompDirectiveNoFileComp))
}

// A filterRun is a filter command with its flags understood.
type filterRun struct {
	*filterFlags
	graph  string
	source signalFile
	kernel *kernel.Kernel // nil to remove noise
	tau    float64        // 0 to choose it
}

// resolve turns flags into what they mean, or finds the fault in them.
func (f *filterFlags) resolve(args []string) (*filterRun, error) {
	r := &filterRun{filterFlags: f, graph: args[0], source: f.signals.file(args[1])}
	for _, flag := range []string{"out", "spectrum", "kernel"} {
		if f.set.Changed(flag) && f.set.Lookup(flag).Value.String() == "" {
			return nil, misuse("--%s needs a value", flag)
		}
	}
	switch {
	case f.kernel != "" && f.set.Changed("denoise"):
		return nil, misuse("--kernel and --denoise cannot be used together")
	case f.kernel != "":
		// Its function is used, not the polynomial that stands for it on [0, 2].
		specs := kernelFlags{degree: count{value: 15}, approx: newChoice(kernel.Chebyshev)}
		parsed, err := specs.parse([]string{f.kernel})
		if err != nil {
			return nil, err
		}
		r.kernel = &parsed[0]
	case f.denoise != denoiseAuto:
		tau := positive()
		if err := tau.Set(f.denoise); err != nil {
			return nil, misuse("--denoise %q: %s, or auto", f.denoise, err)
		}
		r.tau = tau.value
	}
	return r, nil
}

// A filtering is signals after a filter, and what there is to say about it.
type filtering struct {
	set    *signals.Set
	bands  []bandRow
	words  string
	doubts []string
}

// A bandRow is a line of the spectrum.
type bandRow struct {
	gsp.Band
	after float64
}

func (r *filterRun) do(ctx context.Context, c console) error {
	if err := checkOutputs(r.outputs(nil), r.source.path, r.graph); err != nil {
		return err
	}
	data, err := await(ctx, func() (*signalsOnGraph, error) {
		return readOn(c, &r.source, r.quiet, func(set *signals.Set) (*graph.Graph, error) { return readGraph(r.graph, set.Names) })
	})
	if err != nil {
		return err
	}
	if missing := signals.Missing(data.signals.Y); missing > 0 {
		return &input.Error{File: r.source.name(), Msg: plural(missing, "value") + " missing: fill the gaps first, with nervure fill"}
	}
	r.source.note(c, r.quiet, &signals.Set{Y: data.signals.Y, Notes: data.signals.Notes})
	var done *filtering
	variant := gsp.Combinatorial
	if r.kernel != nil {
		variant = gsp.Normalized
	}
	err = r.onGraph(data, r.variant(variant), r.graph, &r.source, func(l *gsp.Laplacian) (err error) {
		done, err = r.filter(ctx, l, data.signals)
		return err
	})
	if err != nil {
		return interrupted(ctx, err)
	}
	written, err := writeOutputs(r.outputs(done))
	err = errors.Join(err, r.printSignals(c, done.set))
	if !r.quiet {
		for _, doubt := range done.doubts {
			fmt.Fprintln(c.err, wrapped("note: "+doubt))
		}
		fmt.Fprintln(c.err, wrapped(done.words+wroteWords(written)))
	}
	return err
}

// wroteWords says which files were written, after a sentence.
func wroteWords(written []string) string {
	if len(written) == 0 {
		return ""
	}
	return "; wrote " + strings.Join(written, ", ")
}

// filter does the work.
func (r *filterRun) filter(ctx context.Context, l *gsp.Laplacian, set *signals.Set) (*filtering, error) {
	_, m := set.Y.Dims()
	center := r.centers(r.kernel == nil && m > 1)
	var y *mat.Dense
	done := &filtering{}
	if r.kernel == nil {
		d, err := l.Denoise(ctx, set.Y, gsp.DenoiseOptions{Tau: r.tau, Center: center})
		if err != nil {
			return nil, err
		}
		y = d.Y
		done.words, done.doubts = r.denoisedWords(m, l.Vertices(), d)
	} else {
		rest, means := set.Y, make([]float64, l.Vertices())
		if center {
			rest, means = gsp.Center(set.Y)
		}
		f, err := l.Filter(ctx, rest, r.kernel.Value)
		if err != nil {
			return nil, err
		}
		done.words = fmt.Sprintf("filtered %s on %s by %s: energy %s of before", plural(m, "signal"), plural(l.Vertices(), "vertex"), kernel.ShortName(r.kernel.Name), percent(share(f.Y, rest)))
		if f.ApproximationError > 1e-6 {
			done.doubts = append(done.doubts, fmt.Sprintf("the filter is a polynomial on so large a graph, with an error of up to %.2g of each signal", f.ApproximationError))
		}
		y = f.Y
		y.Apply(func(i, _ int, v float64) float64 { return v + means[i] }, y)
	}
	done.set = &signals.Set{Y: y, Names: set.Names}
	if r.spectrum == "" {
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

// denoisedWords says what became of the signals, and what to doubt.
func (r *filterRun) denoisedWords(m, n int, d *gsp.Denoised) (words string, doubts []string) {
	how := "given"
	if r.tau == 0 {
		how = "chosen by cross-validation"
	}
	switch d.End {
	case gsp.AtLeast:
		doubts = append(doubts, "the chosen tau is the least that was tried: the signals are smooth on this graph as they are, or have no noise")
	case gsp.AtMost:
		doubts = append(doubts, "the chosen tau is the largest that was tried: the signals are not smooth on this graph, which may not be theirs")
	}
	words = fmt.Sprintf("denoised %s on %s: tau %.3g (%s), %s of the variance removed, mean frequency %.3g before, %.3g after",
		plural(m, "signal"), plural(n, "vertex"), d.Tau, how, percent(d.Removed), d.Before, d.After)
	return words, doubts
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
	list := r.signalsOutput(done.set)
	if r.spectrum != "" {
		list = append(list, output{"--spectrum", r.spectrum, checkSpectrumName, func(path string) error {
			return dataio.WriteFile(path, func(w io.Writer) error { return writeBands(w, done.bands) })
		}})
	}
	return list
}

// checkSpectrumName refuses a name that does not end in .csv.
func checkSpectrumName(path string) error {
	if f, zipped := dataio.FormatOf(path); !isDevice(path) && (zipped || f != dataio.CSV) {
		return misuse("--spectrum %s: want a file that ends in .csv", path)
	}
	return nil
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
