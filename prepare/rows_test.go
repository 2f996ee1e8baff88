package prepare

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
		phi float64
		m   int
	}{{0.9, 100}, {0.99, 100}, {0.3, 600}, {0.99, 2000}} {
		for _, n := range []int{5, 40} {
			if rowsFoundIn(t, chainField(rng.Stream(1, "rows in time"), n, c.m, c.phi)) != RowsTime {
				t.Errorf("φ = %g, %d × %d: not found", c.phi, n, c.m)
			}
		}
	}
}

func TestIndependentRowsAreFoundHoweverTheyAreSorted(t *testing.T) {
	wrong := map[string]int{}
	all := 0
	for seed := range uint64(2) {
		for _, n := range []int{5, 40} {
			for _, m := range []int{60, 178} {
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
				if m < rowsForTime {
					continue // other sorting cannot be told from time
				}
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
		switch name {
		case "sorted by the sum":
			of = all / 2
		case "sorted by a hidden class", "sorted by a class beside it":
			of = all / 2 * 6
		}
		if count > max(1, of/50) {
			t.Errorf("rows %s: %d times of %d taken for time", name, count, of)
		}
	}
}

// sortedAnswers draws m answers from 1 to 5 to n questions, and returns them sorted by the first keys of
// them, each within the ties of those before; falling, if asked for.
func sortedAnswers(seed uint64, n, m, keys int, falling bool) *mat.Dense {
	y := chainField(rng.Stream(seed, "answers", n, m), n, m, 0)
	y.Apply(func(_, _ int, v float64) float64 {
		return min(max(math.Round(1.3*v), -2), 2) + 3
	}, y)
	return matrix.Columns(y, matrix.Sorted(m, func(a, b int) int {
		for i := range keys {
			if c := cmp.Compare(y.At(i, a), y.At(i, b)); c != 0 {
				if falling {
					return -c
				}
				return c
			}
		}
		return 0
	}))
}

func TestRowsSortedBySeveralVerticesAreIndependent(t *testing.T) {
	for _, keys := range []int{1, 2, 3, 4, 9} {
		for _, falling := range []bool{false, true} {
			if rowsFoundIn(t, sortedAnswers(1, 9, 500, keys, falling)) != RowsIndependent {
				t.Errorf("sorted by %d vertices: taken for time", keys)
			}
		}
	}
}

// The vertices that rows are sorted by are found, first to last, and others are not; ties are where all of
// them are equal.
func TestSortingKeysAreFound(t *testing.T) {
	for keys := range 4 {
		y := sortedAnswers(3, 9, 500, keys, false)
		ranks := rowRanks(t.Context(), y)
		others, ties := withoutKeys(ranks)
		if len(others) != 9-keys {
			t.Fatalf("sorted by %d vertices: %d found", keys, 9-len(others))
		}
		for i, x := range others {
			if !slices.Equal(x, ranks[i+keys]) {
				t.Errorf("sorted by %d vertices: vertex %d of the others is another", keys, i)
			}
		}
		at := 0
		for _, of := range ties {
			if of[0] != at {
				t.Fatalf("sorted by %d vertices: ties %v", keys, ties)
			}
			at = of[1]
			for i := range keys {
				if y.At(i, of[0]) != y.At(i, of[1]-1) || at < 500 && keys == 1 && y.At(i, at) == y.At(i, at-1) {
					t.Errorf("sorted by %d vertices: rows %v are no tie", keys, of)
				}
			}
		}
		if at != 500 {
			t.Errorf("ties end at %d", at)
		}
	}
	// Of the six orders of two pairs of equal values and the three of one of two and a single one, one each rises.
	parts := [][2]int{{0, 4}, {4, 7}}
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{1, 1, 2, 2, 1, 1, 3}, math.Log(6 * 3)},
		{[]float64{2, 2, 1, 1, 3, 1, 1}, math.Log(6 * 3)},
		{[]float64{1, 1, 2, math.NaN(), 1, 1, 3}, math.Log(12 * 3)},
		{[]float64{1, 1, 2, 2, 3, 1, 1}, 0},
		{[]float64{1, 1, math.NaN(), 2, 1, 1, 3}, 0},
	} {
		if _, got := tiesOf(c.x, parts); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: surprise %g, want %g", c.x, got, c.want)
		}
	}
}

// A vertex that counts days, a year and a month beside a series do not make it a sorted table.
func TestSeriesBesideItsCalendarIsTime(t *testing.T) {
	for _, calendar := range [][]func(k int) float64{
		{func(k int) float64 { return float64(k) }},
		{func(k int) float64 { return float64(k / 120) }, func(k int) float64 { return float64(k % 120 / 10) }},
		{func(k int) float64 { return float64(k / 120) }, func(k int) float64 { return float64(k % 120 / 10) }, func(k int) float64 { return float64(k % 10) }},
	} {
		y := chainField(rng.Stream(1, "calendar"), 10, 360, 0.8)
		with := mat.NewDense(10+len(calendar), 360, nil)
		with.Apply(func(i, k int, _ float64) float64 {
			if i < len(calendar) {
				return calendar[i](k)
			}
			return y.At(i-len(calendar), k)
		}, with)
		if rowsFoundIn(t, with) != RowsTime {
			t.Errorf("with a calendar of %d vertices it is no series", len(calendar))
		}
	}
}

// A short series that is not known for one is not called sorted, and what is sorted is.
func TestOnlySortedRowsAreCalledSorted(t *testing.T) {
	said := func(y *mat.Dense) string {
		found, err := FindRows(t.Context(), y, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		return found.Sentence
	}
	called, missed, tooFew := 0, 0, 0
	for seed := range uint64(5) {
		for _, phi := range []float64{0.7, 0.95} {
			series := said(chainField(rng.Stream(seed+1, "short"), 10, 40, phi))
			if strings.Contains(series, "they are sorted") {
				called++
			}
			if strings.Contains(series, "40 rows are too few to tell time from sorting") {
				tooFew++
			}
		}
		y := chainField(rng.Stream(seed+1, "sorted"), 10, 400, 0)
		if !strings.Contains(said(inOrderOf(y, func(k int) float64 { return mat.Sum(y.ColView(k)) })), "they are sorted") {
			missed++
		}
	}
	if called > 1 || tooFew == 0 || missed > 1 {
		t.Errorf("of 10 short series %d are called sorted and %d too short, and of 5 sorted tables %d are not called so", called, tooFew, missed)
	}
}

// Few rows of a series are taken as time; those of a table are not, also sorted by one of its columns.
func TestFewAlikeNeighboursAreTime(t *testing.T) {
	const files = 8
	for _, m := range []int{12, 16, 20, 40} {
		var series, table, sorted int
		for seed := range uint64(files) {
			draw := rng.Stream(seed, "few rows")
			count := func(y *mat.Dense, times *int) {
				found, err := FindRows(t.Context(), y, nil, RowsAuto)
				if err != nil {
					t.Fatal(err)
				}
				if found.Rows == RowsTime {
					*times++
				}
				if m < leastDoubted && !found.Independent() {
					t.Errorf("%d rows are not taken as independent: %s", m, found.Sentence)
				}
			}
			count(chainField(draw, 20, m, 0.7), &series)
			y := chainField(draw, 20, m, 0)
			count(y, &table)
			count(inOrderOf(y, func(k int) float64 { return y.At(3, k) }), &sorted)
		}
		t.Logf("%d rows: %d series, %d tables and %d sorted tables of %d are time", m, series, table, sorted, files)
		if m >= leastDoubted && series < files*3/4 || table > files/8 || sorted > files/8 {
			t.Errorf("%d rows: %d series, %d tables and %d sorted tables of %d are time", m, series, table, sorted, files)
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
