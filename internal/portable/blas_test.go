package portable

import (
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// On x86-64 the oracle is gonum's assembly.
func TestBLASRoundsAlikeOnAllProcessors(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("gonum has another order on other processors")
	}
	for n := range 20 {
		for _, inc := range [][2]int{{1, 1}, {1, 3}, {3, 1}, {2, 3}} {
			x, y := wild(3*n+1, uint64(n)), wild(3*n+1, uint64(n)+1000)
			if got, want := (ordered{}).Ddot(n, x, inc[0], y, inc[1]), (gonum.Implementation{}).Ddot(n, x, inc[0], y, inc[1]); got != want {
				t.Errorf("Ddot of %d, steps %v: %v in Go, %v in assembly", n, inc, got, want)
			}
			for m := range 9 {
				for _, beta := range []float64{0, 1, -0.7} {
					a, from := wild(9*22, uint64(m)), wild(3*9, uint64(m)+2000)
					got, want := slices.Clone(from), slices.Clone(from)
					(ordered{}).Dgemv(blas.NoTrans, m, n, 1.3, a, 22, x, inc[0], beta, got, inc[1])
					(gonum.Implementation{}).Dgemv(blas.NoTrans, m, n, 1.3, a, 22, x, inc[0], beta, want, inc[1])
					if !slices.Equal(got, want) {
						t.Errorf("Dgemv of %d×%d, steps %v, β = %g: %v in Go, %v in assembly", m, n, inc, beta, got, want)
					}
				}
			}
		}
	}
}
