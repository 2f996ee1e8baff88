package checks

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// Chain draws a Gaussian field on a chain: each vertex is the one before it and
// something of its own.
func Chain(seed uint64, vertices, signals int) *mat.Dense {
	draw := rng.Stream(seed, "chain")
	y := mat.NewDense(vertices, signals, nil)
	for s := range signals {
		value := 0.0
		for i := range vertices {
			value = 0.8*value + draw.NormFloat64()
			y.Set(i, s, value)
		}
	}
	return y
}
