package sensors

import (
	"math"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
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
	var positive []float64
	for _, size := range sizes {
		if size > 0 {
			positive = append(positive, size)
		}
	}
	if len(positive) < leastSizes {
		return Scale{}
	}
	return Scale{max(usual(positive, longTails), outOfScale*matrix.Quantile(positive, 0.5))}
}

// Out returns which observations are out of scale. They may be too many to be faults, see
// [AreFaults].
func (s Scale) Out(y *mat.Dense) []int { return s.out(sizes(y)) }

func (s Scale) out(sizes []float64) []int {
	var found []int
	for k, size := range sizes {
		if s.largest > 0 && size > s.largest {
			found = append(found, k)
		}
	}
	return found
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
	n, m := y.Dims()
	sizes := make([]float64, m)
	for i := range n {
		for k, v := range y.RawRowView(i) {
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
	n, _ := z.Dims()
	for i := range n {
		row := z.RawRowView(i)
		for _, k := range observations {
			row[k] = missing
		}
	}
	return z
}
