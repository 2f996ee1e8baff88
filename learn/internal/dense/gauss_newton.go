package dense

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/learn/internal/fitting"
)

const (
	// gaussNewtonFrom is the trimmed loss below which most supports are right, so
	// that the clearest signals can be told.
	gaussNewtonFrom = 1e-5
	// gaussNewtonFactor is how many times the numbers that weights can absorb the
	// clearest signals bring.
	gaussNewtonFactor = 5
)

// gaussNewton makes the loss one of few signals, which determine the weights as
// well as all do once supports are right, and returns what divides a direction by
// its second derivatives at w: near an exact fit they are 2JᵀJ, and with them a
// few steps do what takes a hundred without. If the signals do not determine
// the weights, it changes nothing and returns nil.
func (a *attempt) gaussNewton(g *graph.Graph, w []float64, loss *fitting.TrimmedLoss[*fitting.DenseEngine]) func(dir []float64) {
	signals := clearest(loss, 8+gaussNewtonFactor*len(w)/a.fit.SpareEntries())
	if len(signals) == 0 {
		return nil
	}
	directions, ok := a.kernelDirections()
	if !ok {
		return nil
	}
	size := len(w) + fitting.CountDirections(directions)
	info := make([]float64, size*size)
	a.fit.Engine.AddInformation(info, a.fit.Code, signals, directions)
	factor, ok := factorised(info, g, leastInformation)
	if !ok {
		return nil
	}
	loss.Concentrate(signals)
	// The information is about logarithms.
	at, x := slices.Clone(w), mat.NewVecDense(size, nil)
	for len(at) < size {
		at = append(at, logUnit)
	}
	return func(dir []float64) {
		for k, v := range dir {
			x.SetVec(k, v*at[k])
		}
		if factor.SolveVecTo(x, x) != nil {
			return // nearly singular: the direction stays as it is
		}
		for k := range dir {
			dir[k] = x.AtVec(k) * at[k] * float64(len(signals)) / 2
		}
	}
}

// clearest returns up to count signals, evenly from those that count in the loss
// and have no more than the median residual.
func clearest(loss *fitting.TrimmedLoss[*fitting.DenseEngine], count int) []int {
	sorted := slices.Sorted(slices.Values(loss.Residuals))
	median := sorted[len(sorted)/2]
	half := matrix.Where(loss.Residuals, func(m int, v float64) bool {
		return v <= median && loss.Weight[m] > 0 && loss.Engine.SignalEnergy(m) > 0
	})
	if len(half) <= count {
		return half
	}
	some := make([]int, count)
	for k := range some {
		some[k] = half[k*len(half)/count]
	}
	return some
}

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
			variables = append(variables, logUnit*math.Log(k.Scale()/fitting.LeastScale))
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
		moved, err := k.WithScale(min(fitting.LeastScale*portable.Exp(x[0]/logUnit), fitting.MostScale))
		if err != nil {
			return false
		}
		kernels[s], x = moved, x[1:]
	}
	e.SetKernels(kernels)
	return true
}
