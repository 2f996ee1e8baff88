package dense

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/kernelparam"
	"github.com/nervure/nervure/learn/internal/optimise"
)

// Scales of kernels that move together with the weights.

// logUnit is the unit of the logarithm of a scale beside weights of mean degree 1,
// so that neither outruns the other while nothing is known of the curvature.
const logUnit = 0.05

// jointWithScales returns the weights w and after them the scales of the kernels as
// variables, and the loss as their objective. A variable of a scale τ is
// log(τ/leastScale)·logUnit.
func jointWithScales(loss *fitting.TrimmedLoss[*fitting.DenseEngine], w []float64) ([]float64, optimise.Objective) {
	e := loss.Engine
	variables := slices.Clone(w)
	for _, k := range e.Kernels() {
		if k.Family() != "" {
			variables = append(variables, logUnit*math.Log(k.Scale()/kernelparam.LeastScale))
		}
	}
	return variables, func(x, grad []float64) float64 {
		if !scaleTo(e, x[len(w):]) {
			return math.Inf(1)
		}
		value := loss.Evaluate(x[:len(w)], grad[:len(w)])
		kernels := e.Kernels()
		byScale := make([]float64, len(kernels))
		e.ScaleGradient(byScale, loss.Code, loss.Weight)
		at := len(w)
		for s, k := range kernels {
			if k.Family() != "" {
				grad[at] = byScale[s] * k.Scale() / logUnit
				at++
			}
		}
		return value
	}
}

// scaleTo sets the scales of the kernels to what the variables say; false if one
// is out of range.
func scaleTo(e *fitting.DenseEngine, x []float64) bool {
	kernels := e.Kernels()
	for s, k := range kernels {
		if k.Family() == "" {
			continue
		}
		moved, err := k.WithScale(min(kernelparam.LeastScale*portable.Exp(x[0]/logUnit), kernelparam.MostScale))
		if err != nil {
			return false
		}
		kernels[s], x = moved, x[1:]
	}
	e.SetKernels(kernels)
	return true
}
