package learn

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
)

// kernelParameters are what of the kernels is free to move.
type kernelParameters interface {
	// directions lists, for each kernel, the derivatives of its values at the
	// eigenvalues by its parameters.
	directions(kernels []kernel.Kernel, lambda []float64) [][][]float64
	// step returns the kernels that minimise gradᵀθ + ½θᵀ·hess·θ, θ being how far
	// the parameters move.
	step(kernels []kernel.Kernel, hess *mat.SymDense, grad []float64) ([]kernel.Kernel, error)
	// updatedInTurns says whether a polish moves these kernels in turns with the weights,
	// and never to an exact fit. Others move together with them, by their scales.
	updatedInTurns() bool
	// finalForm returns the kernels in the form in which they are returned, and the
	// place that each has there; a nil place means the same.
	finalForm(kernels []kernel.Kernel) (final []kernel.Kernel, place []int, err error)
}

// countDirections counts the parameters.
func countDirections(directions [][][]float64) int {
	count := 0
	for _, along := range directions {
		count += len(along)
	}
	return count
}
