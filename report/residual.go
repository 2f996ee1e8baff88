package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/learn"
)

// residuals are what the codes leave over, as root mean squares in units of that
// of the signals. What is missing or does not vary has no part in them.
type residuals struct {
	Vertex   leftovers `json:"vertex"` // NaN for a vertex that does not vary
	Signal   leftovers `json:"signal"`
	Rounding bool      `json:"rounding"` // all is explained
}

// leftovers are the residuals of all vertices, or of all signals.
type leftovers struct {
	Values  []digits  `json:"values"` // of the first mostValues
	Count   int       `json:"count"`
	Largest []extreme `json:"largest"`
	Median  digits    `json:"median"`
	Odd     []int     `json:"odd"` // those that stand out, the largest first
	// Words name the first of them, a sentence each.
	Words []string `json:"-"`
}

const (
	oddLeast     = 1e-3  // of the signals: below, nothing is odd
	roundingSize = 1e-6  // of the signals: below, all is explained
	blockSignals = 256   // that are decoded together
	mostValues   = 20000 // that are shown one by one
	mostLargest  = 12    // that are shown with their names
)

func newResiduals(r content) (*residuals, error) {
	left, energy, err := leftOver(r)
	if err != nil || energy == 0 {
		return nil, err
	}
	n, m := left.Dims()
	vertex, signal := make([]float64, n), make([]float64, m)
	for i := range n {
		vertex[i] = rootMeanSquare(left.RawRowView(i)) / energy
	}
	column := make([]float64, n)
	for s := range m {
		signal[s] = rootMeanSquare(mat.Col(column, s, left)) / energy
	}
	sizes := known(slices.Concat(vertex, signal))
	if len(sizes) == 0 { // the atoms are beyond what numbers can be
		return nil, nil
	}
	names := r.Graph.Names()
	return &residuals{
		Vertex:   newLeftovers(vertex, func(i int) string { return fmt.Sprintf("Vertex %q", names[i]) }),
		Signal:   newLeftovers(signal, func(s int) string { return fmt.Sprintf("Signal %d", s+1) }),
		Rounding: slices.Max(sizes) < roundingSize,
	}, nil
}

// leftOver is Y − D·X, NaN where nothing was fitted, and the root mean square of
// what was.
func leftOver(r content) (left *mat.Dense, energy float64, err error) {
	d, err := dictionary.NewOperator(r.Sparse.CodedOn, r.Sparse.Model.Kernels)
	if err != nil {
		return nil, 0, fmt.Errorf("report: %w", err)
	}
	left = fitted(r.Signals, r.Sparse)
	energy = rootMeanSquare(left.RawMatrix().Data)
	n, m := left.Dims()
	for from := 0; from < m; from += blockSignals {
		to := min(from+blockSignals, m)
		x := mat.NewDense(d.Atoms(), to-from, nil)
		for s := from; s < to; s++ {
			atoms, coefs := r.Sparse.Codes.Column(s)
			for q, j := range atoms {
				x.Set(int(j), s-from, coefs[q])
			}
		}
		y, err := d.Mul(x)
		if err != nil {
			return nil, 0, fmt.Errorf("report: %w", err)
		}
		block := left.Slice(0, n, from, to).(*mat.Dense)
		block.Sub(block, y)
	}
	return left, energy, nil
}

// fitted are the signals as the learner fits them: without what it set aside,
// which is NaN, and without the common mode if it removed that.
func fitted(given *mat.Dense, r *learn.Result) *mat.Dense {
	y := mat.DenseCopyOf(given)
	for _, a := range r.Aside {
		row := y.RawRowView(a.Vertex)
		for s := range row {
			row[s] = math.NaN()
		}
	}
	rest, _ := r.RemoveCommonMode(y)
	return rest
}

// known are the values that are not missing.
func known(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), math.IsNaN)
}

// rootMeanSquare is that of the values known, NaN if there are none. No square leaves the
// range of numbers.
func rootMeanSquare(values []float64) float64 {
	size := 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			size = max(size, math.Abs(v))
		}
	}
	sum, count := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			if size > 0 {
				v /= size
			}
			sum += v * v
			count++
		}
	}
	return size * math.Sqrt(sum/float64(count))
}

// newLeftovers finds what is far above the median.
func newLeftovers(values []float64, name func(int) string) leftovers {
	odd, median := oddOnes(values, func(float64) float64 { return oddLeast })
	return leftovers{
		Values: asDigits(values[:min(len(values), mostValues)]), Count: len(values), Largest: largest(values),
		Median: digits(median), Odd: odd,
		Words: oddWords(odd, func(i int) string { return fmt.Sprintf("%s: %s.", name(i), times(values[i], median)) }),
	}
}

// An extreme is a value among the largest.
type extreme struct {
	At    int    `json:"at"`
	Value digits `json:"value"`
}

// largest are the largest values. NaN is left out.
func largest(values []float64) []extreme {
	list := []extreme{} // for the page, which wants a list
	for i, v := range values {
		if !math.IsNaN(v) {
			list = append(list, extreme{i, digits(v)})
		}
	}
	slices.SortStableFunc(list, func(a, b extreme) int { return cmp.Compare(b.Value, a.Value) })
	return list[:min(len(list), mostLargest)]
}

const (
	oddTimes = 3 // that many times the median stands out
	oddMost  = 5 // that are named
)

// oddOnes finds what is far above the median, and above what floor makes of it, the
// largest first. NaN is left out.
func oddOnes(values []float64, floor func(median float64) float64) (odd []int, median float64) {
	odd = []int{} // for the page, which wants a list
	sorted := slices.Sorted(slices.Values(known(values)))
	if len(sorted) == 0 {
		return odd, 0
	}
	median = (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	for i, v := range values {
		if v > oddTimes*median && v > floor(median) {
			odd = append(odd, i)
		}
	}
	slices.SortStableFunc(odd, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return odd, median
}

// oddWords names the first of what stands out, in a sentence each.
func oddWords(odd []int, sentence func(i int) string) []string {
	var words []string
	for _, i := range odd[:min(len(odd), oddMost)] {
		words = append(words, sentence(i))
	}
	if more := len(odd) - oddMost; more > 0 {
		words = append(words, fmt.Sprintf("And %d more.", more))
	}
	return words
}

// times says how a value compares with the median, which may be nothing at all.
func times(value, median float64) string {
	switch ratio := value / median; {
	case median == 0:
		return "far above the median of 0"
	case ratio > 1000:
		return "more than 1000 times the median"
	case ratio < 10:
		return fmt.Sprintf("%.2g times the median", ratio)
	default:
		return fmt.Sprintf("%.0f times the median", ratio)
	}
}

// A usage is how often the codes use each atom.
type usage struct {
	Counts [][]int `json:"counts"` // of signals, by kernel and vertex
	Odd    []int   `json:"odd"`    // vertices used far more than others, the most used first
	// Words name the first of them, a sentence each.
	Words []string `json:"-"`
}

// newUsage counts for each kernel and vertex the signals that use its atom. A vertex
// that is off on its own, like a bad sensor, takes an atom of its own in signal after
// signal: it is here that it stands out, for nothing of it is left over.
func newUsage(r *learn.Result) *usage {
	n := r.Graph.Vertices()
	u := &usage{Counts: make([][]int, len(r.Model.Kernels))}
	for k := range u.Counts {
		u.Counts[k] = make([]int, n)
	}
	_, signals := r.Codes.Dims()
	for m := range signals {
		used, _ := r.Codes.Column(m)
		for _, j := range used {
			u.Counts[int(j)/n][int(j)%n]++
		}
	}
	total := u.total(n)
	var median float64
	// Chance alone makes counts differ by a few times their root.
	u.Odd, median = oddOnes(total, func(median float64) float64 { return median + 6*math.Sqrt(median) + 6 })
	names := r.Graph.Names()
	u.Words = oddWords(u.Odd, func(i int) string {
		return fmt.Sprintf(
			"Vertex %q is used %.0f times in %d signals, %s: much of its signal is explained by its own atoms, as for a faulty sensor.",
			names[i],
			total[i],
			signals,
			times(total[i], median),
		)
	})
	return u
}

// total is how often each of n vertices is used, whatever the kernel.
func (u *usage) total(n int) []float64 {
	sum := make([]float64, n)
	for _, counts := range u.Counts {
		for i, c := range counts {
			sum[i] += float64(c)
		}
	}
	return sum
}
