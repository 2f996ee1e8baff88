package dictionary

import (
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
)

// Impute replaces the given entries of each signal by their values in the fit of the
// last Fit or Refit, of the code x. Alternated with coding, it converges to a fit of the other
// entries alone: the residual over all entries is an upper bound on theirs that is
// tight at the current code (majorisation–minimisation).
func (e *Local) Impute(x *sparse.Code, missing [][]int32) {
	all := e.residuals(x)
	linalg.ForEach(e.threads, e.m, func(_, m int) {
		y, r := linalg.Row(e.yt, m), linalg.Row(all, m)
		for _, i := range missing[m] {
			y[i] += r[i]
			e.residual[m] -= r[i] * r[i]
			r[i] = 0
		}
		e.energy[m] = portable.Dot(y, y)
	})
}

// Imputed returns the values that stand at the given entries of the signals.
func (e *Local) Imputed(missing [][]int32) []float64 {
	var values []float64
	for m, rows := range missing {
		y := linalg.Row(e.yt, m)
		for _, i := range rows {
			values = append(values, y[i])
		}
	}
	return values
}

// SetImputed puts back what Imputed returned.
func (e *Local) SetImputed(missing [][]int32, values []float64) {
	for m, rows := range missing {
		y := linalg.Row(e.yt, m)
		for _, i := range rows {
			y[i], values = values[0], values[1:]
		}
		e.energy[m] = portable.Dot(y, y)
	}
}
