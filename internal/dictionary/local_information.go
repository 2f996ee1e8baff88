package dictionary

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
)

// Information estimates, for each pair, how much the signals say about its weight:
// Σ_m ‖∂r_m/∂w_e‖², with the coefficients eliminated, the diagonal of the
// Gauss–Newton matrix of f/2. White noise of variance σ² in the signals, but for the
// entries that are missing, moves half the derivative of f by a normal variable of
// variance σ² times that; so it is estimated from what noise that is drawn, that many
// times, does to the derivative. A weight of 0 leaves a signal out, nil weights being
// ones.
//
// x must be the code of the last Refit, whose residuals are lost.
func (e *Local) Information(dst []float64, x *sparse.Code, weight []float64, missing [][]int32, probes int, seed uint64) {
	clear(dst)
	grad := make([]float64, len(dst))
	r, _ := e.memory.take(e, e.m, e.n)
	e.hasR = false
	noise := make([][]float64, e.threads)
	for k := range probes {
		linalg.ForEach(e.threads, e.m, func(worker, m int) {
			if noise[worker] == nil {
				noise[worker] = make([]float64, e.n)
			}
			z := noise[worker]
			draw := rng.Stream(seed, "information", k, m)
			for i := range z {
				z[i] = draw.NormFloat64()
			}
			if missing != nil {
				for _, i := range missing[m] {
					z[i] = 0
				}
			}
			atom, _ := x.Column(m)
			e.workers[worker].project(e, atom, z, linalg.Row(r, m))
		})
		e.gradient(grad, x, r, weight)
		for q, g := range grad {
			dst[q] += g * g / 4
		}
	}
	floats.Scale(1/float64(probes), dst)
}

// project sets r to what the span of the atoms leaves of y, with the other sign.
func (t *localWorker) project(e *Local, atom []int32, y, r []float64) {
	coef := make([]float64, len(atom))
	if len(atom) > 0 {
		t.normalEquations(e, atom, coef, y)
		sparse.SolveNormalEquations(t.gram, coef)
	}
	t.residual(e, atom, coef, y, r)
}
