package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
)

// A filterRun is a filter command with its flags understood.
type filterRun struct {
	*filterFlags
	graph  string
	source signalFile
	kernel *kernel.Kernel // nil to remove noise
	tau    float64        // 0 to choose it
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
	if err := checkOutputs(r.outputs(nil), append(r.source.inputs(), r.graph)...); err != nil {
		return err
	}
	data, err := await(ctx, func() (*signalsOnGraph, error) {
		return readOn(c, &r.source, r.quiet, func(set *signals.Set) (*graph.Graph, error) { return readGraphInputOn(c.in, r.graph, set.Names) })
	})
	if err != nil {
		return err
	}
	if err := r.source.refuseGaps(data.signals); err != nil {
		return err
	}
	r.source.note(c, r.quiet, data.signals)
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
	written, err := writeOutputs(ctx, r.outputs(done))
	err = errors.Join(err, r.printSignals(c, done.set))
	if !r.quiet {
		for _, doubt := range done.doubts {
			fmt.Fprintln(c.err, wrapped("note: "+doubt))
		}
		fmt.Fprintln(c.err, wrapped(done.words+wroteWords(written)))
	}
	return err
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
		list = append(list, output{"--spectrum", r.spectrum, checkCSVName("--spectrum"), func(path string) error {
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
