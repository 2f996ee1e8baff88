package groups

import (
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// blocksOf draws values of units in windows of five; shift is added to a pair where asked.
func blocksOf(seed, windows, pairs int, shift func(window, pair int) float64) (*Values, []int) {
	const each = 5
	draw := rng.Stream(uint64(seed), "blocks")
	v := &Values{Of: mat.NewDense(windows*each, pairs, nil)}
	for p := range pairs {
		v.Pairs = append(v.Pairs, [2]int{0, p + 1})
	}
	var window []int
	for u := range windows * each {
		window = append(window, u/each)
		for p := range pairs {
			v.Of.Set(u, p, draw.NormFloat64()+shift(u/each, p))
		}
	}
	return v, window
}

func nothing(int, int) float64 { return 0 }

// A change is found where it is, whether it stays or is of one window; all else is left alone.
func TestChangesAreFoundWhereTheyAre(t *testing.T) {
	v, window := blocksOf(1, 8, 30, func(w, p int) float64 {
		if p == 3 && w >= 5 || p == 7 && w == 2 {
			return 3
		}
		return 0
	})
	c, err := Changes(t.Context(), v, window, Options{Permutations: 199})
	if err != nil {
		t.Fatal(err)
	}
	if c.Whole.P > 0.01 || len(c.Steps) != 7 || c.Steps[4] > 0.05 || c.Moment != 5 {
		t.Errorf("p %g, steps %v, moment %d", c.Whole.P, c.Steps, c.Moment)
	}
	list := c.Clear(0.05)
	if len(list) != 2 {
		t.Fatalf("%d changes", len(list))
	}
	for _, change := range list {
		if step := change.J == 4 && change.From == 5 && !change.Only; !step && !(change.J == 8 && change.From == 2 && change.Only) {
			t.Errorf("%+v", change)
		}
		if math.Abs(change.After-change.Before-3) > 1 {
			t.Errorf("from %g to %g", change.Before, change.After)
		}
	}
}

// Where nothing changes, p-values are uniform: the mean of 50 is 0.5 ± 3 standard errors of 0.041.
func TestNothingChangesByChance(t *testing.T) {
	const series = 50
	mean := 0.0
	for seed := range series {
		v, window := blocksOf(seed+10, 4, 20, nothing)
		c, err := Changes(t.Context(), v, window, Options{Permutations: 49})
		if err != nil {
			t.Fatal(err)
		}
		mean += c.Whole.P / series
	}
	if math.Abs(mean-0.5) > 0.123 {
		t.Errorf("the mean p-value is %.3f", mean)
	}
}

// With two windows, a change is a difference of two groups: F is that of Test.
func TestTwoWindowsAreTwoGroups(t *testing.T) {
	v, window := blocksOf(3, 2, 6, nothing)
	c, err := Changes(t.Context(), v, window, Options{Permutations: 9})
	if err != nil {
		t.Fatal(err)
	}
	var by []string
	for _, w := range window {
		by = append(by, string(rune('a'+w)))
	}
	test, err := Test(t.Context(), v, Design{Groups: by}, Options{Permutations: 9})
	if err != nil {
		t.Fatal(err)
	}
	for p, e := range test.Edges {
		if math.Abs(c.Pairs[p].Statistic-e.Statistic*e.Statistic) > 1e-9*(1+c.Pairs[p].Statistic) || math.Abs(c.Pairs[p].After-e.Means[1]) > 1e-12 {
			t.Errorf("%+v, of two groups %+v", c.Pairs[p], e)
		}
	}
}

func TestChangesDoNotDependOnThreads(t *testing.T) {
	v, window := blocksOf(4, 5, 12, nothing)
	one, err := Changes(t.Context(), v, window, Options{Permutations: 50, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if four, err := Changes(t.Context(), v, window, Options{Permutations: 50, Threads: 4}); err != nil || !reflect.DeepEqual(one, four) {
		t.Errorf("%v: %+v, want %+v", err, four, one)
	}
	short := &Values{Pairs: v.Pairs, Of: mat.NewDense(4, 12, nil)}
	if _, err := Changes(t.Context(), short, []int{0, 0, 1, 1}, Options{}); err == nil {
		t.Error("four blocks are enough")
	}
}
