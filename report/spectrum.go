package report

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"gonum.org/v1/gonum/mat"

	nervuredoc "github.com/nervure/nervure/document"
	"github.com/nervure/nervure/gsp"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/signals"
)

// A spectrum is the energy of the signals by frequency of the graph's normalised
// Laplacian, as the mean of each wave in units of that of all waves: noise has 1
// everywhere.
type spectrum struct {
	Points [][2]digits `json:"points"` // frequency and energy
	// Kernel is what the field that the signals are has there; nil if they were not learned as
	// one.
	Kernel *fieldCurve `json:"kernel,omitempty"`
	// Words say what they mean for this graph.
	Words string `json:"-"`
}

// A fieldCurve is the variance that the kernel of a field and its noise give at frequencies.
type fieldCurve struct {
	Name   string      `json:"name"`
	Points [][2]digits `json:"points"`
}

const (
	mostPoints = 60  // of the curve
	lowShare   = 0.2 // of all waves that count as low
	smoothLow  = 0.4 // of the energy in them: signals are smooth
	roughLow   = 0.1
)

// mostInHaste is the most vertices whose spectrum is computed for whoever does not wait: of 1,000 it takes a second.
const mostInHaste = 300

// spectrumUntil is newSpectrum, and nil if ctx ends before: the work, which knows nothing of contexts, is left behind.
func spectrumUntil(ctx context.Context, r content) (*spectrum, error) {
	if r.Graph.Vertices() <= mostInHaste || ctx.Done() == nil {
		return newSpectrum(r)
	}
	select {
	case <-ctx.Done():
		return nil, nil
	default:
	}
	s, _, err := run.OrLeave(ctx, func() (*spectrum, error) { return newSpectrum(r) })
	return s, err
}

// newSpectrum returns nil if there is nothing to show: no edges, negative ones, too many vertices,
// or signals that do not vary. Vertices without edges have no part in it.
func newSpectrum(r content) (*spectrum, error) {
	g, kept := r.Graph.WithoutIsolated()
	if g.EdgeCount() == 0 || g.Negative() > 0 || g.Vertices() > gsp.MaxExact || r.Signals == nil {
		return nil, nil
	}
	filled, _, err := signals.FillMissing(context.Background(), matrix.Rows(r.Signals, kept))
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	y, _ := gsp.Center(scaled(filled))
	if mat.Norm(y, 2) == 0 {
		return nil, nil
	}
	l, err := gsp.New(g, gsp.Normalized)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	l.Threads = runtime.GOMAXPROCS(0)
	s, err := l.Spectrum()
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	bands, err := s.Bands(y)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	low := lowEnergy(bands, g.Vertices())
	whole := &spectrum{Points: curveOf(bands, g.Vertices()), Words: spectrumWords(low)}
	if r.Field != nil && len(r.Field.Frequency) == g.Vertices() {
		err = whole.addField(r.Field)
	}
	return whole, err
}

// addField puts the energies of signals in standard units, to which the kernel of a field was
// fitted, in the place of others, and adds its curve.
func (s *spectrum) addField(f *nervuredoc.FieldSpectrum) error {
	variance, err := f.Variance()
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	n := len(f.Frequency)
	bands := make([]gsp.Band, n)
	all, off := 0.0, 0.0
	for k, l := range f.Frequency {
		bands[k] = gsp.Band{Frequency: l, Waves: 1, Energy: f.Energy[k]}
		all += f.Energy[k] / float64(n)
		if f.Energy[k] > 0 {
			d := math.Log(f.Energy[k] / variance(l))
			off += d * d / float64(n)
		}
	}
	s.Points, s.Kernel = curveOf(bands, n), &fieldCurve{Name: kernel.ShortName(f.Kernel)}
	for k := range kernelSteps + 1 {
		l := f.Frequency[n-1] * float64(k) / kernelSteps
		s.Kernel.Points = append(s.Kernel.Points, [2]digits{digits(l), digits(variance(l) / all)})
	}
	s.Words = fmt.Sprintf(
		"The line is the kernel %s of the field, with its noise, as it was fitted to the dots: they are about %s away from it.",
		s.Kernel.Name,
		words.Percent(portable.Exp(math.Sqrt(off))-1),
	)
	return nil
}

// scaled returns signals in units of the largest value, so that no square leaves the
// range of numbers: shares of energy do not depend on the unit.
func scaled(y *mat.Dense) *mat.Dense {
	size := max(mat.Max(y), -mat.Min(y))
	if size == 0 {
		return y
	}
	var z mat.Dense
	z.Apply(func(_, _ int, v float64) float64 { return v / size }, y)
	return &z
}

// curveOf joins neighbouring bands until each point stands for its share of the waves.
func curveOf(bands []gsp.Band, n int) [][2]digits {
	var all float64
	for _, b := range bands {
		all += b.Energy
	}
	var points [][2]digits
	least := max(1, n/mostPoints)
	var sum gsp.Band // with frequencies summed over waves
	for k, b := range bands {
		sum.Frequency += b.Frequency * float64(b.Waves)
		sum.Waves, sum.Energy = sum.Waves+b.Waves, sum.Energy+b.Energy
		if sum.Waves >= least || k == len(bands)-1 {
			waves := float64(sum.Waves)
			points = append(points, [2]digits{digits(sum.Frequency / waves), digits(sum.Energy / waves / (all / float64(n)))})
			sum = gsp.Band{}
		}
	}
	return points
}

// lowEnergy is the share of the energy in the lowest waves; a band that is partly
// among them counts in part.
func lowEnergy(bands []gsp.Band, n int) float64 {
	var low, all float64
	left := lowShare * float64(n)
	for _, b := range bands {
		part := min(1, left/float64(b.Waves))
		low, all = low+part*b.Energy, all+b.Energy
		left -= part * float64(b.Waves)
	}
	return low / all
}

// spectrumWords says what a share of energy at low frequencies means.
func spectrumWords(low float64) string {
	found := fmt.Sprintf(
		"The lowest fifth of the frequencies has %s of the energy, where noise would have %s: ",
		words.Percent(low),
		words.Percent(lowShare),
	)
	switch {
	case low >= smoothLow:
		return found + "the signals are smooth on this graph, and nervure filter can remove noise from them."
	case low <= roughLow:
		return found + "the signals change along edges more than noise does, so smoothing them on this graph would destroy them."
	}
	return found + "the signals are not particularly smooth on this graph."
}
