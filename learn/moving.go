package learn

import (
	"math"
	"slices"

	"github.com/nervure/nervure/kernel"
)

// Kernels that are learned with the graph: after every step of the weights, some
// of the kernels, by what way leaves free of them.

// moveKernels takes so many steps of the kernels and returns the robust loss.
func (r *run) moveKernels(steps int) float64 {
	f := &kernelFit{fitter: r.fitter, dense: r.dense, way: r.way, lambda: r.dense.Eigenvalues(), damping: max(r.damping, leastDamping)}
	loss := f.descend(r.ctx, steps)
	r.damping = f.damping
	return loss
}

// setKernels replaces the kernels, if they are free.
func (r *run) setKernels(kernels []kernel.Kernel) {
	if r.way == nil || slices.EqualFunc(r.kernels, kernels, func(a, b kernel.Kernel) bool { return slices.Equal(a.Series(), b.Series()) }) {
		return
	}
	r.kernels = kernels
	r.dense.SetKernels(kernels)
}

// logUnit is the unit of the logarithm of a scale beside weights of mean degree 1,
// so that neither outruns the other while nothing is known of the curvature.
const logUnit = 0.05

// freed returns the variables of a polish, the weights w and after them the
// scales of the kernels if these are free, and what evaluates the trimmed loss
// and its gradient there. A variable of a scale τ is log(τ/leastScale)·logUnit.
func (r *run) freed(w []float64) ([]float64, func(x, grad []float64) float64) {
	if _, ok := r.way.(scaleWay); !ok {
		return w, r.trimmed
	}
	x := slices.Clone(w)
	for _, k := range r.kernels {
		if k.Family() != "" {
			x = append(x, logUnit*math.Log(k.Scale()/leastScale))
		}
	}
	return x, func(x, grad []float64) float64 {
		if !r.scaleTo(x[len(w):]) {
			return math.Inf(1)
		}
		value := r.trimmed(x[:len(w)], grad[:len(w)])
		byScale := make([]float64, len(r.kernels))
		r.dense.ScaleGradient(byScale, r.code, r.weight)
		at := len(w)
		for s, k := range r.kernels {
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
func (r *run) scaleTo(x []float64) bool {
	kernels := slices.Clone(r.kernels)
	for s, k := range kernels {
		if k.Family() == "" {
			continue
		}
		moved, err := k.WithScale(min(leastScale*math.Exp(x[0]/logUnit), mostScale))
		if err != nil {
			return false
		}
		kernels[s], x = moved, x[1:]
	}
	r.kernels = kernels
	r.dense.SetKernels(kernels)
	return true
}

// scaleDirections returns how the kernels move with their free scales, nil if
// they do not move; false if more of them is free, which nothing can prove.
func (r *run) scaleDirections() ([][][]float64, bool) {
	switch way := r.way.(type) {
	case nil:
		return nil, true
	case scaleWay:
		return way.directions(r.kernels, r.dense.Eigenvalues()), true
	}
	return nil, false
}

// parameters counts the directions.
func parameters(directions [][][]float64) int {
	count := 0
	for _, along := range directions {
		count += len(along)
	}
	return count
}
