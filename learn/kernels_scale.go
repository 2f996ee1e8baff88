package learn

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
)

// scaleWay moves the logarithms of the scales of the kernels that have one.
type scaleWay struct{}

// What scales are kept between: beyond these a kernel on [0, 2] is all but
// constant, or all but a peak at zero.
const leastScale, mostScale = 1e-3, 1e3

// longestStep is how far the logarithm of a scale may move at a time.
const longestStep = math.Ln2

func (scaleWay) directions(kernels []kernel.Kernel, lambda []float64) [][][]float64 {
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

func (scaleWay) propose(kernels []kernel.Kernel, hess *mat.SymDense, grad []float64) ([]kernel.Kernel, error) {
	var chol mat.Cholesky
	if !chol.Factorize(hess) {
		return nil, errors.New("learn: the normal equations of the scales are singular")
	}
	var step mat.VecDense
	if err := chol.SolveVecTo(&step, mat.NewVecDense(len(grad), grad)); err != nil {
		return nil, err
	}
	moved := slices.Clone(kernels)
	at := 0
	for s, k := range kernels {
		if k.Family() == "" {
			continue
		}
		by := max(-longestStep, min(longestStep, -step.AtVec(at)))
		at++
		var err error
		if moved[s], err = k.WithScale(max(leastScale, min(mostScale, k.Scale()*math.Exp(by)))); err != nil {
			return nil, err
		}
	}
	return moved, nil
}

// settle leaves kernels in their families and in the order given.
func (scaleWay) settle(*kernelFit) error { return nil }
