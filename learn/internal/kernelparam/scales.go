package kernelparam

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/kernel"
)

// Scales are the logarithms of the scales of the kernels that have one.
type Scales struct{}

// What scales are kept between: beyond these a kernel on [0, 2] is all but
// constant, or all but a peak at zero.
const LeastScale, MostScale = 1e-3, 1e3

// longestStep is how far the logarithm of a scale may move at a time.
const longestStep = math.Ln2

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

func (Scales) UpdatedInTurns() bool { return false }

// FinalForm leaves kernels in their families and in the order given.
func (Scales) FinalForm(kernels []kernel.Kernel) ([]kernel.Kernel, []int, error) {
	return kernels, nil, nil
}
