package dictionary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// Kernels returns the kernels that the dictionary is made of.
func (e *Spectral) Kernels() []kernel.Kernel { return slices.Clone(e.kernels) }

// SetKernels replaces the kernels by as many others. The weights stay.
func (e *Spectral) SetKernels(kernels []kernel.Kernel) {
	e.kernels = slices.Clone(kernels)
	e.hasRhat = false
	for s, k := range kernels {
		e.response[s] = evaluate(e.response[s][:0], k, e.eig.Values)
	}
	if e.missing != nil {
		e.missing.at(e)
	}
}

// ScaleGradient writes the derivatives of f = Σ_m weight_m ‖r_m‖² by the scales
// of the kernels into grad, zero for a kernel without scale:
//
//	∂f/∂τ_s = 2 Σ_m weight_m r̂_mᵀ(∂p_s/∂τ_s(λ) ∘ VᵀX_sm),
//
// for the code of the last Fit or Refit, nil weights being ones. After Refit it
// is also the derivative with the coefficients eliminated.
func (e *Spectral) ScaleGradient(grad []float64, x *sparse.Code, weight []float64) {
	sum := make([]float64, e.n) // Σ_m weight_m r̂_m ∘ VᵀX_sm
	terms := make([]float64, e.n)
	xhat := make([]float64, e.n)
	rhat := e.rhat(x)
	for s, k := range e.kernels {
		grad[s] = 0
		if k.Family() == "" {
			continue
		}
		clear(sum)
		for m := range e.m {
			if e.share(xhat, x, m, s) {
				floats.MulTo(terms, xhat, linalg.Row(rhat, m))
				linalg.Axpy(weightOf(weight, m), terms, sum)
			}
		}
		for a, l := range e.eig.Values {
			grad[s] += 2 * k.ScaleDerivative(l) * sum[a]
		}
	}
}

// share sets xhat = VᵀX_sm, the share of kernel s in the code of signal m in the
// eigenbasis, and reports whether there is any.
func (e *Spectral) share(xhat []float64, x *sparse.Code, m, s int) bool {
	clear(xhat)
	used := false
	atom, coef := x.Column(m)
	for k, a := range atom {
		if int(a)/e.n == s {
			used = true
			linalg.Axpy(coef[k], linalg.Row(e.eig.Vectors, int(a)%e.n), xhat)
		}
	}
	return used
}

// normalBlock is how many signals are summed up at a time, so that the order of
// the sums does not depend on the number of threads.
const normalBlock = 32

// KernelNormalEquations describes f = Σ_m weight_m ‖r_m‖², nil weights being ones, near
// the current kernels, for the code of the last Fit or Refit: if p_s moves by
// Σ_k θ_sk·directions[s][k], given at the eigenvalues, then
//
//	f(θ) = f(0) + 2 gradᵀθ + θᵀ·hess·θ.
//
// Parameters are numbered kernel by kernel; hess is a square matrix by rows.
//
// This is exact while the code stays as it is. With eliminate, which is for after
// Refit, the coefficients follow the kernels by least squares: grad is then still
// exact and hess that of Gauss and Newton (variable projection, [golub1973], with
// the second term of the Jacobian left out).
func (e *Spectral) KernelNormalEquations(hess, grad []float64, directions [][][]float64, x *sparse.Code, weight []float64, eliminate bool) {
	size := len(grad)
	blocks := (e.m + normalBlock - 1) / normalBlock
	partial := make([]linalg.Dense, blocks) // of hess, and grad as a last row
	rhat := e.rhat(x)
	linalg.ForEach(int(e.threads), blocks, func(worker, b int) {
		partial[b] = linalg.NewDense(size+1, size)
		j, xhat := linalg.NewDense(size+1, e.n), make([]float64, e.n)
		rows := j
		rows.Rows = size
		for m := b * normalBlock; m < min((b+1)*normalBlock, e.m); m++ {
			root := math.Sqrt(weightOf(weight, m))
			var basis [][]float64
			if atom, _ := x.Column(m); eliminate {
				basis = e.supportBasis(atom, m)
			}
			e.kernelJacobian(rows, xhat, directions, basis, x, m, root)
			residual := linalg.Row(j, size)
			if copy(residual, linalg.Row(rhat, m)); e.missing != nil {
				e.missing.residual(e, &e.scratch[worker], residual, x, m, false)
			}
			floats.Scale(root, residual)
			linalg.Threads(1).AddMulTransB(partial[b], j, rows)
		}
	})
	clear(hess)
	clear(grad)
	for _, p := range partial {
		floats.Add(hess, p.Data[:size*size])
		floats.Add(grad, p.Data[size*size:])
	}
}

// kernelJacobian fills the rows of j with root times the derivatives of the
// residual of signal m, in the eigenbasis or, if entries are missing, vertex by
// vertex, by the parameters, without what is in the basis.
func (e *Spectral) kernelJacobian(
	j linalg.Dense, xhat []float64, directions [][][]float64, basis [][]float64, x *sparse.Code, m int, root float64,
) {
	row := 0
	for s, along := range directions {
		used := e.share(xhat, x, m, s)
		for _, d := range along {
			to := linalg.Row(j, row)
			row++
			clear(to)
			if !used {
				continue
			}
			floats.MulTo(to, d, xhat)
			if e.missing != nil {
				e.missing.project(to, e.eig.Vectors, m)
			}
			for _, b := range basis {
				linalg.Axpy(-linalg.Dot(to, b), b, to)
			}
			floats.Scale(root, to)
		}
	}
}

// weightOf returns the weight of signal m, 1 if there are none.
func weightOf(weight []float64, m int) float64 {
	if weight == nil {
		return 1
	}
	return weight[m]
}
