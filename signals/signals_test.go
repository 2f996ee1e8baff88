package signals

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMissingEntriesAreFilledWithMeans(t *testing.T) {
	y := mat.NewDense(3, 3, []float64{1, nan, 3, nan, nan, nan, 4, 5, 6})
	filled, count, _ := FillMissing(t.Context(), y)
	if want := mat.NewDense(3, 3, []float64{1, 2, 3, 0, 0, 0, 4, 5, 6}); !mat.EqualApprox(filled, want, 1e-15) {
		t.Errorf("got %v", mat.Formatted(filled))
	}
	if count != 4 || Missing(y) != 4 || Missing(filled) != 0 {
		t.Errorf("%d filled, %d missing in the original, %d in the answer", count, Missing(y), Missing(filled))
	}
	if again, count, _ := FillMissing(t.Context(), filled); again != filled || count != 0 {
		t.Error("complete signals were copied")
	}
}

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

func TestDescribeRowsDescribesEachRow(t *testing.T) {
	y, _ := mixed()
	for i, r := range DescribeRows(y) {
		if !identical(r, Describe(y.RawRowView(i))) {
			t.Errorf("row %d: got %+v", i, r)
		}
	}
}
