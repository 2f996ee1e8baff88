package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
)

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
has the same vertices; rows are observations. One of GRAPH and SIGNALS may be -
for standard input; a graph is an edge list there.`,
		Example: `  nervure filter graph.csv signals.csv --out denoised.csv
  nervure filter graph.csv signals.csv --denoise 0.5 --out denoised.npy
  nervure filter graph.csv signals.csv --kernel heat:2 --spectrum spectrum.csv \
    --out smooth.csv`,
		Args:              graphAndSignals,
		ValidArgsFunction: graphThenSignals,
		RunE: func(cmd *cobra.Command, args []string) error {
			kernel, err := f.kernel()
			if err != nil {
				return err
			}
			run := &filterRun{filterFlags: f, useRun: newUseRun(&f.useFlags, args), kernel: kernel}
			return run.do(cmd.Context(), c)
		},
	}
	f.define(cmd)
	return cmd
}

// A filterRun is a filter command with its flags understood.
type filterRun struct {
	*filterFlags
	useRun
	kernel *kernel.Kernel // nil to remove noise
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

func (r *filterRun) do(ctx context.Context, c console) error {
	data, err := r.read(ctx, c, r.outputs(nil), func(set *signals.Set) (*graph.Graph, error) { return readGraphInputOn(c.in, r.graph, set.Names) })
	if err != nil {
		return err
	}
	if err := r.source.refuseGaps(data.signals); err != nil {
		return err
	}
	r.source.note(c, r.quiet, data.signals)
	variant := gsp.Combinatorial
	if r.kernel != nil {
		variant = gsp.Normalized
	}
	var done *filtering
	err = r.onGraph(ctx, data, variant, func(l *gsp.Laplacian) (err error) {
		done, err = r.filter(ctx, c, l, data.signals)
		return err
	})
	if err != nil {
		return err
	}
	written, err := r.write(ctx, c, r.outputs(done), done.set)
	if !r.quiet {
		done.tell(written)
	}
	return err
}

// filter does the work.
func (r *filterRun) filter(ctx context.Context, c console, l *gsp.Laplacian, set *signals.Set) (*filtering, error) {
	n, m := set.Y.Dims()
	center := r.centers(r.kernel == nil && m > 1)
	var y *mat.Dense
	done := &filtering{}
	if r.kernel == nil {
		d, err := l.Denoise(ctx, set.Y, gsp.DenoiseOptions{Tau: r.tau, Center: center})
		if err != nil {
			return nil, err
		}
		y = d.Y
		done.tell = func(written []string) { tellDenoised(c, m, n, r.tau == 0, d, written) }
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
			tellFiltered(c, m, n, kernel.ShortName(r.kernel.Name), kept, f.ApproximationError, written)
		}
		y = f.Y
		y.Apply(func(i, _ int, v float64) float64 { return v + means[i] }, y)
	}
	done.set = &signals.Set{Y: y, Names: set.Names, Times: set.Times}
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
	list := r.output(done.set)
	if r.spectrum != "" {
		list = append(list, output{"--spectrum", r.spectrum, endsIn("--spectrum", ".csv"), func(path string) error {
			return dataio.WriteFile(path, func(w io.Writer) error { return writeBands(w, done.bands) })
		}})
	}
	return list
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
