package baseline

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Signals of a Gaussian with few edges in its precision matrix lead to those edges.
func TestStepwiseFindsThePrecisionMatrix(t *testing.T) {
	const n, signals = 15, 4000
	r := stream("precision")
	theta := mat.NewSymDense(n, nil)
	for i := range n {
		theta.SetSym(i, i, 1)
		for _, j := range []int{(i + 1) % n, (i + 4) % n} {
			theta.SetSym(i, j, 0.22*float64(1-2*r.IntN(2)))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(theta) {
		t.Fatal("the precision matrix is not positive definite")
	}
	var u mat.TriDense // Θ = UᵀU, so that U⁻¹ times noise has precision Θ
	chol.UTo(&u)
	noise := mat.NewDense(n, signals, nil)
	noise.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, noise)
	var y mat.Dense
	if err := y.Solve(&u, noise); err != nil {
		t.Fatal(err)
	}
	got := learned(t, GGM{}, &y)
	found := map[[2]int]float64{}
	for _, e := range got.Graph.Edges() {
		found[[2]int{e.I, e.J}] = e.Weight
	}
	eachPair(n, func(_, i, j int) {
		want, weight := math.Abs(theta.At(i, j)), found[[2]int{i, j}]
		if want > 0 && math.Abs(weight-want) > 0.1 {
			t.Errorf("edge %d–%d weighs %g, want about %g", i, j, weight, want)
		}
	})
	if extra := len(found) - 2*n; extra > 1 {
		t.Errorf("%d edges too many", extra)
	}
}
