// Package groups finds out whether the graphs of groups differ: those of patients and controls, of the same
// subjects before and after, of people of one age and another; and where they differ.
//
// A unit is what was sampled: a recording, a person who is one row of a table, a block of time. Each has a
// value for every pair of vertices, such as its weight or its partial correlation ([OfCorrelations],
// [OfRows]). [Test] compares the values by a linear model for each pair and finds out by permutations of the
// units what chance would give: for the whole graph, its strength, each vertex and each edge.
package groups

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
)

// Values are what is known about each pair of vertices in each unit.
type Values struct {
	Names []string   // of the vertices
	Pairs [][2]int   // that have a value: I < J, or from and to if the graphs are directed
	Of    *mat.Dense // units by pairs
	// Marginal are values that determine those in Of and are determined by them, by which the whole graph is
	// tested; nil means Of. If one edge changes, the correlation of its vertices changes more clearly than their
	// partial correlation, for which all other edges are in doubt; but so do correlations elsewhere.
	Marginal *mat.Dense
	// Typical is the value of each pair in all units taken together, which does not depend on who is in
	// which group.
	Typical []float64
}

// AllPairs returns all pairs of n vertices, in order.
func AllPairs(n int) [][2]int {
	pairs := make([][2]int, 0, n*(n-1)/2)
	for i := range n {
		for j := i + 1; j < n; j++ {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	return pairs
}

// Options say how to test.
type Options struct {
	Permutations int    // default 999
	Seed         uint64 // default 1
	Threads      int    // default 1; the result does not depend on it
	// Progress, if not nil, is told how many permutations are done. Calls do not overlap.
	Progress func(done, of int)
}

const usualPermutations = 999

func (o Options) resolve() (Options, error) {
	switch {
	case o.Permutations < 0:
		return o, input.Errorf("groups", "permutations", "got %d, want at least 1", o.Permutations)
	case o.Threads < 0:
		return o, input.Errorf("groups", "threads", "got %d, want at least 1", o.Threads)
	}
	if o.Permutations == 0 {
		o.Permutations = usualPermutations
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	o.Threads = max(o.Threads, 1)
	return o, nil
}

// A Comparison is what a test of groups, or of a covariate, has found.
type Comparison struct {
	Question string   // what is compared, a phrase such as "diagnosis, adjusted for age"
	Levels   []string // the groups, in order; nil if the question is about a covariate
	Counts   []int    // units of each
	Units    int
	Subjects int // within which units were permuted; 0 if all units were
	// Adjusted says that a covariate was adjusted for: the permutations are of residuals ([freedman1983]) and
	// the p-values approximate. Otherwise they are exact if units are exchangeable.
	Adjusted     bool
	Permutations int
	LeastP       float64 // the smallest p-value that permutations of such units can give
	// Detects is the difference of a single pair, in standard deviations between units, that four of five studies
	// with this number of units find at a p-value of 0.05.
	Detects float64

	Whole    Outcome // do the graphs differ anywhere?
	Strength Effects // is one stronger on the whole?
	Vertices []Vertex
	Edges    []Edge // of all pairs, in order
}

// An Outcome is the p-value of a test, and the false discovery rate at which it passes among its like.
type Outcome struct {
	P float64
	Q float64 // 0 where there is one test
}

// A Vertex is whether the edges of a vertex differ, and its strength.
type Vertex struct {
	Outcome

	Vertex   int
	Strength Effects
}

// An Edge is how the values of a pair differ.
type Edge struct {
	Effects

	I, J int
	// PAny is the p-value if all pairs are tested at once: the chance that any pair differs as clearly.
	PAny float64
}

// Effects are the means of a value in groups, and their differences.
type Effects struct {
	Outcome

	Means []float64 // in each group, at the mean of the covariate; nil for a covariate
	// Differences are of each group but the first from the first or, of a covariate, the slope.
	Differences []Difference
	// Statistic is F or, with one difference, t; Welch's where groups have a variance each.
	Statistic float64
}

// A Difference is an estimate with its 95 % interval.
type Difference struct {
	Size      float64
	Low, High float64
	// Standardised is the size in standard deviations between units.
	Standardised float64
}

// interval is how likely a difference is in its interval.
const interval = 0.95

// Test compares the values of units by the design. Values that are not numbers, and designs that cannot be
// tested, are an *input.Error. If ctx ends, its cause is returned.
//
// For each pair of vertices there is a linear model with a mean for each subject, if units are paired, or
// one for all; the covariate; and the groups. Its F is compared with those of permuted units. What is asked
// about many pairs at once, the whole graph or all pairs of a vertex, is answered by the largest F and by the
// sum of all: the smaller p-value of both counts, and is compared with the smaller one of each permutation,
// so that it is a p-value again. The strength of a graph is the sum of its values where they are typically
// clear, each with the sign that is typical.
//
// Groups of different sizes, of at least 3 units each, without pairing and covariate, have a variance each: F is that
// of Welch, so that groups whose units vary more, such as shorter recordings, are not taken for different ones.
// Where variances differ, p-values are approximate.
//
// The q-value of an edge comes from the F of all pairs in all permutations, for a single pair has too few:
// F has the same distribution for all of them unless something differs.
func Test(ctx context.Context, v *Values, d Design, o Options) (*Comparison, error) {
	o, err := o.resolve()
	if err != nil {
		return nil, err
	}
	if err := v.check(); err != nil {
		return nil, err
	}
	units, _ := v.Of.Dims()
	d = d.named()
	m, err := d.model(units)
	if err != nil {
		return nil, err
	}
	strengths := v.strengths()
	t := newTally(m, v, strengths)
	if err := t.permute(ctx, o); err != nil {
		return nil, err
	}
	return t.comparison(v, d, o), nil
}

func (v *Values) check() error {
	units, pairs := v.Of.Dims()
	switch {
	case pairs != len(v.Pairs):
		return input.Errorf("groups", "values", "got %d columns for %d pairs", pairs, len(v.Pairs))
	case v.Typical != nil && len(v.Typical) != pairs:
		return input.Errorf("groups", "values", "got %d typical values for %d pairs", len(v.Typical), pairs)
	}
	all := []*mat.Dense{v.Of}
	if v.Marginal != nil {
		all = append(all, v.Marginal)
		if r, c := v.Marginal.Dims(); r != units || c != pairs {
			return input.Errorf("groups", "values", "got %d × %d marginal ones, want %d × %d", r, c, units, pairs)
		}
	}
	for _, values := range all {
		for u := range units {
			for p, x := range values.RawRowView(u) {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					pair := v.Pairs[p]
					return input.Errorf("groups", "values", "unit %d has none for %s and %s", u+1, v.name(pair[0]), v.name(pair[1]))
				}
			}
		}
	}
	return nil
}

func (v *Values) name(i int) string {
	if i < len(v.Names) {
		return v.Names[i]
	}
	return fmt.Sprintf("v%d", i)
}

// Directed reports whether pairs have a direction, both of them being there.
func (v *Values) Directed() bool {
	return slices.ContainsFunc(v.Pairs, func(p [2]int) bool { return p[0] > p[1] })
}

// vertices returns how many there are.
func (v *Values) vertices() int {
	n := len(v.Names)
	for _, p := range v.Pairs {
		n = max(n, p[0]+1, p[1]+1)
	}
	return n
}

// Means returns the values of larger units, each the mean of some of these.
func (v *Values) Means(of [][]int) *Values {
	merged := *v
	merged.Of = means(v.Of, of)
	if v.Marginal != nil {
		merged.Marginal = means(v.Marginal, of)
	}
	return &merged
}

func means(values *mat.Dense, of [][]int) *mat.Dense {
	_, columns := values.Dims()
	merged := mat.NewDense(max(len(of), 1), columns, nil)
	for k, units := range of {
		to := merged.RawRowView(k)
		for _, u := range units {
			for c, x := range values.RawRowView(u) {
				to[c] += x / float64(len(units))
			}
		}
	}
	return merged
}
