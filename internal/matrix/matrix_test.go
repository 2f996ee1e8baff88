package matrix

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestColumnsAndRowsAreCopiesInTheOrderGiven(t *testing.T) {
	whole := mat.NewDense(6, 9, draw(54, 5))
	// A part of a larger matrix, so that rows do not follow one another in memory.
	y := whole.Slice(1, 5, 2, 9).(*mat.Dense)
	rows, columns := []int{3, 0, 0}, []int{6, 1, 4, 1}
	a, b := Columns(Rows(y, rows), columns), Rows(Columns(y, columns), rows)
	for i, from := range rows {
		for k, column := range columns {
			if want := y.At(from, column); a.At(i, k) != want || b.At(i, k) != want {
				t.Errorf("entry (%d, %d): got %g and %g, want %g", i, k, a.At(i, k), b.At(i, k), want)
			}
		}
	}
	before := slices.Clone(whole.RawMatrix().Data)
	Rows(y, rows).Set(0, 0, 99)
	Columns(y, columns).Set(0, 0, 99)
	if !slices.Equal(before, whole.RawMatrix().Data) {
		t.Error("the copy shares memory with the original")
	}
}

func TestPlacesAreListedSortedAndPicked(t *testing.T) {
	if got := Span(2, 5); !slices.Equal(got, []int{2, 3, 4}) || len(Span(3, 3)) != 0 {
		t.Errorf("got %v", got)
	}
	x := []float64{2, 1, 2, 0}
	if got := Sorted(len(x), func(a, b int) int { return int(x[b] - x[a]) }); !slices.Equal(got, []int{0, 2, 1, 3}) {
		t.Errorf("got %v: equals must keep their order", got)
	}
	if got := Where(x, func(k int, v float64) bool { return v > 1 || k == 3 }); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("got %v", got)
	}
}

func TestInverseUndoesAnOrder(t *testing.T) {
	order := []int{2, 0, 3, 1}
	if got := Inverse(order); !slices.Equal(got, []int{1, 3, 0, 2}) || !slices.Equal(Inverse(got), order) {
		t.Errorf("got %v", got)
	}
}

func TestEqualValuesShareTheMeanOfTheirRanks(t *testing.T) {
	got := Ranks([]float64{5, math.NaN(), -1, 5, 7, 5})
	for k, want := range []float64{2, math.NaN(), 0, 2, 4, 2} {
		if got[k] != want && !(math.IsNaN(got[k]) && math.IsNaN(want)) {
			t.Errorf("rank of value %d: got %g, want %g", k, got[k], want)
		}
	}
}
