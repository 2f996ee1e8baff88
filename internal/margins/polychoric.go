package margins

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// An ordinal vertex has a few levels, each of which stands for a range of a normal variable that
// is not seen. Correlations of the levels are smaller than those of these variables: a polychoric
// correlation is the likeliest one for the table of two vertices, with the ranges taken from how
// often each level occurs ([olsson1979]); a polyserial one is for one vertex that is seen
// ([olsson1982]).
//
// Levels keep a share e of what the variable tells: if the variables of two vertices are independent,
// the error of their polychoric correlation is that of m·e₁·e₂ signals, not of m. Whoever learns from
// the signals counts all m, and would take these errors for edges. So correlations are corrected as far as
// their errors allow.

const (
	// mostLevels is how many distinct values an ordinal vertex has at most, and usesOfLevel how
	// many values for each, at least, on average.
	mostLevels, usesOfLevel = 10, 3
	// mostCorrelated is the largest correlation that a table gives.
	mostCorrelated = 0.98
	// scoringSteps and scoringTolerance end the search for a correlation.
	scoringSteps, scoringTolerance = 50, 1e-7
	// leastKept is the share e₁·e₂ of the signals that a table counts as, at least, to correct a
	// correlation: two vertices with ten percent ones have 0.12, with thirty percent 0.33.
	leastKept = 0.2
	// fewestOthers is how many values other than the commonest one, and leastOthers which share of all, a
	// vertex with few levels has if anything is to be learned of it; either is enough.
	fewestOthers, leastOthers = 5, 0.05
	// leastCell keeps probabilities of cells that rounding makes zero positive.
	leastCell = 1e-12
)

// An axis is the levels of a vertex as ranges of a normal variable.
type axis struct {
	level      []int     // of each signal, −1 if it is missing
	thresholds []float64 // between the levels
	scores     []float64 // of the levels: normal scores at their mean ranks
	kept       float64   // e: the squared correlation of the normal variable with the best scores of its levels
	rare       bool      // hardly any values differ from the commonest one
}

// hasMoreLevels reports whether a row has more different values than that.
func hasMoreLevels(row []float64, most int) bool {
	var seen []float64
	for _, v := range row {
		if math.IsNaN(v) || slices.Contains(seen, v) {
			continue
		}
		if seen = append(seen, v); len(seen) > most {
			return true
		}
	}
	return false
}

// newAxis returns the levels of a row, and reports whether it is ordinal. With shares p of the levels
// and the density φ at their thresholds t, e is the sum of (φ(tₖ) − φ(tₖ₋₁))²/pₖ: the mean of the
// variable in a level is (φ(tₖ₋₁) − φ(tₖ))/pₖ.
func newAxis(row []float64) (a axis, ordinal bool) {
	if hasMoreLevels(row, mostLevels) { // which is soon seen, without sorting them
		return a, false
	}
	l := levelsOf(row)
	if len(l.values) < 2 || l.count() < usesOfLevel*len(l.values) {
		return a, false
	}
	before, commonest, all := 0.0, 0, float64(l.count())
	for k := range l.values {
		a.scores = append(a.scores, l.score(k))
		count, after := l.upTo[k]-l.below(k), 0.0
		if k < len(l.values)-1 {
			t := quantile(float64(l.upTo[k]) / all)
			a.thresholds = append(a.thresholds, t)
			after = density(t)
		}
		a.kept += float64((after-before)*(after-before)) * all / float64(count)
		before, commonest = after, max(commonest, count)
	}
	others := l.count() - commonest
	a.rare = others < fewestOthers && float64(others) < leastOthers*all
	for _, v := range row {
		at := -1
		if !math.IsNaN(v) {
			at = l.find(v)
		}
		a.level = append(a.level, at)
	}
	return a, true
}

// polychoric returns the correlation of the variables behind two ordinal vertices. It takes steps
// of Fisher's scoring between bounds that the sign of the derivative moves.
func polychoric(a, b axis) float64 {
	rows, columns := len(a.scores), len(b.scores)
	table := make([]float64, rows*columns)
	total := 0.0
	for k, i := range a.level {
		if j := b.level[k]; i >= 0 && j >= 0 {
			table[i*columns+j]++
			total++
		}
	}
	if total == 0 {
		return 0
	}
	if rows == 2 && columns == 2 { // an empty cell would make it ±1
		for k, c := range table {
			if c == 0 {
				table[k] = 0.5
			}
		}
	}
	low, high, r := -mostCorrelated, mostCorrelated, 0.0
	for range scoringSteps {
		slope, information := score(table, a.thresholds, b.thresholds, r, total)
		if slope > 0 {
			low = r
		} else {
			high = r
		}
		next := (low + high) / 2
		if step := r + slope/information; information > 0 && step > low && step < high {
			next = step
		}
		moved := math.Abs(next - r)
		if r = next; moved < scoringTolerance {
			break
		}
	}
	return r
}

// score returns the derivative of the log-likelihood of a table by the correlation, and its
// expected information.
func score(table, a, b []float64, r, total float64) (slope, information float64) {
	columns := len(b) + 1
	// Probabilities below and left of each corner, and their derivatives: the density there.
	below, density := corners(a, b, r)
	cell := func(of []float64, i, j int) float64 {
		width := columns + 1
		return of[(i+1)*width+j+1] - of[i*width+j+1] - of[(i+1)*width+j] + of[i*width+j]
	}
	for i := range len(a) + 1 {
		for j := range columns {
			p, d := max(cell(below, i, j), leastCell), cell(density, i, j)
			slope += table[i*columns+j] * d / p
			information += total * d * d / p
		}
	}
	return slope, information
}

// corners returns the distribution function and the density of two normal variables at each pair
// of thresholds, −∞ and ∞ included.
func corners(a, b []float64, r float64) (below, density []float64) {
	width := len(b) + 2
	below, density = make([]float64, (len(a)+2)*width), make([]float64, (len(a)+2)*width)
	at := func(t []float64, k int) float64 {
		switch {
		case k == 0:
			return math.Inf(-1)
		case k > len(t):
			return math.Inf(1)
		}
		return t[k-1]
	}
	left := 1 - float64(r*r)
	for i := range len(a) + 2 {
		for j := range width {
			h, k := at(a, i), at(b, j)
			below[i*width+j] = bivariate(h, k, r)
			if !math.IsInf(h, 0) && !math.IsInf(k, 0) {
				form := float64(h*h) - float64(2*r*h*k) + float64(k*k)
				density[i*width+j] = portable.Exp(-form/(2*left)) / (2 * math.Pi * math.Sqrt(left))
			}
		}
	}
	return below, density
}

// polyserial returns the correlation of the variable behind an ordinal vertex with the normal
// scores z of another, NaN where missing: the covariance of z with the scores of the levels, over
// that of the variable itself with these, which is the sum of φ(threshold) times the step of the
// scores there.
func polyserial(z []float64, a axis) float64 {
	var count, product, sumZ, sumX, squares float64
	for k, v := range z {
		if at := a.level[k]; at >= 0 && !math.IsNaN(v) {
			x := a.scores[at]
			count++
			product += float64(v * x)
			sumZ += v
			sumX += x
			squares += float64(v * v)
		}
	}
	variance := squares/count - float64(sumZ/count*sumZ/count)
	if !(variance > 0) {
		return 0
	}
	own := 0.0
	for k, t := range a.thresholds {
		own += float64((a.scores[k+1] - a.scores[k]) * density(t))
	}
	r := (product/count - float64(sumZ/count*sumX/count)) / (own * math.Sqrt(variance))
	return min(max(r, -mostCorrelated), mostCorrelated)
}

// hiddenCorrelations returns those of the variables behind rows with these normal scores, as far as
// their levels tell, and how many rows have correlations that were corrected: axes are the levels of
// ordinal rows, nil for others.
func hiddenCorrelations(scores *mat.Dense, axes []*axis) (correlations *mat.SymDense, corrected int) {
	n, _ := scores.Dims()
	correlations = mat.NewSymDense(n, nil)
	is := make([]bool, n)
	for i := range n {
		correlations.SetSym(i, i, 1)
		for j := range i {
			r, levels := hiddenCorrelation(scores.RawRowView(i), scores.RawRowView(j), axes[i], axes[j])
			correlations.SetSym(i, j, r)
			is[i], is[j] = is[i] || levels && axes[i] != nil, is[j] || levels && axes[j] != nil
		}
	}
	return correlations, len(matrix.Where(is, func(_ int, is bool) bool { return is }))
}

// hiddenCorrelation returns that of the variables behind two rows, and reports whether it was corrected
// for their levels.
func hiddenCorrelation(x, y []float64, a, b *axis) (r float64, corrected bool) {
	kept := 1.0
	for _, of := range []*axis{a, b} {
		if of != nil {
			kept *= of.kept
		}
	}
	switch {
	case kept < leastKept || a == nil && b == nil:
		return correlation(x, y), false
	case a == nil:
		r = polyserial(x, *b)
	case b == nil:
		r = polyserial(y, *a)
	default:
		r = polychoric(*a, *b)
	}
	return cautious(r, kept, len(x)), true
}

// cautious returns a corrected correlation r as its error allows, of which the levels keep a share
// e₁·e₂ of the signals. The error has a variance of 1/(m·e₁·e₂), and m signals have 1/m: r is shrunk by
// what is above that, as a share of r² (a positive-part estimate of James and Stein's kind, which leaves
// strong correlations nearly as they are), and then multiplied by (e₁·e₂)^¼. With ½ it would be about
// as small as that of the levels, and with 0 its error would be larger than that of m signals; in
// simulated surveys, half way is right most often.
func cautious(r, kept float64, signals int) float64 {
	excess := (1/kept - 1) / float64(signals)
	if float64(r*r) <= excess {
		return 0
	}
	return r * (1 - excess/float64(r*r)) * math.Sqrt(math.Sqrt(kept))
}

// correlation returns that of two rows where both have values, 0 if one does not vary.
func correlation(x, y []float64) float64 {
	var count, sumX, sumY, xx, yy, xy float64
	for k, v := range x {
		if w := y[k]; !math.IsNaN(v) && !math.IsNaN(w) {
			count++
			sumX, sumY = sumX+v, sumY+w
			xx, yy, xy = xx+float64(v*v), yy+float64(w*w), xy+float64(v*w)
		}
	}
	xx, yy, xy = xx-sumX*sumX/count, yy-sumY*sumY/count, xy-sumX*sumY/count
	if !(xx > 0 && yy > 0) {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}
