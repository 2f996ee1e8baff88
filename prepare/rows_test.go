package prepare

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
)

// chainField draws m signals on a chain of n vertices, each a mixture of the ones beside it,
// where each observation keeps a share phi of the one before.
func chainField(draw *rand.Rand, n, m int, phi float64) *mat.Dense {
	y := mat.NewDense(n, m, nil)
	before := make([]float64, n)
	for k := range m {
		innovation := make([]float64, n)
		for i := range innovation {
			innovation[i] = draw.NormFloat64()
			if i > 0 {
				innovation[i] = 0.7*innovation[i-1] + 0.71*innovation[i]
			}
		}
		for i, e := range innovation {
			if k == 0 {
				before[i] = e
			} else {
				before[i] = phi*before[i] + math.Sqrt(1-phi*phi)*e
			}
			y.Set(i, k, before[i])
		}
	}
	return y
}

func rowsFoundIn(t *testing.T, y *mat.Dense) Rows {
	t.Helper()
	found, err := FindRows(context.Background(), y, nil, RowsAuto)
	if err != nil {
		t.Fatal(err)
	}
	return found.Rows
}

func inOrderOf(y *mat.Dense, key func(k int) float64) *mat.Dense {
	_, m := y.Dims()
	return matrix.Columns(y, matrix.Sorted(m, func(a, b int) int {
		switch ka, kb := key(a), key(b); {
		case ka < kb:
			return -1
		case ka > kb:
			return 1
		}
		return 0
	}))
}

func TestRowsInTimeAreFound(t *testing.T) {
	for _, c := range []struct {
		phi  float64
		m    int
		runs int // of 10 that must be found
	}{{0.5, 100, 7}, {0.9, 50, 7}, {0.9, 100, 10}, {0.99, 100, 10}, {0.3, 600, 10}, {0.99, 2000, 10}} {
		for _, n := range []int{5, 40} {
			found := 0
			for seed := range uint64(10) {
				if rowsFoundIn(t, chainField(rng.Stream(seed+1, "rows in time"), n, c.m, c.phi)) == RowsTime {
					found++
				}
			}
			if found < c.runs {
				t.Errorf("φ = %g, %d × %d: found %d times of 10, want at least %d", c.phi, n, c.m, found, c.runs)
			}
		}
	}
}

func TestSmoothSeasonsAreTime(t *testing.T) {
	draw := rng.Stream(1, "seasons")
	y := mat.NewDense(12, 240, nil)
	y.Apply(func(i, k int, _ float64) float64 {
		return math.Sin(2*math.Pi*float64(k)/24+float64(i)/5) + 0.4*draw.NormFloat64()
	}, y)
	if rowsFoundIn(t, y) != RowsTime {
		t.Error("a season of 24 observations is not taken for time")
	}
}

func TestIndependentRowsAreFoundHoweverTheyAreSorted(t *testing.T) {
	wrong := map[string]int{}
	all := 0
	for seed := range uint64(12) {
		for _, n := range []int{5, 40} {
			for _, m := range []int{60, 178, 600} {
				all++
				draw := rng.Stream(seed+1, "independent rows", n, m)
				y := chainField(draw, n, m, 0)
				try := func(name string, y *mat.Dense) {
					if rowsFoundIn(t, y) != RowsIndependent {
						wrong[name]++
					}
				}
				try("as drawn", y)
				try("sorted by a vertex", inOrderOf(y, func(k int) float64 { return y.At(0, k) }))
				try("sorted by the sum", inOrderOf(y, func(k int) float64 { return mat.Sum(y.ColView(k)) }))
				for _, classes := range []int{2, 3, 5} {
					for _, apart := range []float64{1, 3} {
						levels := mat.NewDense(n, classes, nil)
						levels.Apply(func(_, _ int, _ float64) float64 { return apart * draw.NormFloat64() }, levels)
						z := mat.DenseCopyOf(y)
						z.Apply(func(i, k int, v float64) float64 { return v + levels.At(i, k*classes/m) }, z)
						try("sorted by a hidden class", z)
						labelled := mat.NewDense(n+1, m, nil)
						labelled.Apply(func(i, k int, _ float64) float64 {
							if i == n {
								return float64(k * classes / m)
							}
							return z.At(i, k)
						}, labelled)
						try("sorted by a class beside it", labelled)
					}
				}
			}
		}
	}
	for name, count := range wrong {
		of := all
		if name == "sorted by a hidden class" || name == "sorted by a class beside it" {
			of *= 6
		}
		if count > of/50 {
			t.Errorf("rows %s: %d times of %d taken for time", name, count, of)
		}
	}
}

func TestRowsAreWhatIsAskedFor(t *testing.T) {
	y := chainField(rng.Stream(1, "asked"), 6, 60, 0.9)
	at := make([]time.Time, 60)
	for _, c := range []struct {
		times       []time.Time
		asked, want Rows
	}{{nil, RowsIndependent, RowsIndependent}, {nil, RowsTime, RowsTime}, {at, "", RowsTime}, {at, RowsIndependent, RowsIndependent}} {
		found, err := FindRows(context.Background(), y, c.times, c.asked)
		if err != nil || found.Rows != c.want || found.Sentence == "" {
			t.Errorf("asked for %q: got %+v, %v", c.asked, found, err)
		}
	}
	few, err := FindRows(context.Background(), chainField(rng.Stream(1, "few"), 6, 20, 0.9), nil, "")
	if err != nil || few.Rows != RowsIndependent {
		t.Errorf("of 20 rows: got %+v, %v", few, err)
	}
}

// The moments of the sum of products over all orders of five values, by going through them.
func TestChanceOfLikeNeighboursHasTheMomentsOfAllOrders(t *testing.T) {
	ranks := []float64{-2, -1, 0, 1, 2}
	var sums []float64
	var permute func(k int)
	x := slices.Clone(ranks)
	permute = func(k int) {
		if k == len(x) {
			s := 0.0
			for i := 1; i < len(x); i++ {
				s += x[i] * x[i-1]
			}
			sums = append(sums, s)
			return
		}
		for i := k; i < len(x); i++ {
			x[k], x[i] = x[i], x[k]
			permute(k + 1)
			x[k], x[i] = x[i], x[k]
		}
	}
	permute(0)
	r := matrix.Describe(sums)
	ascending := 2.0 + 0 + 0 + 2
	want := math.Erfc(-(ascending-r.Mean)/r.SD/math.Sqrt2) / 2
	if got, ok := likeNeighbours([]float64{10, 20, 30, 40, 50}); !ok || math.Abs(got-want) > 1e-12 {
		t.Errorf("got %g, want %g", got, want)
	}
}
