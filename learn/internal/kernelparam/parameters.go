// Package kernelparam says what of kernels can be learned: their scales, or all of a
// polynomial.
package kernelparam

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
)

// Parameters are what of the kernels is free to move.
type Parameters interface {
	// Directions lists, for each kernel, the derivatives of its values at the
	// eigenvalues by its parameters.
	Directions(kernels []kernel.Kernel, lambda []float64) [][][]float64
	// Step returns the kernels that minimise gradᵀθ + ½θᵀ·hess·θ, θ being how far
	// the parameters move.
	Step(kernels []kernel.Kernel, hess *mat.SymDense, grad []float64) ([]kernel.Kernel, error)
	// UpdatedInTurns reports whether a polish moves these kernels in turns with the weights,
	// and never to an exact fit. Others move together with them, by their scales.
	UpdatedInTurns() bool
	// FinalForm returns the kernels in the form in which they are returned, and the
	// place that each has there; a nil place means the same.
	FinalForm(kernels []kernel.Kernel) (final []kernel.Kernel, place []int, err error)
}

// CountDirections counts the parameters.
func CountDirections(directions [][][]float64) int {
	count := 0
	for _, along := range directions {
		count += len(along)
	}
	return count
}
