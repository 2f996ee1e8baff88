package linalg

import (
	"fmt"
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

func BenchmarkLogDet(b *testing.B) {
	for _, n := range []int{100, 300, 1000} {
		a, scratch := definite(n), NewDense(n, n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(scratch.Data, a.Data)
				Threads(1).LogDet(scratch)
			}
			b.ReportMetric(float64(n)*float64(n)*float64(n)/3*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFlop/s")
		})
		b.Run(fmt.Sprintf("n=%d/by=gonum", n), func(b *testing.B) {
			var chol mat.Cholesky
			for b.Loop() {
				chol.Factorize(mat.NewSymDense(n, a.Data))
			}
			b.ReportMetric(float64(n)*float64(n)*float64(n)/3*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFlop/s")
		})
	}
}
