package linalg

import (
	"math"
	"testing"
)

func TestMomentsOfANeighbourhood(t *testing.T) {
	x := Dense{Rows: 3, Cols: 2, Stride: 2, Data: []float64{1, 2, 3, 4, 5, 6}}
	var near Neighbourhood
	for _, rows := range [][]int{{2, 0, 1}, {1}, {}, {0, 2}} {
		got := near.Moments(x, rows)
		all := Threads(1).Moments(x)
		for p, i := range rows {
			for q, j := range rows {
				want := (x.Data[2*i]*x.Data[2*j] + x.Data[2*i+1]*x.Data[2*j+1]) / 2
				if math.Abs(Row(got, p)[q]-want) > 1e-12 || math.Abs(Row(all, i)[j]-want) > 1e-12 {
					t.Errorf("rows %d and %d of %v: got %g and, of all, %g, want %g", i, j, rows, Row(got, p)[q], Row(all, i)[j], want)
				}
			}
		}
	}
}

// What a regression leaves is orthogonal to the others, and its share is what is not explained.
func TestRegressionLeavesWhatIsOrthogonal(t *testing.T) {
	x := Dense{Rows: 3, Cols: 4, Stride: 4, Data: []float64{1, 2, 3, 5, -1, 0, 2, 1, 2, 2, -1, 4}}
	var r Regression
	beta, explained := r.Solve(x, 1, []int{2, 0}, 0)
	left := append([]float64(nil), Row(x, 1)...)
	Axpy(-beta[0], Row(x, 2), left)
	Axpy(-beta[1], Row(x, 0), left)
	if a, b := Dot(left, Row(x, 0)), Dot(left, Row(x, 2)); math.Abs(a)+math.Abs(b) > 1e-12 {
		t.Errorf("the products with the others are %g and %g", a, b)
	}
	if want := (Dot(Row(x, 1), Row(x, 1)) - Dot(left, left)) / 4; math.Abs(explained-want) > 1e-12 {
		t.Errorf("got %g explained, want %g", explained, want)
	}
}
