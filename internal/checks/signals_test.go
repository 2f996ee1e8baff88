package checks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// What is not explained by the past is white noise of variance 1. The signs of A are lost in
// the graph, so they are found again by least squares.
func TestCausalProcessesFollowTheirLaw(t *testing.T) {
	const n, count = 8, 4000
	for _, later := range []float64{0, 0.2} {
		y, g := Causal(1, n, 3, count, later)
		if g.EdgeCount() != 3*n || !g.Directed() {
			t.Errorf("%d arrows", g.EdgeCount())
		}
		past := mat.NewDense(2*n, count-2, nil)
		past.Stack(y.Slice(0, n, 1, count-1), y.Slice(0, n, 0, count-2))
		now := y.Slice(0, n, 2, count)
		var lags, told, rest mat.Dense
		if err := lags.Solve(past.T(), now.T()); err != nil {
			t.Fatal(err)
		}
		told.Mul(lags.T(), past)
		rest.Sub(now, &told)
		norm := mat.Norm(&rest, 2)
		// The mean of n·count squares of standard normal numbers is within 5·√(2/(n·count)) of 1.
		if v := norm * norm / (n * (count - 2 - 2*n)); math.Abs(v-1) > 5*math.Sqrt(2.0/(n*count)) {
			t.Errorf("later %g: the noise has variance %g", later, v)
		}
		// Coefficients are found to about 1/√count, and the second lag is later·A².
		a := mat.DenseCopyOf(lags.Slice(0, n, 0, n).T())
		for i := range n {
			for j := range n {
				want := 0.0
				if i != j && g.HasEdge(j, i) {
					want = g.Adjacency().At(j, i)
				}
				if math.Abs(math.Abs(a.At(i, j))-want) > 0.1 {
					t.Errorf("later %g: the coefficient from %d to %d is %g, want ±%g", later, j, i, a.At(i, j), want)
				}
			}
		}
		var second mat.Dense
		second.Mul(a, a)
		second.Scale(-later, &second)
		second.Add(&second, lags.Slice(n, 2*n, 0, n).T())
		if off := max(mat.Max(&second), -mat.Min(&second)); off > 0.1 {
			t.Errorf("later %g: the second lag is off by %g", later, off)
		}
	}
}
