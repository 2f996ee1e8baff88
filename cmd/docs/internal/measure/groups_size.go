package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/cmd/internal/experiment"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// Designs of studies of subjects.
const (
	TwoGroups = "two groups"
	Paired    = "before and after"    // of the same subjects
	Covariate = "adjusted for an age" // which differs between groups and moves all edges
)

// How studies are drawn, and tested.
const (
	// Permutations of each test. The p-values .005 to .05 are all there.
	Permutations = 199
	Subjects     = 15  // of each group
	Rows         = 200 // of each subject
	// level is that of tests, and named the false discovery rate at which edges are named.
	level, named = 0.05, 0.1
	// Studies of each setting where nothing differs, and where something does: few of large graphs.
	fewNull, manyNull   = 1000, 2000
	fewOther, manyOther = 100, 500
)

// A cohort is what studies of subjects have in common.
type cohort struct {
	design   string
	vertices int
	ar       float64 // correlation of a row with the one before
	changes  int     // edges that differ
}

// cohorts are those in which tests are counted.
func cohorts() (all []cohort) {
	for _, n := range []int{10, 50} {
		for _, ar := range []float64{0, 0.7} {
			for _, changes := range []int{0, 1, 3, 10} {
				all = append(all, cohort{TwoGroups, n, ar, changes})
			}
		}
	}
	return append(all, cohort{Paired, 10, 0, 0}, cohort{Covariate, 10, 0, 0})
}

// studies is how many are drawn.
func (c cohort) studies() int {
	switch large := c.vertices > 10; {
	case c.changes == 0 && large:
		return fewNull
	case c.changes == 0:
		return manyNull
	case large:
		return fewOther
	}
	return manyOther
}

func (c cohort) labels() []experiment.Label {
	return []experiment.Label{
		experiment.Text("design", c.design), experiment.Amount("vertices", c.vertices), experiment.Amount("ar", c.ar),
		experiment.Amount("changes", c.changes),
	}
}

// stream is the generator of a study; the name is that under which the committed results were drawn.
func (c cohort) stream(seed uint64, study int) *rand.Rand {
	name := fmt.Sprintf("size %s N=%d M=%d AR=%g changes=%d nervure", c.design, c.vertices, Rows, c.ar, c.changes)
	return rng.Stream(seed, "cohorts "+name, study)
}

// measure tests the groups of simulated studies.
func (c cohort) measure(ctx context.Context, seed uint64, studies, threads int) (Values, error) {
	found, faults := make([]tested, studies), make([]error, studies)
	linalg.ForEach(cmp.Or(threads, runtime.NumCPU()), studies, func(_, k int) {
		if ctx.Err() == nil {
			found[k], faults[k] = c.test(ctx, c.stream(seed, k))
		}
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return sum(found), errors.Join(faults...)
}

// test draws a study and compares its groups.
func (c cohort) test(ctx context.Context, draw *rand.Rand) (tested, error) {
	p := newPopulation(c.vertices, c.changes, draw)
	d := groups.Design{By: "group"}
	var units []*mat.SymDense
	for g, of := range p.precision {
		for k := range Subjects {
			age := 0.0
			if c.design == Covariate {
				age = draw.NormFloat64() + float64(2*g-1)/2
				d.Covariate = append(d.Covariate, age)
			}
			own := subject(of, age, draw)
			repeats := 1
			if c.design == Paired { // a subject has a matrix of its own, of which both recordings are
				if g > 0 {
					break
				}
				repeats = 2
			}
			for repeat := range repeats {
				d.Groups = append(d.Groups, []string{"a", "b"}[g+repeat])
				if c.design == Paired {
					d.Subjects = append(d.Subjects, fmt.Sprint(k))
				}
				units = append(units, groups.Correlations(rowsOf(own, Rows, c.ar, draw)))
			}
		}
	}
	v, err := groups.OfCorrelations(graph.DefaultNames(c.vertices), units)
	if err != nil {
		return tested{}, err
	}
	found, err := groups.Test(ctx, v, d, groups.Options{Permutations: Permutations, Seed: draw.Uint64()})
	if err != nil {
		return tested{}, err
	}
	return testedOf(found, p.changed), nil
}

// A tested is what the tests of a study say.
type tested struct {
	whole, strength              bool
	vertices                     float64 // share with p ≤ .05
	found, wrong, foundP, wrongP float64 // shares, as in sum
}

// testedOf counts what is rejected.
func testedOf(c *groups.Comparison, changed [][2]int) tested {
	o := tested{whole: c.Whole.P <= level, strength: c.Strength.P <= level}
	for _, v := range c.Vertices {
		o.vertices += share(v.P <= level, len(c.Vertices))
	}
	var pairs []pair
	for _, e := range c.Edges {
		pairs = append(pairs, pair{[2]int{e.I, e.J}, e.P, e.Q})
	}
	o.score(pairs, changed)
	return o
}

// A pair is what a test says about a pair of vertices.
type pair struct {
	of   [2]int
	p, q float64
}

// score counts the pairs that are named, and those named in error.
func (o *tested) score(pairs []pair, changed [][2]int) {
	count, wrong := 0, 0
	for _, e := range pairs {
		differs := slices.Contains(changed, e.of)
		if differs {
			o.found += share(e.q <= named, len(changed))
			o.foundP += share(e.p <= level, len(changed))
		} else {
			o.wrongP += share(e.p <= level, len(pairs)-len(changed))
		}
		if e.q <= named {
			count++
			if !differs {
				wrong++
			}
		}
	}
	o.wrong = float64(wrong) / float64(max(1, count))
}

func share(of bool, count int) float64 {
	if !of {
		return 0
	}
	return 1 / float64(count)
}

// sum adds up studies: those whose graphs and whose strengths differ with p ≤ .05; the mean share of the vertices
// that do; of the edges that differ, the mean share named at q ≤ .1, and that with p ≤ .05; of the named, the mean
// share that does not differ; and of those that do not, the mean share with p ≤ .05.
func sum(found []tested) Values {
	count := float64(len(found))
	v := Values{"studies": count, "permutations": float64(Permutations)}
	for name, of := range map[string]func(tested) float64{
		"whole":      func(o tested) float64 { return count * flag(o.whole) },
		"strength":   func(o tested) float64 { return count * flag(o.strength) },
		"vertices_p": func(o tested) float64 { return o.vertices },
		"found":      func(o tested) float64 { return o.found },
		"false":      func(o tested) float64 { return o.wrong },
		"found_p":    func(o tested) float64 { return o.foundP },
		"false_p":    func(o tested) float64 { return o.wrongP },
	} {
		total := 0.0
		for _, o := range found {
			total += of(o) / count
		}
		v[name] = rounded(total)
	}
	return v
}
