package prepare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// Rows is what the observations are to each other: moments of one time, in their order, or
// independent of each other, so that their order says nothing.
type Rows string

// The kinds of rows. The empty one is RowsAuto.
const (
	RowsAuto        Rows = "auto" // as the signals say
	RowsTime        Rows = "time"
	RowsIndependent Rows = "independent"
)

// A RowsFinding is what rows were taken for, RowsTime or RowsIndependent, and why. What follows depends on Rows alone,
// whether somebody asked for them or the signals say so.
type RowsFinding struct {
	Rows     Rows
	Sentence string
}

// Independent reports whether rows are independent.
func (f RowsFinding) Independent() bool { return f.Rows == RowsIndependent }

// check refuses what is no kind of rows.
func (r Rows) check() error {
	switch r {
	case "", RowsAuto, RowsTime, RowsIndependent:
		return nil
	}
	return input.Errorf(op, input.Rows, "got %q, want auto, time or independent", r)
}

const (
	// dependentShare is the share of the vertices that must depend on their neighbours in
	// the order given: one that is sorted says nothing about the others.
	dependentShare = 1.0 / 3
	// dependentScore is the standard errors from which on a vertex does: independent rows
	// reach it once in two hundred times.
	dependentScore = 2.58
	// leastRows is how many there must be to tell, mostRows and mostRowVertices how many are
	// looked at, and stretches in how many parts of the recording these are.
	leastRows, mostRows, mostRowVertices, stretches = 30, 4000, 200, 4
	// leastDoubted is how many rows there must be to doubt that they are independent, and
	// doubtfulScore the mean score of the vertices from which on fewer than leastRows are doubted.
	leastDoubted, doubtfulScore = 16, 1.3
	// clearLevels is the share of the squares that levels must explain for rows to be called
	// classes, one after another, rowsForClasses how many rows it takes to tell their levels from
	// those that a short series drifts through, and surelyTime the share of the vertices that must
	// depend on their neighbours within classes for such rows to be times all the same.
	clearLevels, rowsForClasses, surelyTime = 0.2, 150, 0.5
	// mostLevels is the most steps in the levels of the rows, as those of sorted classes,
	// that are looked for: one for each rowsPerLevel rows.
	mostLevels, rowsPerLevel = 4, 25
	// windowRows is about how many rows are held against chance at a time, and leastWindow
	// the fewest.
	windowRows, leastWindow = 10, 5
	// sortRidge keeps the direction that the rows are sorted by from being one of noise.
	sortRidge = 0.01
	// sortedBy is the rank correlation with the order from which on a vertex is sorted, and
	// leastRest what it must have left, as a standard deviation, without the direction that
	// rows are sorted by.
	sortedBy, leastRest = 0.99, 0.05
	// keyChance is how often a vertex may seem to be one that rows are sorted by.
	keyChance = 1e-3
	// clearlySorted is how much of the order of the rows the direction that follows it best must
	// explain, as an adjusted R², for rows to be called sorted: those sorted by a sum have 0.95.
	clearlySorted = 0.9
	// rowsForTime is how many rows it takes to miss hardly any series that keeps half of each
	// observation. In fewer, some direction of a slow series follows their order as well as if they
	// were sorted by it.
	rowsForTime = 100
)

// FindRows says what the columns of y are to each other. Times make them moments. Without
// times, neighbours must be alike at a third of the vertices, beyond chance, and still so
// without what sorting does to independent rows: vertices that rows are sorted by, one within the
// ties of another, are left out, the direction in which they are sorted is
// taken away, and rows are compared with a shuffle of those next to them only, within ties
// and between the largest steps of their levels. Rows of classes, one class after another, are as alike
// there as in any other order, or are ordered at fewer than half of the vertices; those of a time
// series are not. Few rows whose neighbours are alike are taken as moments, which claims less: a short series that
// is taken as independent shows structure where there is none. If ctx ends first, there is
// only its cause.
func FindRows(ctx context.Context, y *mat.Dense, times []time.Time, asked Rows) (RowsFinding, error) {
	if err := asked.check(); err != nil {
		return RowsFinding{}, err
	}
	switch {
	case asked == RowsTime || asked == RowsIndependent:
		return RowsFinding{Rows: asked, Sentence: fmt.Sprintf("rows are %s, as requested", rowWords[asked])}, nil
	case times != nil:
		return RowsFinding{Rows: RowsTime, Sentence: "rows are moments in time: they have times"}, nil
	}
	independent := func(format string, args ...any) (RowsFinding, error) {
		return RowsFinding{Rows: RowsIndependent, Sentence: "rows are independent: " + fmt.Sprintf(format, args...)}, nil
	}
	_, m := y.Dims()
	if m < leastDoubted {
		return independent("%d are too few to tell an order", m)
	}
	ranks := rowRanks(ctx, y)
	if err := context.Cause(ctx); err != nil {
		return RowsFinding{}, err
	}
	if len(ranks) == 0 {
		return independent("nothing varies")
	}
	others, ties := withoutKeys(ranks)
	doubtful := RowsFinding{RowsTime, fmt.Sprintf("rows are taken as moments in time: neighbours are alike, and %d rows are too few to tell time from sorting; if their order says nothing, ask for rows that are independent", m)}
	switch share := shareOf(ranks, func(x []float64) bool { return neighbourScore(x) > dependentScore }); {
	case m < leastRows && len(others) == len(ranks) && meanNeighbourScore(ranks) > doubtfulScore:
		return doubtful, nil
	case m < leastRows:
		return independent("%d are too few to tell an order", m)
	case share < dependentShare:
		return independent("neighbours are no more alike than by chance at %s of the vertices", percent(1-share))
	}
	rest, follows := withoutSorting(others)
	windows, explained := levelWindows(rest, ties)
	share := shareOf(rest, func(x []float64) bool { return windowScore(x, windows) > dependentScore })
	if err := context.Cause(ctx); err != nil {
		return RowsFinding{}, err
	}
	switch {
	case share >= surelyTime, share >= dependentShare && (m < rowsForClasses || explained < clearLevels):
	case share >= dependentShare:
		return independent("they are in groups, and within these neighbours are no more alike than by chance at %s of the vertices",
			percent(1-share))
	case len(others) == len(ranks) && m < rowsForTime:
		return doubtful, nil
	case len(others) < len(ranks) || follows > clearlySorted:
		return independent("they are sorted, and apart from that neighbours are no more alike than by chance at %s of the vertices",
			percent(1-share))
	default:
		return independent("neighbours are alike, but within short stretches no more than by chance at %s of the vertices, as where rows are in groups", percent(1-share))
	}
	return RowsFinding{Rows: RowsTime, Sentence: fmt.Sprintf("rows are moments in time: neighbours are alike beyond chance at %s of the vertices", percent(share))}, nil
}

// neighbourScore returns by about how many standard errors neighbours are more alike than by chance.
func neighbourScore(x []float64) float64 {
	return correlation(x[:len(x)-1], x[1:]) * math.Sqrt(float64(len(x)))
}

func meanNeighbourScore(ranks [][]float64) float64 {
	sum := 0.0
	for _, x := range ranks {
		sum += neighbourScore(x)
	}
	return sum / float64(len(ranks))
}

var rowWords = map[Rows]string{RowsTime: "moments in time", RowsIndependent: "independent"}

func shareOf(rows [][]float64, holds func([]float64) bool) float64 {
	count := len(matrix.Where(rows, func(_ int, x []float64) bool { return holds(x) }))
	return float64(count) / float64(max(len(rows), 1))
}

// rowRanks returns the standardised ranks of the values of vertices that vary, NaN where
// they are missing. Of many vertices and rows it takes some: of rows, a few long stretches.
func rowRanks(ctx context.Context, y *mat.Dense) [][]float64 {
	_, m := y.Dims()
	var ranks [][]float64
	rows := matrix.DescribeRows(y)
	vertices := spaced(varyingOf(rows), mostRowVertices)
	for v := range run.While(ctx, len(vertices)) {
		x := y.RawRowView(vertices[v])
		if m > mostRows {
			var some []float64
			for k := range stretches {
				from := k * (m - mostRows/stretches) / (stretches - 1)
				some = append(some, x[from:from+mostRows/stretches]...)
			}
			x = some
		}
		if r := matrix.Ranks(x); matrix.Varies(r) {
			ranks = append(ranks, standardised(r, matrix.Describe(r)))
		}
	}
	return ranks
}

// withoutKeys returns the ranks of vertices that rows are not sorted by, and the parts of
// the rows that tie: a table may be sorted by one vertex, within its ties by a second, and so on. If
// ties are too few to compare rows within, all rows are one part.
func withoutKeys(ranks [][]float64) (others [][]float64, ties [][2]int) {
	all := [][2]int{{0, len(ranks[0])}}
	others, ties = slices.Clone(ranks), all
	least := math.Log(2 * float64(len(ranks)) / keyChance)
	for {
		// The one with the fewest levels comes first: finer ones may be sorted within its ties.
		key, fewest := -1, math.MaxInt
		var within [][2]int
		for i, x := range others {
			if parts, surprise := tiesOf(x, ties); surprise > least && len(parts) < fewest {
				key, fewest, within = i, len(parts), parts
			}
		}
		if key < 0 {
			break
		}
		others, ties = slices.Delete(others, key, key+1), within
	}
	if len(windowsIn(ties)) < leastWindows {
		ties = all
	}
	return others, ties
}

// tiesOf returns the parts of given parts of the rows in which a vertex has one value, and how surprising it
// is that it rises within all of them, or falls: the negative logarithm of the share of the
// orders that do. It is 0 if it does not. Missing values come last.
func tiesOf(x []float64, parts [][2]int) (ties [][2]int, surprise float64) {
	rises, falls := false, false
	for _, of := range parts {
		first := of[0]
		for k := of[0] + 1; k <= of[1]; k++ {
			if k < of[1] {
				before, now := x[k-1], x[k]
				switch {
				case before == now || math.IsNaN(before) && math.IsNaN(now):
					continue
				case math.IsNaN(before):
					return nil, 0
				case before < now:
					rises = true
				case before > now:
					falls = true
				}
			}
			ties = append(ties, [2]int{first, k})
			surprise -= logFactorial(k - first)
			first = k
		}
		surprise += logFactorial(of[1] - of[0])
		if rises && falls {
			return nil, 0
		}
	}
	return ties, surprise
}

func logFactorial(k int) float64 {
	l, _ := math.Lgamma(float64(k) + 1)
	return l
}

// withoutSorting returns ranks without the direction that rows are sorted by, as far as
// there is one: the combination of the vertices that follows the order of the rows best.
// What has no other part is left out. follows is how much of the order the direction explains, as
// an R², adjusted for the number of vertices.
func withoutSorting(ranks [][]float64) (rest [][]float64, follows float64) {
	if len(ranks) == 0 {
		return nil, 0
	}
	n, m := len(ranks), len(ranks[0])
	filled := make([][]float64, n)
	for i, x := range ranks {
		filled[i] = slices.Clone(x)
		for k, v := range x {
			if math.IsNaN(v) {
				filled[i][k] = 0
			}
		}
	}
	order := make([]float64, m)
	for k := range order {
		order[k] = math.Sqrt2 * math.Erfinv((2*float64(k)+1)/float64(m)-1)
	}
	moments, products := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			moments.SetSym(i, j, portable.Dot(filled[i], filled[j])/float64(m))
		}
		products.SetVec(i, portable.Dot(filled[i], order)/float64(m))
		moments.SetSym(i, i, moments.At(i, i)+sortRidge)
	}
	var factor mat.Cholesky
	var weights mat.VecDense
	if !factor.Factorize(moments) || factor.SolveVecTo(&weights, products) != nil {
		return ranks, 0
	}
	direction := make([]float64, m)
	for i := range n {
		for k, v := range filled[i] {
			direction[k] += float64(weights.AtVec(i) * v)
		}
	}
	described := matrix.Describe(direction)
	if !described.Varies {
		return ranks, 0
	}
	direction = standardised(direction, described)
	numbers := make([]float64, m)
	for k := range numbers {
		numbers[k] = float64(k)
	}
	numbers = standardised(numbers, matrix.Describe(numbers))
	explained := correlation(direction, standardised(order, matrix.Describe(order)))
	follows = 1 - (1-float64(explained*explained))*float64(m-1)/float64(max(m-n-1, 1))
	for _, x := range ranks {
		if math.Abs(correlation(x, numbers)) > sortedBy {
			continue
		}
		left, share := slices.Clone(x), correlation(x, direction)
		for k := range left {
			left[k] -= float64(share * direction[k])
		}
		if r := matrix.Describe(left); r.Varies && r.SD > leastRest {
			rest = append(rest, left)
		}
	}
	return rest, follows
}

// levelWindows returns windows of neighbouring rows, first and end of each, within parts of them and
// between the largest steps of their levels, and the share of the squares that these explain.
func levelWindows(rows [][]float64, parts [][2]int) (windows [][2]int, explained float64) {
	if len(rows) == 0 {
		return nil, 0
	}
	m := len(rows[0])
	parts = slices.Clone(parts)
	gained := 0.0
	for range min(mostLevels, m/rowsPerLevel) {
		best, step, part := 0.0, -1, -1
		for p, of := range parts {
			if gain, at := largestStep(rows, of); gain > best {
				best, step, part = gain, at, p
			}
		}
		if step < 0 {
			break
		}
		end := parts[part][1]
		parts[part][1] = step
		parts = append(parts, [2]int{step, end})
		gained += best
	}
	total := 0.0
	for _, x := range rows {
		for _, v := range x {
			if !math.IsNaN(v) {
				total += float64(v * v)
			}
		}
	}
	return windowsIn(parts), gained / max(total, 1)
}

// windowsIn returns windows of about windowRows rows within parts of them.
func windowsIn(parts [][2]int) [][2]int {
	var windows [][2]int
	for _, of := range parts {
		size := of[1] - of[0]
		count := max(int(float64(size)/windowRows+0.5), 1)
		for q := range count {
			if first, end := of[0]+q*size/count, of[0]+(q+1)*size/count; end-first >= leastWindow {
				windows = append(windows, [2]int{first, end})
			}
		}
	}
	return windows
}

// largestStep returns where a part of the rows is best split into two of one level each,
// and how much of the squares of its values that explains.
func largestStep(rows [][]float64, of [2]int) (gain float64, at int) {
	size := of[1] - of[0]
	if size < 2*leastWindow {
		return 0, -1
	}
	gains := make([]float64, size)
	for _, x := range rows {
		total := 0.0
		for _, v := range x[of[0]:of[1]] {
			if !math.IsNaN(v) {
				total += v
			}
		}
		before := 0.0
		for k, v := range x[of[0]:of[1]] {
			// The squares of the levels of k values before and the others from here on.
			if k >= leastWindow && k <= size-leastWindow {
				after := total - before
				gains[k] += float64(before*before)/float64(k) + float64(after*after)/float64(size-k) - float64(total*total)/float64(size)
			}
			if !math.IsNaN(v) {
				before += v
			}
		}
	}
	for k, g := range gains {
		if g > gain {
			gain, at = g, of[0]+k
		}
	}
	return gain, at
}

// leastWindows is how many there must be to say anything by.
const leastWindows = 3

// windowScore returns by how many standard errors neighbours within windows are more alike
// than in other orders of the same values. Each window counts for at most one, so that a
// step within one of them does not outweigh the others.
func windowScore(x []float64, windows [][2]int) float64 {
	sum, count := 0.0, 0.0
	for _, w := range windows {
		if p, ok := likeNeighbours(x[w[0]:w[1]]); ok {
			sum += p - 0.5
			count++
		}
	}
	if count < leastWindows {
		return 0
	}
	return sum / math.Sqrt(count/12) // the variance of what is uniform on [0, 1]
}

// likeNeighbours returns the probability that values in random order have a smaller sum of
// the products of neighbours' ranks, by the normal distribution with the moments of that
// sum over all orders; none if there are too few values or all are equal.
func likeNeighbours(x []float64) (p float64, ok bool) {
	r := slices.DeleteFunc(matrix.Ranks(x), math.IsNaN)
	w := float64(len(r))
	if len(r) < leastWindow {
		return 0, false
	}
	var squares, fourths, products float64
	for k := range r {
		r[k] -= (w - 1) / 2
		square := r[k] * r[k]
		squares += square
		fourths += float64(square * square)
		if k > 0 {
			products += float64(r[k] * r[k-1])
		}
	}
	// Means of x²y², xy²z and xyzw over distinct places: the values sum to zero.
	two := (squares*squares - fourths) / (w * (w - 1))
	three := (2*fourths - squares*squares) / (w * (w - 1) * (w - 2))
	four := (3*squares*squares - 6*fourths) / (w * (w - 1) * (w - 2) * (w - 3))
	mean := -squares / w
	variance := (w-1)*two + 2*(w-2)*three + (w-2)*(w-3)*four - mean*mean
	if variance <= 0 {
		return 0, false
	}
	return math.Erfc(-(products-mean)/math.Sqrt(2*variance)) / 2, true
}
