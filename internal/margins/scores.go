// Package margins makes signals of a Gaussian field of such that are one only in hidden
// variables: values that are skewed, counted or have heavy tails become normal scores,
// ordinal ones get the correlations of what they are categories of, and signals far larger
// than others get less weight.
package margins

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
)

// NormalScores replaces the values of each row by the quantiles of the normal distribution at
// their ranks, (rank − ½)/m of m values that are there, equal values sharing their mean rank
// ([liu2009]): then nothing is skewed and no single value counts much. Missing
// values stay missing.
func NormalScores(y *mat.Dense) *mat.Dense {
	n, m := y.Dims()
	z := mat.NewDense(n, m, nil)
	// Ranks are halves of whole numbers, and most rows have the same: each quantile is computed once.
	var known []float64 // by twice the rank; 0 if it is not yet, or the median
	last := -1
	for i := range n {
		row, to := y.RawRowView(i), z.RawRowView(i)
		observed := matrix.Describe(row).Observed
		if observed != last {
			known, last = make([]float64, 2*observed), observed
		}
		for k, rank := range matrix.Ranks(row) {
			if rank != rank { // missing
				to[k] = rank
				continue
			}
			at := int(2 * rank)
			if known[at] == 0 {
				known[at] = quantile((rank + 0.5) / float64(observed))
			}
			to[k] = known[at]
		}
	}
	return z
}

// levels are the distinct values of a row, rising, and how many values are at most each.
type levels struct {
	values []float64
	upTo   []int
}

func levelsOf(row []float64) levels {
	sorted := slices.DeleteFunc(slices.Clone(row), math.IsNaN)
	slices.Sort(sorted)
	var l levels
	for k, v := range sorted {
		if last := len(l.values) - 1; last >= 0 && l.values[last] == v {
			l.upTo[last] = k + 1
			continue
		}
		l.values, l.upTo = append(l.values, v), append(l.upTo, k+1)
	}
	return l
}

// find returns which of the levels a value is.
func (l levels) find(v float64) int {
	at, _ := slices.BinarySearch(l.values, v)
	return at
}

// count is how many values there are.
func (l levels) count() int {
	if len(l.upTo) == 0 {
		return 0
	}
	return l.upTo[len(l.upTo)-1]
}

// below is how many values are below a level.
func (l levels) below(k int) int {
	if k == 0 {
		return 0
	}
	return l.upTo[k-1]
}

// score is the normal score of level k.
func (l levels) score(k int) float64 {
	return quantile(float64(l.below(k)+l.upTo[k]) / float64(2*l.count()))
}

// quantile is that of the normal distribution.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// A Curve maps the values of a vertex to those of a standard normal distribution: linear between
// knots, which are quantiles, and beyond them. It stands for a density of values, φ(z)·dz/dv.
type Curve struct{ values, scores []float64 }

// knotsFor is the number of knots for so many values: few enough for the density to be that of
// other values, too.
func knotsFor(count int) int { return 3 + int(2*math.Cbrt(float64(count))) }

// NewCurve returns the curve of some values, of which there must be two different ones.
func NewCurve(row []float64) (c Curve, ok bool) {
	l := levelsOf(row)
	if len(l.values) < 2 {
		return c, false
	}
	knots := knotsFor(l.count())
	for k := range l.values {
		// The first level that reaches each quantile, and the extremes.
		if k == 0 || k == len(l.values)-1 || l.below(k)*knots/l.count() != l.upTo[k]*knots/l.count() {
			c.values, c.scores = append(c.values, l.values[k]), append(c.scores, l.score(k))
		}
	}
	return c, true
}

// At returns the score of a value and the logarithm of the derivative there.
func (c Curve) At(v float64) (score, logSlope float64) {
	k, found := slices.BinarySearch(c.values, v)
	last := len(c.values) - 2
	at := min(max(k-1, 0), last)
	score = c.scores[at] + float64(c.slope(at)*(v-c.values[at]))
	if found && k > 0 && k <= last { // between two pieces
		return score, math.Log((c.slope(k-1) + c.slope(k)) / 2)
	}
	return score, math.Log(c.slope(at))
}

// Value returns the value that has a score.
func (c Curve) Value(score float64) float64 {
	k, _ := slices.BinarySearch(c.scores, score)
	at := min(max(k-1, 0), len(c.scores)-2)
	return c.values[at] + (score-c.scores[at])/c.slope(at)
}

// slope is the derivative between knots k and k+1.
func (c Curve) slope(k int) float64 {
	return (c.scores[k+1] - c.scores[k]) / (c.values[k+1] - c.values[k])
}

const (
	// clearlyNotNormal is how many standard errors values must be from normal, and notNormal by
	// how much their plot against normal scores falls short of a straight line, as 1 − R².
	clearlyNotNormal, notNormal = 4, 0.02
	// someVertices is the share of the vertices for which this has to be so.
	someVertices = 0.25
	// fewestTested and mostTested values are what the standard error is known for.
	fewestTested, mostTested = 20, 5000
	// mostRowsTested is how many rows are looked at, at equal distances: the share is known well enough.
	mostRowsTested = 1000
)

// NotNormal returns the share of the rows whose values are clearly not normal, by the test of
// Shapiro and Francia with Royston's approximation of its distribution ([royston1993]).
func NotNormal(y *mat.Dense) float64 {
	n, _ := y.Dims()
	not, varying := 0, 0
	for k := range min(n, mostRowsTested) {
		row := y.RawRowView(k * n / min(n, mostRowsTested))
		if !matrix.Varies(row) {
			continue
		}
		varying++
		if apart, errors := shapiroFrancia(row); errors > clearlyNotNormal && apart > notNormal {
			not++
		}
	}
	if varying == 0 {
		return 0
	}
	return float64(not) / float64(varying)
}

// shapiroFrancia returns 1 − W′, where W′ is the squared correlation of values with what normal
// ones are expected to be in their order, and how many standard errors it is above what normal
// values have. Without enough values, both are zero.
func shapiroFrancia(row []float64) (apart, errors float64) {
	sorted := slices.DeleteFunc(slices.Clone(row), math.IsNaN)
	m := len(sorted)
	if m < fewestTested {
		return 0, 0
	}
	slices.SortFunc(sorted, cmp.Compare)
	d := matrix.Describe(sorted)
	var product, squares, length float64
	for k, v := range sorted {
		expected := quantile((float64(k+1) - 0.375) / (float64(m) + 0.25))
		z := (v - d.Mean) / d.SD
		product += float64(z * expected)
		squares += float64(expected * expected)
		length += float64(z * z)
	}
	apart = max(1-product*product/(squares*length), 1e-15)
	u := math.Log(float64(min(m, mostTested)))
	v := math.Log(u)
	mean, deviation := -1.2725+1.0521*(v-u), 1.0308-0.26758*(v+2/u)
	return apart, (math.Log(apart) - mean) / deviation
}
