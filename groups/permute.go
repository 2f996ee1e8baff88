package groups

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// A tally compares the values with those of permuted units. Its columns are the pairs, then the strength of
// each vertex, that of the graph, and marginal values if there are any.
type tally struct {
	*model

	pairs, vertices int
	whole           [2]int     // the columns by which the whole graph is tested
	of              [][]int    // the pairs of each vertex
	values          *mat.Dense // units by columns
	rest            *mat.Dense // without the means of blocks and the nuisance
	squares         *mat.Dense // of rest, if variances are separate
	total           []float64  // squares of rest

	seen  []float64   // F of each column
	alone []int       // permutations whose F of the same column is as large
	any   []int       // permutations with a pair whose F is as large
	all   *ladder     // pairs of all permutations
	most  [][]float64 // of the graph and each vertex: the largest F in each permutation, first as seen
	sums  [][]float64 // and the sum of F
}

// alike is the difference up to which two F are the same but for rounding, as a share.
const alike = 1e-9

func newTally(m *model, v *Values, strengths *mat.Dense) *tally {
	n := v.vertices()
	t := &tally{model: m, pairs: len(v.Pairs), vertices: n, of: make([][]int, n)}
	for p, pair := range v.Pairs {
		for _, i := range pair {
			t.of[i] = append(t.of[i], p)
		}
	}
	var all mat.Dense
	all.Augment(v.Of, strengths)
	t.values, t.whole = &all, [2]int{0, t.pairs}
	if v.Marginal != nil {
		var more mat.Dense
		more.Augment(&all, v.Marginal)
		t.values, t.whole = &more, [2]int{t.pairs + n + 1, 2*t.pairs + n + 1}
	}
	t.rest = t.residuals(t.values)
	_, columns := t.values.Dims()
	t.total = make([]float64, columns)
	for u := range m.units {
		for c, x := range t.rest.RawRowView(u) {
			t.total[c] += float64(x * x)
		}
	}
	if t.separate {
		t.squares = mat.NewDense(m.units, columns, nil)
		t.squares.MulElem(t.rest, t.rest)
	}
	return t
}

// residuals returns values less the means of blocks and the nuisance.
func (m *model) residuals(values *mat.Dense) *mat.Dense {
	rest := mat.DenseCopyOf(values)
	column := make([]float64, m.units)
	_, columns := values.Dims()
	for c := range columns {
		mat.Col(column, c, rest)
		left := m.within(column)
		for _, b := range m.nuisance {
			remove(left, b)
		}
		rest.SetCol(c, left)
	}
	return rest
}

// A scratch is the memory of one thread.
type scratch struct {
	along [][]float64 // of each column of the model, along the values; if separate, the sums and squares of groups
	f     []float64
	order []int
}

func (t *tally) newScratch() *scratch {
	columns := len(t.total)
	s := &scratch{f: make([]float64, columns), order: matrix.Span(0, t.units)}
	rows := len(t.interest) + len(t.nuisance)
	if t.separate {
		rows = 2 * len(t.counts)
	}
	for range rows {
		s.along = append(s.along, make([]float64, columns))
	}
	return s
}

// statistics returns F of each column if unit order[u] takes the place of u.
func (t *tally) statistics(s *scratch) {
	if t.separate {
		t.separately(s)
		return
	}
	basis := slices.Concat(t.interest, t.nuisance)
	for k := range s.along {
		clear(s.along[k])
	}
	for u, from := range s.order {
		row := t.rest.RawRowView(from)
		for k, b := range basis {
			if b[u] != 0 {
				linalg.Axpy(b[u], row, s.along[k])
			}
		}
	}
	asked := float64(len(t.interest))
	for c := range s.f {
		between, left := 0.0, t.total[c]
		for k := range basis {
			square := float64(s.along[k][c] * s.along[k][c])
			left -= square
			if k < len(t.interest) {
				between += square
			}
		}
		if left <= spent*t.total[c] { // nothing but rounding; a column that does not vary has none at all
			left = spent * t.total[c]
		}
		s.f[c] = 0
		if left > 0 {
			s.f[c] = between / asked * t.df / left
		}
	}
}

// permute compares with permuted units.
func (t *tally) permute(ctx context.Context, o Options) error {
	first := t.newScratch()
	t.statistics(first)
	t.seen = slices.Clone(first.f)
	t.alone, t.any, t.all = make([]int, len(t.seen)), make([]int, t.pairs), newLadder(t.seen[:t.pairs])
	t.most, t.sums = make([][]float64, t.vertices+1), make([][]float64, t.vertices+1)
	for k := range t.most {
		t.most[k], t.sums[k] = make([]float64, o.Permutations+1), make([]float64, o.Permutations+1)
	}
	t.note(0, t.seen)

	done := 0
	return eachPermutation(ctx, o, t.newScratch, func(s *scratch, k int) {
		t.shuffle(rng.Stream(o.Seed, "groups", k), s.order)
		t.statistics(s)
		t.note(k+1, s.f)
	}, func(s *scratch) {
		t.count(s.f)
		if done++; o.Progress != nil {
			o.Progress(done, o.Permutations)
		}
	})
}

// eachPermutation does the permutations, some at a time, each with the memory of its thread, and counts them one by one:
// sums of integers do not depend on their order.
func eachPermutation[S any](ctx context.Context, o Options, memory func() *S, do func(s *S, k int), count func(s *S)) error {
	var mu sync.Mutex
	threads := make([]*S, o.Threads)
	linalg.ForEach(o.Threads, o.Permutations, func(worker, k int) {
		if ctx.Err() != nil {
			return
		}
		if threads[worker] == nil {
			threads[worker] = memory()
		}
		do(threads[worker], k)
		mu.Lock()
		defer mu.Unlock()
		count(threads[worker])
	})
	return context.Cause(ctx)
}

// A ladder counts how many statistics of permutations reach those that were seen.
type ladder struct {
	sorted []float64 // as seen
	counts []int     // that are larger than sorted[k−1], up to sorted[k]
}

func newLadder(seen []float64) *ladder {
	return &ladder{slices.Sorted(slices.Values(seen)), make([]int, len(seen)+1)}
}

func (l *ladder) count(f float64) {
	at, _ := slices.BinarySearch(l.sorted, f*(1+alike))
	l.counts[at]++
}

// chances returns the p-value of each statistic that was seen, among all of that many permutations.
func (l *ladder) chances(seen []float64, permutations int) []float64 {
	reached := slices.Clone(l.counts)
	for k := len(seen) - 1; k >= 0; k-- {
		reached[k] += reached[k+1]
	}
	chances := make([]float64, len(seen))
	for p, f := range seen {
		at, _ := slices.BinarySearch(l.sorted, f)
		chances[p] = (float64(reached[at+1]) + 1) / (float64(permutations)*float64(len(seen)) + 1)
	}
	return chances
}

// shuffle draws who takes whose place.
func (t *tally) shuffle(draw *rand.Rand, order []int) {
	for _, block := range t.blocks {
		for k, from := range draw.Perm(len(block)) {
			order[block[k]] = block[from]
		}
	}
}

// note keeps what permutation k says about many pairs at once.
func (t *tally) note(k int, f []float64) {
	most, sum := 0.0, 0.0
	for _, x := range f[t.whole[0]:t.whole[1]] {
		most, sum = max(most, x), sum+x
	}
	t.most[0][k], t.sums[0][k] = most, sum
	for i, pairs := range t.of {
		most, sum = 0, 0
		for _, p := range pairs {
			most, sum = max(most, f[p]), sum+f[p]
		}
		t.most[i+1][k], t.sums[i+1][k] = most, sum
	}
}

// count counts how often chance gives as much.
func (t *tally) count(f []float64) {
	most := 0.0
	for c, x := range f {
		if x >= t.seen[c]*(1-alike) {
			t.alone[c]++
		}
		if c >= t.pairs {
			continue
		}
		most = max(most, x)
		t.all.count(x)
	}
	for p := range t.any {
		if most >= t.seen[p]*(1-alike) {
			t.any[p]++
		}
	}
}

// together returns the p-value of what is asked about many pairs at once: the smaller one of the largest F and
// of the sum, compared with that of each permutation.
func together(most, sums []float64) float64 {
	of, by := chances(most), chances(sums)
	count := 0
	seen := min(of[0], by[0])
	for k := range of {
		if min(of[k], by[k]) <= seen {
			count++
		}
	}
	return float64(count) / float64(len(of))
}

// chances returns of each statistic how many are as large or larger, as a share.
func chances(x []float64) []float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	p := make([]float64, len(x))
	for k, v := range x {
		below, _ := slices.BinarySearch(sorted, v*(1-alike))
		p[k] = float64(len(x)-below) / float64(len(x))
	}
	return p
}

// strengths returns the strength of each vertex and of the graph in each unit: sums of the values where they
// are typically clear, with the sign that is typical.
func (v *Values) strengths() *mat.Dense {
	units, _ := v.Of.Dims()
	n := v.vertices()
	signs := v.signs()
	all := mat.NewDense(units, n+1, nil)
	for u := range units {
		row := all.RawRowView(u)
		for p, x := range v.Of.RawRowView(u) {
			if signs[p] == 0 {
				continue
			}
			s := signs[p] * x
			row[v.Pairs[p][0]] += s
			row[v.Pairs[p][1]] += s
			row[n] += s
		}
	}
	return all
}

// clear is the number of standard errors from which on a typical value has a sign.
const clearSign = 3

// signs returns the sign of each typical value that is clearly not 0, else 0. Who is in which group does not
// matter, so that strengths can be permuted like values.
func (v *Values) signs() []float64 {
	units, pairs := v.Of.Dims()
	signs := make([]float64, pairs)
	column := make([]float64, units)
	for p := range pairs {
		mat.Col(column, p, v.Of)
		mean, variance := meanVariance(column)
		typical := mean
		if v.Typical != nil {
			typical = v.Typical[p]
		}
		if math.Abs(typical) > clearSign*math.Sqrt(variance/float64(units)) {
			signs[p] = math.Copysign(1, typical)
		}
	}
	return signs
}
