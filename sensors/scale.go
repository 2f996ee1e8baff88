package sensors

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/signals"
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

// OutOfScale returns the observations that are a thousand times as large as the median
// and far larger than is usual, such as one that was written in another unit. One of
// them has more energy than all others together, so that means over the signals tell
// of nothing else. A size is the largest absolute value, which cannot overflow.
func OutOfScale(y *mat.Dense) []int {
	n, m := y.Dims()
	sizes := make([]float64, m)
	for i := range n {
		for k, v := range y.RawRowView(i) {
			if size := math.Abs(v); size > sizes[k] {
				sizes[k] = size
			}
		}
	}
	var positive []float64
	for _, size := range sizes {
		if size > 0 {
			positive = append(positive, size)
		}
	}
	if len(positive) < leastSizes {
		return nil
	}
	bound := max(usual(positive, longTails), outOfScale*signals.Quantile(positive, 0.5))
	var found []int
	for k, size := range sizes {
		if size > bound {
			found = append(found, k)
		}
	}
	if float64(len(found)) > max(1, mostOutOfScale*float64(m)) {
		return nil
	}
	return found
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
