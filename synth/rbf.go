package synth

import (
	"math"
	"math/rand/v2"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
)

// defaultWidth is σ/κ by default: the paper does not give σ.
// Weights then run from 1 between neighbouring points down to e^(−2) ≈ 0.14 at
// the cut-off, so that they differ, and none is negligible.
const defaultWidth = 0.5

// rbf draws the radial basis function graph of [maretic2017], section 4: n
// points uniform in the unit square, and with d the distance of two points
//
//	W_ij = exp(−d²/(2σ²))  if d ≤ κ,  0 otherwise,
//
// where κ is cutoff and σ is width. See [cutoff] for a given number of edges.
// A weight that underflows to 0 is no edge.
func rbf(n int, cutoff, width float64, r *rand.Rand) (Sample, error) {
	if err := checkVertices(n); err != nil {
		return Sample{}, err
	}
	if !(cutoff > 0) {
		return Sample{}, input.Errorf("synth.Graph", "cutoff", "got %v, want a positive number", cutoff)
	}
	if !(width > 0) {
		return Sample{}, input.Errorf("synth.Graph", "width", "got %v, want a positive number", width)
	}
	points := make([][2]float64, n)
	for i := range points {
		points[i] = [2]float64{r.Float64(), r.Float64()}
	}
	var edges []graph.Edge
	for i, a := range points {
		for j := i + 1; j < n; j++ {
			b := points[j]
			if d := math.Hypot(a[0]-b[0], a[1]-b[1]); d <= cutoff {
				edges = append(edges, graph.Edge{I: i, J: j, Weight: portable.Exp(-d * d / (2 * width * width))})
			}
		}
	}
	return sample(n, edges, points, nil)
}

// cutoff returns the distance κ for which n points uniform in the unit square
// have factor·n pairs at most κ apart, in expectation; √2 if there are not so
// many pairs.
func cutoff(n int, factor float64) float64 {
	share := edgeProbability(n, factor)
	low, high := 0.0, math.Sqrt2
	for range 60 { // bisection down to the last bit
		if mid := (low + high) / 2; closerThan(mid) < share {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// closerThan returns the probability that two points uniform in the unit square
// are at most d apart, 0 ≤ d ≤ √2: the integral of the density of square line
// picking, 2d(d² − 4d + π) up to 1 and
// 2d(4u − (d² + 2 − π) − 4 arctan u), u = √(d² − 1), from there.
func closerThan(d float64) float64 {
	square := d * d
	if d <= 1 {
		return square * (math.Pi - 8*d/3 + square/2)
	}
	u := math.Sqrt(square - 1)
	return 1./3 + (math.Pi-2)*square - square*square/2 - 4*square*math.Atan(u) + 4*u + 8*u*u*u/3
}
