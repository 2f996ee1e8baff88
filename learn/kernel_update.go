package learn

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// A kernelMover takes damped Gauss–Newton steps of the kernels of a fit
// (Levenberg and Marquardt, [marquardt1963]), with supports as they are and the
// coefficients eliminated.
type kernelMover[E kernelEngine] struct {
	fit     *fit[E]
	free    kernelParameters
	damping float64 // with which to begin, from what the last step needed
}

// kernelUpdate moves the kernels of graphs that are not large.
type kernelUpdate = kernelMover[*denseEngine]

// A kernelEngine has kernels that can move.
type kernelEngine interface {
	engine
	Kernels() []kernel.Kernel
	SetKernels(kernels []kernel.Kernel)
	// kernelEquations describes Σ_m weight_m ‖r_m‖² near the kernels by their
	// parameters; see dictionary.Spectral.KernelNormalEquations.
	kernelEquations(free kernelParameters, code *sparse.Code, weight []float64) (hess, grad []float64)
}

const (
	firstDamping = 1e-3
	leastDamping = 1e-9
	mostDamping  = 1e6
	// kernelSteps is how many steps follow each coding.
	kernelSteps = 4
)

func newKernelUpdate[E kernelEngine](f *fit[E], free kernelParameters) *kernelMover[E] {
	return &kernelMover[E]{f, free, firstDamping}
}

// minimise takes steps where the engine is. It returns the loss, which never
// rises, and the residuals.
func (u *kernelMover[E]) minimise(ctx context.Context, loss *robustLoss[E], steps int) (float64, residualEnergies) {
	e := u.fit.engine
	residuals := u.fit.refit()
	value := loss.of(residuals)
	for range steps {
		hess, grad := e.kernelEquations(u.free, u.fit.code, loss.weight)
		before := value
		var moved bool
		if value, residuals, moved = u.step(ctx, loss, hess, grad, value); !moved || before-value <= 1e-6*value {
			break
		}
	}
	return value, residuals
}

// step raises the damping until a step lowers the loss, and returns the new loss
// and its residuals; false, with those there were, if no step does.
func (u *kernelMover[E]) step(ctx context.Context, loss *robustLoss[E], hess, grad []float64, value float64) (float64, residualEnergies, bool) {
	before := u.fit.engine.Kernels()
	for ; u.damping <= mostDamping && ctx.Err() == nil; u.damping *= 8 {
		kernels, err := u.free.step(before, damp(hess, len(grad), u.damping), grad)
		if err != nil {
			continue
		}
		u.fit.engine.SetKernels(kernels)
		residuals := u.fit.refit()
		if next := loss.of(residuals); next < value {
			u.damping = max(u.damping/8, leastDamping)
			return next, residuals, true
		}
	}
	u.fit.engine.SetKernels(before)
	u.damping = firstDamping
	residuals := u.fit.refit()
	loss.of(residuals)
	return value, residuals, false
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

// finalise puts the kernels, and the codes with them, into the form in which they
// are returned, where the engine is. It returns the residuals.
func (u *kernelMover[E]) finalise() (residualEnergies, error) {
	kernels, place, err := u.free.finalForm(u.fit.engine.Kernels())
	if err != nil {
		return nil, err
	}
	if place != nil {
		u.fit.code = reordered(u.fit.code, u.fit.n, place)
	}
	u.fit.engine.SetKernels(kernels)
	return u.fit.refit(), nil
}

// reordered returns the code with kernel s at place[s].
func reordered(x *sparse.Code, n int, place []int) *sparse.Code {
	atoms, signals := x.Dims()
	out := sparse.NewCode(atoms, signals, x.Sparsity())
	for m := range signals {
		atom, coef := x.Column(m)
		moved := make([]int32, len(atom))
		for q, j := range atom {
			moved[q] = int32(place[int(j)/n]*n + int(j)%n)
		}
		out.SetColumn(m, moved, coef)
	}
	return out
}

// code codes the kernels, and how far they may move.
func (u *kernelMover[E]) code(c *checkpoint.Coder) {
	kernels := u.fit.engine.Kernels()
	if codeKernels(c, &kernels); c.Reading() {
		u.fit.engine.SetKernels(kernels)
	}
	c.Float(&u.damping)
}
