//go:build !amd64 || noasm || safe || gccgo

package linalg

// mulVec sets y = a·x.
func mulVec(y []float64, a Dense, x []float64) { mulVecGo(y, a, x) }
