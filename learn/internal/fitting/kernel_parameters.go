package fitting

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
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

// degree is the degree of the kernels that are tried.
const degree = 15

// Heat returns low-pass kernels of the given scales.
func Heat(scales ...float64) []kernel.Kernel {
	var kernels []kernel.Kernel
	for _, scale := range scales {
		k, err := kernel.Heat(scale, degree, kernel.Chebyshev)
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// Families returns that many kernels to begin with, from low-pass to high-pass.
func Families(count int) []kernel.Kernel {
	var list []kernel.Kernel
	for s := range count {
		var k kernel.Kernel
		var err error
		switch s {
		case 0:
			k, err = kernel.Heat(1, degree, kernel.Chebyshev)
		case 1:
			k, err = kernel.HighPass(2, degree, kernel.Chebyshev)
		default:
			k, err = kernel.Wavelet(float64(s-1), degree)
		}
		if err != nil {
			panic(err) // fixed numbers: a bug of ours
		}
		list = append(list, k)
	}
	return list
}

// Scales are the logarithms of the scales of the kernels that have one.
type Scales struct{}

// Scales are kept between LeastScale and MostScale: beyond these a kernel on [0, 2] is all
// but constant, or all but a peak at zero.
const (
	LeastScale = 1e-3
	MostScale  = 1e3
)

// longestStep is how far the logarithm of a scale may move at a time.
const longestStep = math.Ln2

// Directions implements [Parameters].
func (Scales) Directions(kernels []kernel.Kernel, lambda []float64) [][][]float64 {
	directions := make([][][]float64, len(kernels))
	for s, k := range kernels {
		if k.Family() == "" {
			continue
		}
		d := make([]float64, len(lambda))
		for a, l := range lambda {
			d[a] = k.Scale() * k.ScaleDerivative(l)
		}
		directions[s] = [][]float64{d}
	}
	return directions
}

// Step implements [Parameters].
func (Scales) Step(kernels []kernel.Kernel, hess *mat.SymDense, grad []float64) ([]kernel.Kernel, error) {
	var chol mat.Cholesky
	if !chol.Factorize(hess) {
		return nil, errors.New("the normal equations of the scales are singular")
	}
	var move mat.VecDense
	if err := chol.SolveVecTo(&move, mat.NewVecDense(len(grad), grad)); err != nil {
		return nil, err
	}
	moved := slices.Clone(kernels)
	at := 0
	for s, k := range kernels {
		if k.Family() == "" {
			continue
		}
		by := max(-longestStep, min(longestStep, -move.AtVec(at)))
		at++
		var err error
		if moved[s], err = k.WithScale(max(LeastScale, min(MostScale, k.Scale()*portable.Exp(by)))); err != nil {
			return nil, err
		}
	}
	return moved, nil
}

// UpdatedInTurns implements [Parameters].
func (Scales) UpdatedInTurns() bool { return false }

// FinalForm leaves kernels in their families and in the order given.
func (Scales) FinalForm(kernels []kernel.Kernel) ([]kernel.Kernel, []int, error) {
	return kernels, nil, nil
}
