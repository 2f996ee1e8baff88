package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// definite returns a random positive definite matrix.
func definite(n int) Dense {
	r := rng.Stream(1, "definite", n)
	x, a := NewDense(n, n+5), NewDense(n, n)
	for k := range x.Data {
		x.Data[k] = r.NormFloat64()
	}
	MulTransB(a, x, x)
	return a
}

func TestLogDetAgreesWithGonum(t *testing.T) {
	for _, n := range []int{1, 2, 7, 47, 48, 49, 96, 131} {
		a := definite(n)
		want := mat.DenseCopyOf(mat.NewDense(n, n, a.Data))
		var chol mat.Cholesky
		chol.Factorize(mat.NewSymDense(n, want.RawMatrix().Data))
		got, ok := Threads(1).LogDet(a)
		if !ok || math.Abs(got-chol.LogDet()) > 1e-10*float64(n) {
			t.Errorf("n = %d: got %g (%v), want %g", n, got, ok, chol.LogDet())
		}
		for i := range n { // L·Lᵀ = A
			for j := range i + 1 {
				if d := math.Abs(Dot(Row(a, i)[:j+1], Row(a, j)[:j+1]) - want.At(i, j)); d > 1e-9*float64(n) {
					t.Fatalf("n = %d: the factor misses entry (%d, %d) by %g", n, i, j, d)
				}
			}
		}
	}
}

func TestLogDetOfAnIndefiniteMatrix(t *testing.T) {
	for _, n := range []int{3, 60} {
		a := definite(n)
		a.Data[len(a.Data)-1] = -1
		if _, ok := Threads(1).LogDet(a); ok {
			t.Errorf("n = %d: an indefinite matrix is taken for a definite one", n)
		}
	}
}
