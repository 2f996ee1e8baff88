package learn

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/kernel"
)

// A kernelWay says what of the kernels is free.
type kernelWay interface {
	// directions lists, for each kernel, the derivatives of its values at the
	// eigenvalues by its parameters.
	directions(kernels []kernel.Kernel, lambda []float64) [][][]float64
	// propose returns the kernels that minimise gradᵀθ + ½θᵀ·hess·θ, θ being
	// how far the parameters move.
	propose(kernels []kernel.Kernel, hess *mat.SymDense, grad []float64) ([]kernel.Kernel, error)
	// settle puts the kernels of a fit into the form in which they are returned.
	settle(f *kernelFit) error
}

const (
	firstDamping = 1e-3
	leastDamping = 1e-9
	mostDamping  = 1e6
)

// descend takes damped Gauss–Newton steps of the kernels on the robust loss with
// the coefficients eliminated, supports as they are (Levenberg and Marquardt,
// [marquardt1963]). It returns the loss, which never rises.
func (f *kernelFit) descend(ctx context.Context, steps int) float64 {
	f.engine.Refit(f.code)
	loss := f.robustLoss()
	for range steps {
		directions := f.way.directions(f.kernels, f.lambda)
		size := 0
		for _, d := range directions {
			size += len(d)
		}
		hess, grad := make([]float64, size*size), make([]float64, size)
		f.dense.KernelNormalEquations(hess, grad, directions, f.code, f.weight, true)
		next, ok := f.damped(ctx, hess, grad, loss)
		if !ok {
			break
		}
		gained := loss - next
		loss = next
		if gained <= 1e-6*loss {
			break
		}
	}
	return loss
}

// damped raises the damping until a step lowers the loss, and returns the new
// loss; false if no step does.
func (f *kernelFit) damped(ctx context.Context, hess, grad []float64, loss float64) (float64, bool) {
	before := slices.Clone(f.kernels)
	for ; f.damping <= mostDamping && ctx.Err() == nil; f.damping *= 8 {
		kernels, err := f.way.propose(before, damp(hess, len(grad), f.damping), grad)
		if err != nil {
			continue
		}
		f.setKernels(kernels)
		f.engine.Refit(f.code)
		if next := f.robustLoss(); next < loss {
			f.damping = max(f.damping/8, leastDamping)
			return next, true
		}
	}
	f.setKernels(before)
	f.engine.Refit(f.code)
	f.robustLoss()
	f.damping = firstDamping
	return loss, false
}

// damp returns hess with its diagonal raised by the given share of its mean, so
// that directions which the codes can undo do not move.
func damp(hess []float64, n int, damping float64) *mat.SymDense {
	h := mat.NewSymDense(n, slices.Clone(hess))
	more := damping*mat.Trace(h)/float64(n) + math.SmallestNonzeroFloat64
	for i := range n {
		h.SetSym(i, i, h.At(i, i)+more)
	}
	return h
}
