package prepare

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestWarnings(t *testing.T) {
	skew := apply(noise(6, 300, 31), func(_, _ int, v float64) float64 { return math.Exp(v) })
	rare := apply(noise(6, 300, 32), func(_, _ int, v float64) float64 { return math.Floor(5 * math.Exp(v)) })
	flags := apply(noise(6, 300, 33), func(_, _ int, v float64) float64 {
		if v > 1.2 {
			return 1
		}
		return 0
	})
	pair := noise(6, 300, 34)
	for k := range 300 {
		pair.Set(5, k, math.Round(1e3*(32-1.8*pair.At(2, k)))/1e3)
	}
	spike := noise(6, 300, 35)
	for i := range 6 {
		spike.Set(i, 100, 1e4)
	}
	for name, c := range map[string]struct {
		y    *mat.Dense
		o    Options
		want string
	}{
		"nothing to warn of":          {noise(6, 300, 36), Options{}, ""},
		"positive and skewed":         {skew, Options{}, "values are positive and skewed"},
		"with logarithms":             {skew, Options{Log: true}, ""},
		"skewed with zeros":           {rare, Options{}, "values are non-negative and skewed"},
		"yes and no":                  {flags, Options{}, ""},
		"in time":                     {wander(6, 300, 0.9, 37), Options{}, "consecutive signals are correlated (0."},
		"in time, with differences":   {wander(6, 300, 0.9, 37), Options{Difference: Yes}, ""},
		"too short to tell":           {wander(6, 12, 0.5, 38), Options{}, ""},
		"the same in another unit":    {pair, Options{}, `vertices carry the same signal: "v2" and "v5"; remove one of each pair`},
		"one event that all have had": {spike, Options{}, ""},
		"all the same by shortness":   {mat.NewDense(2, 3, []float64{1, 2, 3.1, 5, 3, 0.8}), Options{}, ""},
	} {
		_, r := prepared(t, c.y, c.o)
		if all := sentences(r); !strings.Contains(all, c.want) || c.want == "" && all != "" || len(r.Warnings) > 1 {
			t.Errorf("%s: got %q, want %q", name, all, c.want)
		}
	}
}

func sentences(r *Report) string {
	var all []string
	for _, w := range r.Warnings {
		all = append(all, w.Sentence())
	}
	return strings.Join(all, "; ")
}

func TestManyTwinsAreCounted(t *testing.T) {
	x := noise(1, 50, 39).RawRowView(0)
	y := mat.NewDense(5, 50, slices.Concat(x, x, x, x, x))
	_, r := prepared(t, y, Options{Names: []string{"a", "b", "c", "d", "e"}})
	if want := `"a" and "b", "a" and "c", "b" and "c", 7 more pairs`; len(r.Warnings) != 1 || !strings.Contains(sentences(r), want) {
		t.Errorf("got %q", sentences(r))
	}
}
