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
