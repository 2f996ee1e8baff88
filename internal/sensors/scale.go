// Package sensors finds broken sensors: values that are stuck, codes for missing
// values, spikes, jumps of the unit, drifts, slipped clocks and copies.
//
// Signals are the columns of an N×M matrix, vertices are its rows, and columns
// follow one another in time if anything follows from time. An entry that is NaN is
// missing.
//
// What is usual differs from recording to recording: heavy tails, volatile times,
// rounded values. A sensor is therefore compared with the other ones. It is at fault
// where it departs by far more from its own usual state, and from what the other
// sensors predict, than the others do.
package sensors

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/prepare"
)

const (
	// outOfScale is how many times as large as the median an observation is, at least,
	// that is out of scale.
	outOfScale = 1000
	// leastSizes is how many observations tell what size is usual.
	leastSizes = 20
	// mostOutOfScale is the share of the observations that is out of scale at most: more
	// are what is measured, such as events amid noise.
	mostOutOfScale = 0.02
)

// A Scale says which observations are out of scale: those a thousand times as large as the
// median and far larger than is usual, such as one that was written in another unit. One of
// them has more energy than all others together, so that means over the signals tell
// of nothing else. A size is the largest absolute value, which cannot overflow.
// Nothing is out of the zero Scale.
type Scale struct{ largest float64 }

// ScaleOf returns the scale of observations.
func ScaleOf(y *mat.Dense) Scale { return scaleOf(sizes(y)) }

func scaleOf(sizes []float64) Scale {
	positive := slices.DeleteFunc(slices.Clone(sizes), func(size float64) bool { return !(size > 0) })
	if len(positive) < leastSizes {
		return Scale{}
	}
	return Scale{max(usual(positive, longTails), outOfScale*matrix.Median(positive))}
}

// Out returns which observations are out of scale. They may be too many to be faults, see
// [AreFaults].
func (s Scale) Out(y *mat.Dense) []int { return s.out(sizes(y)) }

func (s Scale) out(sizes []float64) []int {
	return matrix.Where(sizes, func(_ int, size float64) bool { return s.largest > 0 && size > s.largest })
}

// AreFaults reports whether that many observations out of scale are faults. If they are more
// than a few, they are what is measured.
func AreFaults(found, observations int) bool {
	return float64(found) <= max(1, mostOutOfScale*float64(observations))
}

// OutOfScale returns the observations that are out of the scale of all of them, none if
// they are too many to be faults.
func OutOfScale(y *mat.Dense) []int {
	sizes := sizes(y)
	if found := scaleOf(sizes).out(sizes); AreFaults(len(found), len(sizes)) {
		return found
	}
	return nil
}

// sizes returns the largest absolute value of each observation.
func sizes(y *mat.Dense) []float64 {
	_, m := y.Dims()
	sizes := make([]float64, m)
	for _, row := range matrix.Each(y) {
		for k, v := range row {
			if size := math.Abs(v); size > sizes[k] {
				sizes[k] = size
			}
		}
	}
	return sizes
}

// WithoutObservations returns y with missing values in place of some observations; y
// itself if there are none.
func WithoutObservations(y *mat.Dense, observations []int) *mat.Dense {
	if len(observations) == 0 {
		return y
	}
	z := mat.DenseCopyOf(y)
	for _, row := range matrix.Each(z) {
		for _, k := range observations {
			row[k] = missing
		}
	}
	return z
}

// Treat returns y with the faults treated by a rule, and how many values became missing;
// y itself if none did.
func Treat(y *mat.Dense, faults []prepare.Fault, rule prepare.FaultRule) (*mat.Dense, int) {
	if rule == prepare.ReportFaults || len(faults) == 0 {
		return y, 0
	}
	z, taken := mat.DenseCopyOf(y), 0
	for _, f := range faults {
		x := z.RawRowView(f.Vertex)
		take := func(k int) {
			if !math.IsNaN(x[k]) {
				x[k] = math.NaN()
				taken++
			}
		}
		if rule == prepare.DropSensors {
			for k := range x {
				take(k)
			}
			continue
		}
		for _, k := range f.Places {
			take(k)
		}
	}
	return z, taken
}

var missing = math.NaN()

func isMissing(v float64) bool { return math.IsNaN(v) }

// toSD makes the median of absolute deviations of normal values their standard
// deviation: 1/Φ⁻¹(3/4).
const toSD = 1.4826

// observed returns the values that are not missing.
func observed(x []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(x), isMissing)
}

// middle returns the median of what is observed, and the standard deviation that the
// median of the absolute deviations from it suggests.
func middle(x []float64) (median, sd float64) {
	values := observed(x)
	median = matrix.Median(values)
	for k, v := range values {
		values[k] = math.Abs(v - median)
	}
	return median, toSD * matrix.Median(values)
}

// tails is how many times the distance between their quartiles numbers may be above
// the upper one, on a logarithmic scale, and count as usual, and longTails the same for
// the largest of very many.
const tails, longTails = 3, 5

// usual returns the largest number that is usual among positive ones, one for each
// sensor. If these differ much from each other, larger ones are usual. Up to a quarter
// of them may be of broken sensors.
func usual(values []float64, tails float64) float64 {
	logs := make([]float64, 0, len(values))
	for _, v := range values {
		if v > 0 {
			logs = append(logs, math.Log(v))
		}
	}
	if len(logs) == 0 {
		return 0
	}
	low, high := matrix.Quantile(logs, 0.25), matrix.Quantile(logs, 0.75)
	return portable.Exp(high + tails*(high-low))
}
