package groups

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// recordings are the values of recordings of one graph, a path of 6 vertices, of the given number of rows each; in the first
// ones, which have fewer, the first edge is stronger by some.
func recordings(t *testing.T, study, few, many, short, long int, more float64) *Values {
	t.Helper()
	const n = 6
	var units []*mat.SymDense
	for u := range few + many {
		draw := rng.Stream(uint64(study)+1, "recordings", u)
		rows := long
		if u < few {
			rows = short
		}
		y := mat.NewDense(n, rows, nil)
		for k := range rows {
			for i := range n {
				x := draw.NormFloat64()
				if i > 0 {
					along := 0.4
					if i == 1 && u < few {
						along += more
					}
					x += along * y.At(i-1, k)
				}
				y.Set(i, k, x)
			}
		}
		units = append(units, Correlations(y))
	}
	v, err := OfCorrelations([]string{"a", "b", "c", "d", "e", "f"}, units)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Recordings of one graph do not differ by their length, and a difference is still found.
func TestLengthIsNoDifference(t *testing.T) {
	const studies = 20
	for _, c := range []struct {
		few, many, short, long int
		more                   float64
		least, most            int // studies in which the graphs differ
	}{
		{5, 20, 40, 400, 0, 0, 5}, // 1 is expected; a common variance gives 16
		{10, 15, 100, 100, 0.3, 18, 20},
	} {
		differ, first := 0, 0
		for s := range studies {
			v := recordings(t, s, c.few, c.many, c.short, c.long, c.more)
			got, err := Test(t.Context(), v, Design{Groups: labels(c.few, c.many)}, Options{Permutations: 99, Seed: uint64(s) + 1})
			if err != nil {
				t.Fatal(err)
			}
			if got.Whole.P <= 0.05 {
				differ++
			}
			if got.Edges[0].P <= 0.05 {
				first++
			}
		}
		for _, found := range []int{differ, first} {
			if found < c.least || found > c.most {
				t.Errorf("%+v: %d and %d of %d", c, differ, first, studies)
			}
		}
	}
}

// With groups of different sizes the statistic and the intervals are those of R's t.test and oneway.test.
func TestGroupsOfDifferentSizesAreWelchs(t *testing.T) {
	x := []float64{1, 2, 4, 3, 5, 9, 7, 2, 8, 6, 6.5, 7, 5.5}
	for _, c := range []struct {
		counts               []int
		statistic, low, high float64
	}{
		{[]int{3, 4}, 2.345207879911715, -0.386318517496768, 7.719651850830101},
		{[]int{3, 4, 6}, 4.41893961711838, -0.386318517496768, 7.719651850830101},
	} {
		units := 0
		for _, n := range c.counts {
			units += n
		}
		of := mat.NewDense(units, 1, x[:units])
		got, err := Test(t.Context(), valuesOf(of, 2), Design{Groups: labels(c.counts...)}, Options{Permutations: 19})
		if err != nil {
			t.Fatal(err)
		}
		e := got.Edges[0]
		if !near(e.Statistic, c.statistic) || math.Abs(e.Differences[0].Low-c.low) > 1e-6 || math.Abs(e.Differences[0].High-c.high) > 1e-6 {
			t.Errorf("%v: got %g, %+v", c.counts, e.Statistic, e.Differences[0])
		}
	}
}
