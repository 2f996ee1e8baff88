package groups

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/words"
)

// A Course is what [Changes] has found.
type Course struct {
	Units, Windows, Permutations int

	Whole Outcome // does anything change?
	// Steps has the p-value of each window but the first: do the windows before it differ from those from it on? All
	// steps are tested at once. Near a change, several are small; the smallest is when.
	Steps []float64
	// Moment is the window whose step is the clearest.
	Moment int
	Pairs  []Change // of all pairs, in order
}

// A Change is how the value of a pair changes most clearly.
type Change struct {
	Outcome

	I, J int
	// From is the window from which on the value is another one; if Only, it is another one in that window alone.
	From int
	Only bool
	// Before and After are the means of the windows before and after the change or, if Only, of all other windows
	// and of that one.
	Before, After float64
	Statistic     float64 // F of the difference
}

// leastBlocks is how many units there must be to find out whether anything changes.
const leastBlocks = 8

// Changes finds out whether values change in the course of time, and when. Units are blocks of time, in their
// order, and window says for each in which window it is, from 0 on.
//
// The value of a pair may change once, between two windows, or be another one in a single window. Each
// of these has an F, as in [Test]; the largest one of a pair counts, and is compared with those of blocks in random
// order, of all pairs: if nothing changes, blocks can be exchanged. The whole graph is tested as in
// [Test], by the largest F of any pair and by the largest sum over the pairs.
func Changes(ctx context.Context, v *Values, window []int, o Options) (*Course, error) {
	o, err := o.resolve()
	if err == nil {
		err = v.check()
	}
	if err != nil {
		return nil, err
	}
	units, _ := v.Of.Dims()
	if len(window) != units || !slices.IsSorted(window) {
		return nil, input.Errorf("groups", "windows", "got those of %d units, want those of %d in order", len(window), units)
	}
	if units < leastBlocks || window[units-1] < 1 {
		return nil, input.Completef("groups", "windows", "%s are too few to find out what changes: %d of at least two windows would do", words.Plural(units, "block"), leastBlocks)
	}
	c := newCourse(v, window)
	if err := c.permute(ctx, o); err != nil {
		return nil, err
	}
	return c.found(v, o), nil
}

// A course compares splits of the units: before and from each window on, and each window with the others.
type course struct {
	window        []int
	windows       int
	size          []float64 // units of each window
	pairs         int
	whole         [2]int // the columns by which the whole graph is tested
	centred       *mat.Dense
	total         []float64 // squares of each column
	seen          []float64 // the largest F of each pair
	at            []int     // of which split
	all           *ladder   // pairs of all permutations
	most, sums    []float64 // of the whole, in each permutation, first as seen
	steps         []float64 // the sum of F of each step, as seen
	largestOfStep []float64 // in each permutation
}

func newCourse(v *Values, window []int) *course {
	c := &course{window: window, windows: window[len(window)-1] + 1, pairs: len(v.Pairs), whole: [2]int{0, len(v.Pairs)}}
	c.size = make([]float64, c.windows)
	for _, w := range window {
		c.size[w]++
	}
	c.centred = mat.DenseCopyOf(v.Of)
	if v.Marginal != nil {
		c.centred.Reset()
		c.centred.Augment(v.Of, v.Marginal)
		c.whole = [2]int{c.pairs, 2 * c.pairs}
	}
	units, columns := c.centred.Dims()
	mean := make([]float64, columns)
	for u := range units {
		linalg.Axpy(1/float64(units), c.centred.RawRowView(u), mean)
	}
	c.total = make([]float64, columns)
	for u := range units {
		row := c.centred.RawRowView(u)
		linalg.Axpy(-1, mean, row)
		for k, x := range row {
			c.total[k] += float64(x * x)
		}
	}
	return c
}

// splits are how many there are: the steps, then the windows. With two windows, all are one.
func (c *course) splits() int {
	if c.windows == 2 {
		return 1
	}
	return 2*c.windows - 1
}

// A courseScratch is the memory of one thread.
type courseScratch struct {
	order []int
	sums  [][]float64 // of each window
	upTo  []float64   // of the windows before
	f     []float64   // the largest of each pair
	at    []int
	steps []float64 // the sum of F of each step
	most  float64   // of any pair of the whole
	sum   float64   // the largest sum of F of a split
}

func (c *course) newScratch() *courseScratch {
	s := &courseScratch{order: matrix.Span(0, len(c.window)), upTo: make([]float64, len(c.total)), f: make([]float64, c.pairs), at: make([]int, c.pairs), steps: make([]float64, c.windows-1)}
	for range c.windows {
		s.sums = append(s.sums, make([]float64, len(c.total)))
	}
	return s
}

// compare finds the statistics if unit order[u] takes the place of u.
func (c *course) compare(s *courseScratch) {
	for _, sums := range s.sums {
		clear(sums)
	}
	for u, from := range s.order {
		linalg.Axpy(1, c.centred.RawRowView(from), s.sums[c.window[u]])
	}
	clear(s.upTo)
	clear(s.f)
	s.most, s.sum = 0, 0
	count, all := 0.0, float64(len(c.window))
	for k := range c.splits() {
		var sums []float64
		var n float64
		if k < c.windows-1 { // all windows up to this one
			linalg.Axpy(1, s.sums[k], s.upTo)
			count += c.size[k]
			sums, n = s.upTo, count
		} else { // one by itself
			sums, n = s.sums[k-c.windows+1], c.size[k-c.windows+1]
		}
		scale, sum := all/(n*(all-n)), 0.0
		if n == 0 || n == all {
			continue
		}
		for p, x := range sums {
			between := float64(x*x) * scale
			left := max(c.total[p]-between, spent*c.total[p])
			if left <= 0 {
				continue
			}
			f := between * (all - 2) / left
			if p < c.pairs && f > s.f[p] {
				s.f[p], s.at[p] = f, k
			}
			if p >= c.whole[0] && p < c.whole[1] {
				s.most = max(s.most, f)
				sum += f
			}
		}
		s.sum = max(s.sum, sum)
		if k < c.windows-1 {
			s.steps[k] = sum
		}
	}
}

func (c *course) permute(ctx context.Context, o Options) error {
	first := c.newScratch()
	c.compare(first)
	c.seen, c.at, c.steps = slices.Clone(first.f), slices.Clone(first.at), slices.Clone(first.steps)
	c.all = newLadder(c.seen)
	c.most, c.sums, c.largestOfStep = make([]float64, o.Permutations+1), make([]float64, o.Permutations+1), make([]float64, o.Permutations)
	c.most[0], c.sums[0] = first.most, first.sum
	return eachPermutation(ctx, o, c.newScratch, func(s *courseScratch, k int) {
		s.order = rng.Stream(o.Seed, "changes", k).Perm(len(c.window))
		c.compare(s)
		c.most[k+1], c.sums[k+1], c.largestOfStep[k] = s.most, s.sum, slices.Max(s.steps)
	}, func(s *courseScratch) {
		for _, f := range s.f {
			c.all.count(f)
		}
	})
}

// found puts together what was counted.
func (c *course) found(v *Values, o Options) *Course {
	r := &Course{Units: len(c.window), Windows: c.windows, Permutations: o.Permutations}
	r.Whole.P = together(c.most, c.sums)
	r.Moment = 1 + slices.Index(c.steps, slices.Max(c.steps))
	for _, f := range c.steps {
		reached := 1
		for _, largest := range c.largestOfStep {
			if largest >= f*(1-alike) {
				reached++
			}
		}
		r.Steps = append(r.Steps, float64(reached)/float64(o.Permutations+1))
	}
	chances := c.all.chances(c.seen, o.Permutations)
	for p, pair := range v.Pairs {
		change := Change{I: pair[0], J: pair[1], From: c.at[p] + 1, Statistic: c.seen[p]}
		if c.at[p] >= c.windows-1 {
			change.From, change.Only = c.at[p]-c.windows+1, true
		}
		if change.Only && (change.From == 0 || change.From == c.windows-1) { // the same as a step
			change.Only, change.From = false, max(change.From, 1)
		}
		change.Before, change.After = c.means(v, p, change)
		r.Pairs = append(r.Pairs, change)
	}
	for p, q := range matrix.QValues(chances, len(chances)) {
		r.Pairs[p].Outcome = Outcome{P: chances[p], Q: q}
	}
	return r
}

// means are those of a pair before and after a change.
func (c *course) means(v *Values, p int, change Change) (before, after float64) {
	var sums, counts [2]float64
	for u, w := range c.window {
		side := 0
		if w == change.From || !change.Only && w > change.From {
			side = 1
		}
		sums[side] += v.Of.At(u, p)
		counts[side]++
	}
	return sums[0] / max(counts[0], 1), sums[1] / max(counts[1], 1)
}

// Ranked returns the changes, the clearest first.
func (r *Course) Ranked() []Change {
	list := slices.Clone(r.Pairs)
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Or(cmp.Compare(a.Q, b.Q), cmp.Compare(b.Statistic, a.Statistic)) })
	return list
}

// Clear returns the changes at a false discovery rate of at most q, the clearest first.
func (r *Course) Clear(q float64) []Change {
	list := r.Ranked()
	at := slices.IndexFunc(list, func(c Change) bool { return c.Q > q })
	if at < 0 {
		at = len(list)
	}
	return list[:at]
}
