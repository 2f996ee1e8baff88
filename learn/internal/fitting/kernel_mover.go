package fitting

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// A KernelMover takes damped Gauss–Newton steps of the kernels of a fit
// (Levenberg and Marquardt, [marquardt1963]), with supports as they are and the
// coefficients eliminated.
type KernelMover[E kernelEngine] struct {
	fit     *Fit[E]
	Free    Parameters
	damping float64 // with which to begin, from what the last step needed
}

// DenseKernelMover moves the kernels of graphs that are not large.
type DenseKernelMover = KernelMover[*DenseEngine]

// A kernelEngine has kernels that can move.
type kernelEngine interface {
	Engine
	Kernels() []kernel.Kernel
	SetKernels(kernels []kernel.Kernel)
	// kernelEquations describes Σ_m weight_m ‖r_m‖² near the kernels by their
	// parameters; see dictionary.Spectral.KernelNormalEquations.
	kernelEquations(free Parameters, code *sparse.Code, weight []float64) (hess, grad []float64)
}

const (
	firstDamping = 1e-3
	leastDamping = 1e-9
	mostDamping  = 1e6
	// KernelSteps is how many steps follow each coding.
	KernelSteps = 4
)

// NewKernelMover returns what moves the parameters free of the kernels of f.
func NewKernelMover[E kernelEngine](f *Fit[E], free Parameters) *KernelMover[E] {
	return &KernelMover[E]{f, free, firstDamping}
}

// Minimise takes steps where the engine is. It returns the loss, which never
// rises, and the residuals.
func (u *KernelMover[E]) Minimise(ctx context.Context, loss *RobustLoss[E], steps int) (float64, Residuals) {
	e := u.fit.Engine
	residuals := u.fit.Refit()
	value := loss.Of(residuals)
	for range steps {
		hess, grad := e.kernelEquations(u.Free, u.fit.Code, loss.Weight)
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
func (u *KernelMover[E]) step(ctx context.Context, loss *RobustLoss[E], hess, grad []float64, value float64) (float64, Residuals, bool) {
	before := u.fit.Engine.Kernels()
	for ; u.damping <= mostDamping && run.Ended(ctx) == nil; u.damping *= 8 {
		kernels, err := u.Free.Step(before, damp(hess, len(grad), u.damping), grad)
		if err != nil {
			continue
		}
		u.fit.Engine.SetKernels(kernels)
		residuals := u.fit.Refit()
		if next := loss.Of(residuals); next < value {
			u.damping = max(u.damping/8, leastDamping)
			return next, residuals, true
		}
	}
	u.fit.Engine.SetKernels(before)
	u.damping = firstDamping
	residuals := u.fit.Refit()
	loss.Of(residuals)
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

// Finalise puts the kernels, and the codes with them, into the form in which they
// are returned, where the engine is. It returns the residuals.
func (u *KernelMover[E]) Finalise() (Residuals, error) {
	kernels, place, err := u.Free.FinalForm(u.fit.Engine.Kernels())
	if err != nil {
		return nil, err
	}
	if place != nil {
		u.fit.Code = reordered(u.fit.Code, u.fit.N, place)
	}
	u.fit.Engine.SetKernels(kernels)
	return u.fit.Refit(), nil
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

// Code codes the kernels, and how far they may move, so that a run can go on after its
// process has died. Nil is for kernels that stay.
func (u *KernelMover[E]) Code(c *checkpoint.Coder) {
	if u == nil {
		return
	}
	kernels := u.fit.Engine.Kernels()
	if c.All(&kernels, &u.damping); c.Reading() {
		u.fit.Engine.SetKernels(kernels)
	}
}
