package prepare

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
)

const (
	// trendDegree is that of the polynomial that is a trend: it rises, falls, bends or
	// swings once.
	trendDegree = 3
	// trendEnergy is the share of the energy of a vertex, without cycles, from which on
	// trends are removed unasked, if the median vertex has so much. Of a series whose values
	// count as n independent ones, a polynomial has about trendDegree/n by chance:
	// trendTimes is how many times that it must be.
	trendEnergy, trendTimes = 0.02, 5
	// trendObservations is how many there must be.
	trendObservations = 10 * trendDegree
)

// trendBasis returns the Legendre polynomials of degree 1 to trendDegree at the ticks,
// a row each.
func trendBasis(at []float64) [][]float64 {
	basis := make([][]float64, trendDegree)
	for d := range basis {
		basis[d] = make([]float64, len(at))
	}
	first, last := at[0], at[len(at)-1]
	for k, t := range at {
		u := 2*(t-first)/max(last-first, 1) - 1
		before, now := 1.0, u
		for d := range basis {
			basis[d][k] = now
			degree := float64(d + 1)
			before, now = now, ((2*degree+1)*u*now-degree*before)/(degree+1)
		}
	}
	return basis
}

// A trendFit is how much of each polynomial a row has, without its constant.
type trendFit []float64

// fitTrend fits a trend to the observed entries of a row by least squares; a zero one if
// there are too few.
func fitTrend(x []float64, basis [][]float64) trendFit {
	observed := matrix.Where(x, func(_ int, v float64) bool { return !math.IsNaN(v) })
	fit, _ := fitTrendAt(x, basis, observed)
	return fit
}

// fitTrendAt is fitTrend to the entries at some places, with its constant.
func fitTrendAt(x []float64, basis [][]float64, places []int) (fit trendFit, constant float64) {
	size := len(basis) + 1
	gram, right := mat.NewSymDense(size, nil), mat.NewVecDense(size, nil)
	row := make([]float64, size)
	row[0] = 1
	for _, k := range places {
		for d := range basis {
			row[d+1] = basis[d][k]
		}
		for a := range row {
			right.SetVec(a, right.AtVec(a)+row[a]*x[k])
			for b := a; b < size; b++ {
				gram.SetSym(a, b, gram.At(a, b)+row[a]*row[b])
			}
		}
	}
	fit = make(trendFit, len(basis))
	var chol mat.Cholesky
	if len(places) < trendObservations || !chol.Factorize(gram) {
		return fit, 0
	}
	var solution mat.VecDense
	if err := chol.SolveVecTo(&solution, right); err != nil {
		return fit, 0 // all is observed within a moment
	}
	for d := range fit {
		fit[d] = solution.AtVec(d + 1)
	}
	return fit, solution.AtVec(0)
}

// at returns the trend at observation k.
func (f trendFit) at(k int, basis [][]float64) float64 {
	sum := 0.0
	for d, s := range f {
		sum += s * basis[d][k]
	}
	return sum
}

const (
	// trendBlocks is how many medians of consecutive values a robust trend is fitted to,
	// and trendShare the share of them that it has to follow.
	trendBlocks, trendShare = 60, 0.6
	// trendNear is how many times as far as those on average others may be off and belong to
	// it. Those nearest are nearer than all would be: by half, if they are normal.
	trendNear = 6
	// trendSteps is how often it is refitted to those that it follows best.
	trendSteps = 10
)

// fitTrendOfMost fits a trend to most of a row by least trimmed squares of the medians of
// blocks: fits to stretches of the row, each improved by fitting it to the blocks
// that it is nearest to, and the best of these ([rousseeuw1984]).
func fitTrendOfMost(x []float64, basis [][]float64) trendFit {
	medians, at, blocked := blockMedians(x, basis)
	most := int(trendShare * float64(at))
	if most < trendObservations {
		return fitTrend(x, basis)
	}
	best := trimmedFit{sum: math.Inf(1)}
	for start := 0.0; start <= 1; start += 0.25 {
		first := int(start * float64(at-most))
		places := make([]int, at)
		for k := range places {
			places[k] = (first + k) % at
		}
		if t := trim(medians, blocked, places, most); t.sum < best.sum {
			best = t
		}
	}
	// All that are as near as those that it follows belong to it: without the ends of the
	// recording, it would go astray there.
	for range trendSteps {
		scale := math.Sqrt(best.sum / float64(most))
		near := slices.DeleteFunc(slices.Clone(best.order), func(k int) bool { return best.off[k] > trendNear*scale })
		best.fit, best.constant = fitTrendAt(medians, blocked, near)
		best.measure(medians, blocked)
	}
	return best.fit
}

// A trimmedFit is a trend of some places, and how far it is off at each.
type trimmedFit struct {
	fit      trendFit
	constant float64
	off      []float64
	order    []int   // of the places, the nearest first
	sum      float64 // of the squares of the nearest
}

// trim fits a trend to the first of the places, then to as many that it is nearest to, and so on.
func trim(x []float64, basis [][]float64, places []int, most int) trimmedFit {
	t := trimmedFit{order: places, off: make([]float64, len(x)), sum: math.Inf(1)}
	for range trendSteps {
		before := t.sum
		t.fit, t.constant = fitTrendAt(x, basis, t.order[:most])
		t.measure(x, basis)
		slices.SortStableFunc(t.order, func(a, b int) int { return cmp.Compare(t.off[a], t.off[b]) })
		t.sum = 0
		for _, k := range t.order[:most] {
			t.sum += t.off[k] * t.off[k]
		}
		if t.sum >= before {
			break
		}
	}
	return t
}

func (t *trimmedFit) measure(x []float64, basis [][]float64) {
	for k, v := range x {
		t.off[k] = math.Abs(v - t.constant - t.fit.at(k, basis))
	}
}

// blockMedians returns the medians of consecutive values, those of the basis, and how
// many there are.
func blockMedians(x []float64, basis [][]float64) (medians []float64, count int, blocked [][]float64) {
	blocked = make([][]float64, len(basis))
	blocks := min(trendBlocks, len(x))
	for b := range blocks {
		from, to := b*len(x)/blocks, (b+1)*len(x)/blocks
		values := slices.DeleteFunc(slices.Clone(x[from:to]), math.IsNaN)
		if len(values) == 0 {
			continue
		}
		medians = append(medians, matrix.Median(values))
		for d := range basis {
			blocked[d] = append(blocked[d], basis[d][(from+to)/2])
		}
	}
	return medians, len(medians), blocked
}
