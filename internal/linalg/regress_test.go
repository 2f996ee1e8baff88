package linalg

import (
	"math"
	"testing"
)

// The coefficients leave nothing that the others go along with, and cover what they explain.
func TestRegressionsLeaveNothingThatOthersGoAlongWith(t *testing.T) {
	moments := Dense{Rows: 4, Cols: 4, Stride: 4, Data: []float64{2, 0.3, 0.5, 0.4, 0.3, 1, 0.2, 0.1, 0.5, 0.2, 3, 0.6, 0.4, 0.1, 0.6, 1}}
	var s SmallSolver
	const own = 2
	on := []int{0, 3}
	beta, covered := s.Regress(moments, own, on, nil)
	want := 0.0
	for p, i := range on {
		left := Row(moments, own)[i]
		for q, j := range on {
			left -= beta[q] * Row(moments, i)[j]
		}
		if math.Abs(left) > 1e-12 {
			t.Errorf("%g is left of the moment with row %d", left, i)
		}
		want += beta[p] * Row(moments, own)[i]
	}
	if math.Abs(covered-want) > 1e-12 {
		t.Errorf("covered %g, want %g", covered, want)
	}
	if _, covered := s.Regress(moments, own, []int{1, 1}, beta); covered < math.Inf(1) {
		t.Errorf("a row twice covers %g", covered)
	}
}
