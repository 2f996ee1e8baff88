package linalg

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/internal/rng"
)

// On x86-64, mulVec is assembly; elsewhere both are the same.
func TestProductsWithAVectorRoundAlikeOnAllProcessors(t *testing.T) {
	r := rng.Stream(1, "mulVec")
	for rows := 1; rows < 10; rows++ {
		for cols := 1; cols < 30; cols++ {
			a := Dense{Rows: rows, Cols: cols, Stride: cols + 2, Data: make([]float64, rows*(cols+2))}
			x := make([]float64, cols)
			for _, to := range [][]float64{a.Data, x} {
				for i := range to {
					to[i] = r.NormFloat64()
				}
			}
			got, want := make([]float64, rows), make([]float64, rows)
			mulVecGo(got, a, x)
			mulVec(want, a, x)
			if !slices.Equal(got, want) {
				t.Errorf("%d×%d: %v in Go, %v in assembly", rows, cols, got, want)
			}
		}
	}
}
