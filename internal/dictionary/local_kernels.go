package dictionary

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// Kernels returns the kernels there are.
func (e *Local) Kernels() []kernel.Kernel { return slices.Clone(e.kernels) }

// SetKernels replaces the kernels by as many others that do not reach much farther:
// weights and neighbourhoods stay.
func (e *Local) SetKernels(kernels []kernel.Kernel) {
	e.kernels, e.whole = slices.Clone(kernels), paddedSeries(kernels)
	e.SetPrecision(e.tolerance, e.most)
	if e.at.start != nil {
		e.evaluate()
	}
}

// scaleStep is the step in the logarithm of a scale over which differences are taken.
const scaleStep = 1e-4

// ScaleNormalEquations describes f = Σ_m weight_m ‖r_m‖² near the current kernels, for
// the code of the last Refit: if the logarithms of the scales of those that have one
// move by θ, and the coefficients follow, f is about f(0) + 2 gradᵀθ + θᵀ·hess·θ; see
// [Spectral.KernelNormalEquations].
func (e *Local) ScaleNormalEquations(x *sparse.Code, weight []float64) (hess, grad []float64) {
	var scaled []int // kernels
	moves := map[int][]float64{}
	for s, k := range e.kernels {
		if k.Family() == "" {
			continue
		}
		change := make([]float64, len(e.series[s]))
		for _, sign := range []float64{1, -1} {
			moved, err := k.WithScale(k.Scale() * portable.Exp(sign*scaleStep))
			if err != nil {
				continue // at the end of the scales that there are
			}
			floats.AddScaled(change, sign/(2*scaleStep), moved.Series()[:len(change)])
		}
		scaled = append(scaled, s)
		moves[s] = e.atomsOf(change)
	}
	size := len(scaled)
	residuals := e.residuals(x)
	blocks := (e.m + normalBlock - 1) / normalBlock
	partial := make([][]float64, blocks) // of hess, and grad as a last row
	linalg.ForEach(e.threads, blocks, func(worker, b int) {
		partial[b] = make([]float64, (size+1)*size)
		v, left := linalg.NewDense(size, e.n), linalg.NewDense(size, e.n)
		for m := b * normalBlock; m < min((b+1)*normalBlock, e.m); m++ {
			atom, coef := x.Column(m)
			for p, s := range scaled {
				row := linalg.Row(v, p)
				clear(row)
				for q, j := range atom {
					if int(j)/e.n == s {
						lo, hi := e.at.start[int(j)%e.n], e.at.start[int(j)%e.n+1]
						for k, i := range e.at.member[lo:hi] {
							row[i] += coef[q] * moves[s][lo+k]
						}
					}
				}
				e.workers[worker].project(e, atom, row, linalg.Row(left, p)) // with the other sign, which hess does not see
			}
			for p := range size {
				for q := range size {
					partial[b][p*size+q] += weightOf(weight, m) * linalg.Dot(linalg.Row(left, p), linalg.Row(left, q))
				}
				partial[b][size*size+p] += weightOf(weight, m) * linalg.Dot(linalg.Row(v, p), linalg.Row(residuals, m))
			}
		}
	})
	sum := make([]float64, (size+1)*size)
	for _, p := range partial {
		floats.Add(sum, p)
	}
	return sum[:size*size], sum[size*size:]
}

// atomsOf returns the atoms of a kernel with the given series, on the neighbourhoods.
func (e *Local) atomsOf(series []float64) []float64 {
	values := make([]float64, len(e.at.member))
	linalg.ForEach(e.threads, e.n, func(worker, u int) {
		t := &e.workers[worker]
		size := t.load(e, u)
		own := values[e.at.start[u] : e.at.start[u]+size]
		t.forward(e, u, size, func(k int, term []float64) { floats.AddScaled(own, series[k], term) })
	})
	return values
}
