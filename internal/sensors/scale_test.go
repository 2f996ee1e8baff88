package sensors

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// Observations in another unit are out of scale, however large; heavy tails, gaps and
// times without any signal are not.
func TestObservationsOutOfScale(t *testing.T) {
	const n, m = 5, 200
	draw := func(value func(i, k int) float64) *mat.Dense {
		y := mat.NewDense(n, m, nil)
		y.Apply(func(i, k int, _ float64) float64 { return value(i, k) }, y)
		return y
	}
	r := rng.Stream(1, "out of scale")
	normal := func(int, int) float64 { return r.NormFloat64() }
	for _, c := range []struct {
		name  string
		value func(i, k int) float64
		want  []int
	}{
		{"usual", normal, nil},
		{"one in another unit", func(i, k int) float64 {
			if k == 7 {
				return 1e4 * normal(i, k)
			}
			return normal(i, k)
		}, []int{7}},
		{"squares overflow", func(i, k int) float64 {
			if k == 3 || k == 150 {
				return 1e200 * normal(i, k)
			}
			return normal(i, k)
		}, []int{3, 150}},
		{"heavy tails", func(int, int) float64 { return r.NormFloat64() / r.NormFloat64() }, nil},
		{"volatile times", func(i, k int) float64 { return normal(i, k) * math.Pow(10, float64(k%5)) }, nil},
		{"mostly dry", func(i, k int) float64 {
			if k%10 > 0 {
				return 0
			}
			return 50 * math.Abs(normal(i, k))
		}, nil},
		{"mostly noise", func(i, k int) float64 {
			if k%10 > 0 {
				return 0.01 * normal(i, k)
			}
			return 50 * normal(i, k)
		}, nil},
		{"missing values", func(i, k int) float64 {
			if (i+k)%3 == 0 {
				return missing
			}
			return normal(i, k)
		}, nil},
	} {
		if got := OutOfScale(draw(c.value)); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if got := OutOfScale(mat.NewDense(1, 3, []float64{1, 1, 1e9})); got != nil {
		t.Errorf("three observations: got %v, want none: nothing is usual", got)
	}
}
