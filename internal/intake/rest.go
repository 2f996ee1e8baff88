package intake

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sensors"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// Very many signals. Beyond some ten thousand, more of them hardly change a graph: it is
// learned from a sample, and then all signals are held against it, block by block.

// A RestCheck reports whether signals that were not learned from are like those that were.
type RestCheck struct {
	Learned, All int // signals
	// Sample and Rest are the means over the signals learned from and over the others:
	// of the share of its energy that the codes leave of a signal or, where the method
	// has no codes, of its log density under a Gaussian with the edges of the graph (of
	// its log pseudo-likelihood with more than 1,000 vertices).
	Sample, Rest assess.Estimate
	Coded        bool // they are shares
	Agrees       bool // they are about the same
	// OutOfScale is how many signals among the others were left out because they are far
	// larger than the signals learned from.
	OutOfScale int
	// Checked is how many of the others were looked at.
	Checked int
}

// String returns it as a sentence without capital and full stop.
func (r *RestCheck) String() string {
	rest := "the rest "
	if r.Checked < r.All-r.Learned {
		rest = fmt.Sprintf("a sample of %s of the rest ", words.Thousands(r.Checked))
	}
	learned := fmt.Sprintf("learned from %s of %s signals; %s", words.Thousands(r.Learned), words.Thousands(r.All), rest)
	if r.OutOfScale > 0 {
		learned += fmt.Sprintf("(except %s far larger than all others) ", words.Plural(r.OutOfScale, "signal"))
	}
	what, number := "mean log density", func(v float64) string { return fmt.Sprintf("%.4g", v) }
	if r.Coded {
		what, number = "mean residual", words.Percent
	}
	if r.Agrees {
		return learned + "agrees"
	}
	return fmt.Sprintf("%sdoes not agree (%s %s, and %s of those learned from): use a larger sample, or check the data for drift",
		learned, what, number(r.Rest.Mean), number(r.Sample.Mean))
}

// Compare measures all signals, and reports whether the two kinds are alike: the means
// differ by no more than chance, and a tenth of what signals learned from differ by. A few
// signals far out of the sample's scale are left out of both.
func (r *RestCheck) Compare(ctx context.Context, whole *signals.Whole, s *Signals, bad prepare.FaultRule,
	measure func(*mat.Dense) ([]float64, error),
) error {
	var sample, rest moments
	var largeSample, largeRest []float64 // what is measured of those
	scale := sensors.ScaleOf(s.Prepared.Given)
	if bad == prepare.ReportFaults {
		scale = sensors.Scale{}
	}
	err := s.measureAll(ctx, whole, scale, measure, func(v float64, learned, large bool) {
		switch {
		case large && learned:
			largeSample = append(largeSample, v)
		case large:
			largeRest = append(largeRest, v)
		case learned:
			sample.add(v)
		default:
			rest.add(v)
		}
	})
	if err != nil {
		return err
	}
	if sensors.AreFaults(len(largeSample)+len(largeRest), whole.Signals) {
		r.OutOfScale = len(largeRest)
	} else {
		sample.add(largeSample...)
		rest.add(largeRest...)
	}
	r.Sample, r.Rest = sample.estimate(), rest.estimate()
	r.Checked = rest.count + r.OutOfScale
	if whole.Read == nil {
		r.Checked = r.All - r.Learned // those without values, too
	}
	const chance, alike, rounding = 4, 0.1, 1e-9
	apart := math.Abs(r.Sample.Mean - r.Rest.Mean)
	r.Agrees = apart <= chance*math.Hypot(r.Sample.StdErr, r.Rest.StdErr)+alike*sample.deviation()+rounding
	return nil
}

// measureAll measures all signals, prepared as those learned from, block by block. Those out of scale are measured apart,
// because signals may be used to fill each other's gaps.
func (s *Signals) measureAll(ctx context.Context, whole *signals.Whole, scale sensors.Scale,
	measure func(*mat.Dense) ([]float64, error), use func(v float64, learned, large bool),
) error {
	from := 0
	for block, err := range whole.Blocks() {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		large := scale.Out(block)
		isLarge := func(k int) bool { _, found := slices.BinarySearch(large, k); return found }
		for _, some := range [][]int{slices.DeleteFunc(matrix.ObservedColumns(block), isLarge), large} {
			if len(some) == 0 {
				continue
			}
			y, _, err := s.Prepared.Report.Transform.Apply(matrix.Columns(block, some), nil)
			if err != nil {
				return err
			}
			values, err := measure(s.Rows(y))
			if err != nil {
				return err
			}
			for k, v := range values {
				_, learned := slices.BinarySearch(whole.Chosen, whole.At(from+some[k]))
				use(v, learned, isLarge(some[k]))
			}
		}
		_, count := block.Dims()
		from += count
	}
	return nil
}

// moments are the mean of values that come one by one, and how far they are from it.
type moments struct {
	count         int
	mean, squares float64
}

// add updates both.
func (m *moments) add(values ...float64) {
	for _, v := range values {
		m.count++
		d := v - m.mean
		m.mean += d / float64(m.count)
		m.squares += d * (v - m.mean)
	}
}

func (m *moments) deviation() float64 { return math.Sqrt(m.squares / float64(max(m.count-1, 1))) }

func (m *moments) estimate() assess.Estimate {
	return assess.Estimate{Mean: m.mean, StdErr: m.deviation() / math.Sqrt(float64(max(m.count, 1)))}
}
