//go:build !amd64 || noasm || safe || gccgo

package portable

import "gonum.org/v1/gonum/blas/blas64"

// Dot returns xᵀ·y of vectors of equal lengths.
func Dot(x, y []float64) float64 {
	if len(x) != len(y) {
		panic("portable.Dot: vectors of different lengths")
	}
	return dotGo(x, y)
}

// Sum returns x₀ + x₁ + ….
func Sum(x []float64) float64 { return sumGo(x) }

// OrderBLAS makes gonum sum in the order of x86-64 in this whole process. Programs call
// it; libraries leave the process to whom it belongs.
func OrderBLAS() { blas64.Use(ordered{}) }
