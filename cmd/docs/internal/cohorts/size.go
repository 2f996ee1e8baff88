package cohorts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/groups"
	"github.com/nervure/nervure/internal/linalg"
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

// sizeSettings returns those of tests of subjects, and how many studies each has.
func sizeSettings() (all []Record) {
	for _, n := range []int{10, 50} {
		for _, ar := range []float64{0, 0.7} {
			for _, changes := range []int{0, 1, 3, 10} {
				all = append(all, sizeRecord(TwoGroups, n, ar, changes))
			}
		}
	}
	return append(all, sizeRecord(Paired, 10, 0, 0), sizeRecord(Covariate, 10, 0, 0))
}

func sizeRecord(design string, n int, ar float64, changes int) Record {
	r := Record{Setting: Setting{Part: Size, Design: design, Vertices: n, Units: Subjects, Rows: Rows, AR: ar, Changes: changes}}
	r.Permutations = Permutations
	switch large := n > 10; {
	case changes == 0 && large:
		r.Studies = fewNull
	case changes == 0:
		r.Studies = manyNull
	case large:
		r.Studies = fewOther
	default:
		r.Studies = manyOther
	}
	return r
}

// size tests the groups of simulated studies.
func (m Measurement) size(ctx context.Context, r Record) (Record, error) {
	if m.studies > 0 {
		r.Studies = m.studies
	}
	found := make([]outcome, r.Studies)
	var mu sync.Mutex
	var faults []error
	linalg.ForEach(m.Threads, r.Studies, func(_, k int) {
		if ctx.Err() != nil {
			return
		}
		draw := stream(m.Seed, r.name(), k)
		c, changed, err := testSubjects(ctx, r.Setting, draw)
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			faults = append(faults, fmt.Errorf("study %d: %w", k, err))
			return
		}
		found[k] = outcomeOf(c, changed)
	})
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	r.sum(found)
	return r, errors.Join(faults...)
}

// testSubjects draws a study and compares its groups.
func testSubjects(ctx context.Context, s Setting, draw *rand.Rand) (*groups.Comparison, [][2]int, error) {
	p := newPopulation(s.Vertices, s.Changes, draw)
	d := groups.Design{By: "group"}
	var units []*mat.SymDense
	for g, of := range p.precision {
		for k := range s.Units {
			age := 0.0
			if s.Design == Covariate {
				age = draw.NormFloat64() + float64(2*g-1)/2
				d.Covariate = append(d.Covariate, age)
			}
			own := subject(of, age, draw)
			repeats := 1
			if s.Design == Paired { // a subject has a matrix of its own, of which both recordings are
				if g > 0 {
					break
				}
				repeats = 2
			}
			for repeat := range repeats {
				d.Groups = append(d.Groups, []string{"a", "b"}[g+repeat])
				if s.Design == Paired {
					d.Subjects = append(d.Subjects, fmt.Sprint(k))
				}
				units = append(units, groups.Correlations(signals(own, s.Rows, s.AR, draw)))
			}
		}
	}
	v, err := groups.OfCorrelations(graph.DefaultNames(s.Vertices), units)
	if err != nil {
		return nil, nil, err
	}
	c, err := groups.Test(ctx, v, d, groups.Options{Permutations: Permutations, Seed: draw.Uint64()})
	return c, p.changed, err
}

// An outcome is what the tests of a study say.
type outcome struct {
	whole, strength              bool
	vertices                     float64 // share with p ≤ .05
	found, wrong, foundP, wrongP float64 // as in Record
}

// outcomeOf counts what is rejected.
func outcomeOf(c *groups.Comparison, changed [][2]int) outcome {
	o := outcome{whole: c.Whole.P <= level, strength: c.Strength.P <= level}
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
func (o *outcome) score(pairs []pair, changed [][2]int) {
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

// sum adds up studies.
func (r *Record) sum(found []outcome) {
	count := float64(len(found))
	for _, o := range found {
		if o.whole {
			r.Whole++
		}
		if o.strength {
			r.Strength++
		}
		r.VerticesP += o.vertices / count
		r.Found += o.found / count
		r.False += o.wrong / count
		r.FoundP += o.foundP / count
		r.FalseP += o.wrongP / count
	}
	for _, x := range []*float64{&r.VerticesP, &r.Found, &r.False, &r.FoundP, &r.FalseP} {
		*x = rounded(*x)
	}
}
