package baseline

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
)

// mostForRadius is the size of a companion matrix up to which its powers are taken.
const mostForRadius = 1500

// spectralRadius returns the largest absolute eigenvalue of the companion matrix of a
// process with the given coefficients: below 1 it is stationary. It is the limit of
// ‖C^k‖^(1/k), here with k = 2^20; NaN if the matrix is too large.
func spectralRadius(lags []*mat.Dense, threads int) float64 {
	n, _ := lags[0].Dims()
	size := n * len(lags)
	if size > mostForRadius {
		return math.NaN()
	}
	c := linalg.NewDense(size, size)
	for a, r := range lags {
		for i := range n {
			copy(linalg.Row(c, i)[a*n:], r.RawRowView(i))
		}
	}
	for i := n; i < size; i++ {
		linalg.Row(c, i)[i-n] = 1
	}
	logarithm, share := 0.0, 1.0 // of the norm of the power, over that of c and its exponent
	next := linalg.NewDense(size, size)
	for range 21 {
		norm := floats.Norm(c.Data, 2)
		if norm == 0 {
			return 0
		}
		floats.Scale(1/norm, c.Data)
		logarithm += share * math.Log(norm)
		share /= 2
		linalg.Threads(threads).Mul(next, c, c)
		c, next = next, c
	}
	return portable.Exp(logarithm)
}
