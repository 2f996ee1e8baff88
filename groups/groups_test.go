package groups

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

func drawn(draw *rand.Rand, units, pairs int) *mat.Dense {
	x := mat.NewDense(units, pairs, nil)
	for u := range units {
		for p := range pairs {
			x.Set(u, p, draw.NormFloat64())
		}
	}
	return x
}

func valuesOf(x *mat.Dense, n int) *Values {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
	}
	return &Values{Names: names, Pairs: AllPairs(n), Of: x}
}

func labels(counts ...int) []string {
	var all []string
	for g, n := range counts {
		for range n {
			all = append(all, string(rune('a'+g)))
		}
	}
	return all
}

// With two groups of one size the statistic is Student's t, and the interval its.
func TestTwoGroupsAreStudents(t *testing.T) {
	x := drawn(rng.Stream(1, "t"), 12, 3)
	c, err := Test(t.Context(), valuesOf(x, 3), Design{Groups: labels(6, 6)}, Options{Permutations: 19})
	if err != nil {
		t.Fatal(err)
	}
	for p, e := range c.Edges {
		column := mat.Col(nil, p, x)
		m0, v0 := stat.MeanVariance(column[:6], nil)
		m1, v1 := stat.MeanVariance(column[6:], nil)
		pooled := math.Sqrt((v0 + v1) / 2)
		se := pooled * math.Sqrt(1.0/6+1.0/6)
		d := e.Differences[0]
		if !near(e.Statistic, (m1-m0)/se) || !near(d.Size, m1-m0) || !near(e.Means[0], m0) || !near(e.Means[1], m1) || !near(d.Standardised, (m1-m0)/pooled) {
			t.Errorf("pair %d: got %+v, want t %g and means %g, %g", p, e, (m1-m0)/se, m0, m1)
		}
		if reach := 2.2281388519649385 * se; !near(d.High-d.Size, reach) || !near(d.Size-d.Low, reach) { // t of 10 degrees
			t.Errorf("pair %d: interval %g to %g, want ± %g", p, d.Low, d.High, reach)
		}
	}
}

// With three of one size it is Fisher's F.
func TestThreeGroupsAreFishers(t *testing.T) {
	x := drawn(rng.Stream(2, "f"), 12, 1)
	c, err := Test(t.Context(), valuesOf(x, 2), Design{Groups: labels(4, 4, 4)}, Options{Permutations: 19})
	if err != nil {
		t.Fatal(err)
	}
	column := mat.Col(nil, 0, x)
	all, _ := stat.MeanVariance(column, nil)
	between, within := 0.0, 0.0
	for g, part := range [][]float64{column[:4], column[4:8], column[8:]} {
		mean, variance := stat.MeanVariance(part, nil)
		between += float64(len(part)) * (mean - all) * (mean - all)
		within += float64(len(part)-1) * variance
		if !near(c.Edges[0].Means[g], mean) {
			t.Errorf("mean of group %d: got %g, want %g", g, c.Edges[0].Means[g], mean)
		}
	}
	if want := between / 2 / (within / 9); !near(c.Edges[0].Statistic, want) {
		t.Errorf("got F %g, want %g", c.Edges[0].Statistic, want)
	}
}

// Pairs of units are Student's t of their differences.
func TestPairedUnitsAreStudentsOfDifferences(t *testing.T) {
	const subjects = 7
	x := drawn(rng.Stream(3, "pairs"), 2*subjects, 1)
	d := Design{Groups: labels(subjects, subjects)}
	differences := make([]float64, subjects)
	for s := range 2 * subjects {
		d.Subjects = append(d.Subjects, fmt.Sprint(s%subjects))
		if s < subjects {
			differences[s] = x.At(s+subjects, 0) - x.At(s, 0)
		}
	}
	c, err := Test(t.Context(), valuesOf(x, 2), d, Options{Permutations: 19})
	if err != nil {
		t.Fatal(err)
	}
	mean, variance := stat.MeanVariance(differences, nil)
	if want := mean / math.Sqrt(variance/subjects); !near(c.Edges[0].Statistic, want) || !near(c.Edges[0].Differences[0].Size, mean) || c.Subjects != subjects {
		t.Errorf("got %+v, want t %g", c.Edges[0], want)
	}
}

// With a covariate the difference is that of least squares with an intercept, both columns, and the slope
// without groups is that of a line.
func TestCovariateIsLeastSquares(t *testing.T) {
	const units = 13
	draw := rng.Stream(4, "ages")
	x := drawn(draw, units, 1)
	d := Design{Groups: labels(6, 7)}
	a := mat.NewDense(units, 3, nil)
	for u := range units {
		age := 20 + 50*draw.Float64()
		d.Covariate = append(d.Covariate, age)
		a.SetRow(u, []float64{1, age, map[bool]float64{true: 1}[u >= 6]})
	}
	c, err := Test(t.Context(), valuesOf(x, 2), d, Options{Permutations: 19})
	if err != nil {
		t.Fatal(err)
	}
	var beta mat.Dense
	if err := beta.Solve(a, x); err != nil {
		t.Fatal(err)
	}
	if got := c.Edges[0].Differences[0].Size; !near(got, beta.At(2, 0)) || !c.Adjusted {
		t.Errorf("got %g, want %g", got, beta.At(2, 0))
	}
	d.Groups = nil
	if c, err = Test(t.Context(), valuesOf(x, 2), d, Options{Permutations: 19}); err != nil {
		t.Fatal(err)
	}
	_, slope := stat.LinearRegression(d.Covariate, mat.Col(nil, 0, x), nil, false)
	if got := c.Edges[0].Differences[0].Size; !near(got, slope) || c.Adjusted {
		t.Errorf("slope %g, want %g", got, slope)
	}
}

// Few units have few arrangements: with 4 and 4 there are 70, and the two most extreme ones give the least
// p-value. It is found by permutations of a column that separates the groups.
func TestPermutationsFindTheLeastP(t *testing.T) {
	x := mat.NewDense(8, 1, []float64{1, 1.1, 1.2, 1.3, 5, 5.1, 5.2, 5.3})
	c, err := Test(t.Context(), valuesOf(x, 2), Design{Groups: labels(4, 4)}, Options{Permutations: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	if !near(c.LeastP, 2.0/70) || math.Abs(c.Edges[0].P-2.0/70) > 0.004 || math.Abs(c.Whole.P-2.0/70) > 0.004 {
		t.Errorf("got p %g and %g, least %g, want %g", c.Edges[0].P, c.Whole.P, c.LeastP, 2.0/70)
	}
}

// Without a difference p-values are uniform, whatever units are exchangeable: of skewed values, paired units
// and more than two groups. The experiment of docs/groups.md has more studies.
func TestPValuesAreUniformWithoutADifference(t *testing.T) {
	const studies, n = 60, 5
	for name, d := range map[string]Design{
		"three groups": {Groups: labels(5, 5, 6)},
		"paired":       {Groups: labels(8, 8), Subjects: append(labels(1, 1, 1, 1, 1, 1, 1, 1), labels(1, 1, 1, 1, 1, 1, 1, 1)...)},
	} {
		var below [5]int // whole, strength, an edge, a vertex, any q below 0.1
		for s := range studies {
			draw := rng.Stream(uint64(s)+1, name)
			x := drawn(draw, 16, n*(n-1)/2)
			for u := range 16 {
				own := draw.ExpFloat64()
				for p := range n * (n - 1) / 2 {
					x.Set(u, p, 1+own+math.Pow(x.At(u, p), 3))
				}
			}
			c, err := Test(t.Context(), valuesOf(x, n), d, Options{Permutations: 99, Seed: uint64(s) + 1})
			if err != nil {
				t.Fatal(err)
			}
			for k, p := range []float64{c.Whole.P, c.Strength.P, c.Edges[3].P, c.Vertices[2].P} {
				if p <= 0.1 {
					below[k]++
				}
			}
			for _, e := range c.Edges {
				if e.Q <= 0.1 {
					below[4]++
					break
				}
			}
		}
		for k, b := range below { // 6 ± 4 deviations of 2.3, of which there are none below 0
			if b > 15 || k < 4 && b < 1 {
				t.Errorf("%s: question %d: %d of %d below 0.1", name, k, b, studies)
			}
		}
	}
}

// Where an edge differs, it is found, and so are its vertices and the graph.
func TestADifferenceIsFoundWhereItIs(t *testing.T) {
	const n, units = 8, 30
	x := drawn(rng.Stream(5, "found"), units, n*(n-1)/2)
	for u := range units / 2 {
		x.Set(u, 0, x.At(u, 0)+3)
	}
	v := valuesOf(x, n)
	c, err := Test(t.Context(), v, Design{Groups: labels(units/2, units/2)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Whole.P > 0.01 || c.Edges[0].Q > 0.01 || c.Edges[0].PAny > 0.01 || c.Vertices[0].P > 0.01 || c.Vertices[1].P > 0.01 {
		t.Errorf("whole %+v, edge %+v, vertices %+v", c.Whole, c.Edges[0], c.Vertices[:2])
	}
	again, err := Test(t.Context(), v, Design{Groups: labels(units/2, units/2)}, Options{Threads: 3})
	if err != nil || !reflect.DeepEqual(again, c) {
		t.Errorf("three threads give another result: %v", err)
	}
}

func TestDesignsThatCannotBeTested(t *testing.T) {
	x := drawn(rng.Stream(6, "bad"), 6, 1)
	same := []float64{1, 1, 1, 1, 1, 1}
	for name, d := range map[string]Design{
		"neither groups nor a covariate":   {},
		"labels of two units":              {Groups: labels(1, 1)},
		"one group":                        {Groups: labels(6)},
		"too few units":                    {Groups: labels(3, 3)},
		"a constant covariate":             {Covariate: same},
		"groups of subjects":               {Groups: labels(3, 3), Subjects: []string{"a", "a", "a", "b", "b", "b"}},
		"too few subjects":                 {Groups: labels(3, 3), Subjects: []string{"a", "b", "c", "a", "b", "c"}},
		"a covariate that tells the group": {Groups: labels(3, 3), Covariate: []float64{1, 1, 1, 2, 2, 2}},
		"an age that is none":              {Groups: labels(3, 3), Covariate: []float64{1, math.NaN(), 1, 2, 2, 2}},
		"as many groups as units":          {Groups: strings.Split("abcdef", "")},
	} {
		if _, err := Test(t.Context(), valuesOf(x, 2), d, Options{}); input.Find(err) == nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, o := range []Options{{Permutations: -1}, {Threads: -1}} {
		if _, err := Test(t.Context(), valuesOf(x, 2), Design{Groups: labels(3, 3)}, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
