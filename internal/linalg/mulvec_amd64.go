//go:build !noasm && !safe && !gccgo

package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// mulVec sets y = a·x.
func mulVec(y []float64, a Dense, x []float64) {
	if len(y) == 0 {
		return
	}
	blas64.Gemv(blas.NoTrans, 1, a, blas64.Vector{N: len(x), Inc: 1, Data: x}, 0, blas64.Vector{N: len(y), Inc: 1, Data: y})
}
