package dictionary

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
)

// Impute replaces the given entries of each signal by what the code of the last
// Fit or Refit says they are. Done again and again, between codings, it leads to
// a fit of the other entries alone: each time, the residual over all entries is
// an upper bound on theirs that touches it where the codes stand.
func (e *Local) Impute(missing [][]int32) {
	linalg.ForEach(e.threads, e.m, func(_, m int) {
		y, r := linalg.Row(e.yt, m), linalg.Row(e.r, m)
		for _, i := range missing[m] {
			y[i] += r[i]
			e.residual[m] -= r[i] * r[i]
			r[i] = 0
		}
		e.energy[m] = floats.Dot(y, y)
	})
}
