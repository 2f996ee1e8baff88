package assess

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

// Shifted returns y with every row turned round by its own random number of signals.
// Each vertex keeps its values and, but for one seam, how they follow each other;
// what vertices have in common is gone. A graph learned from it shows what a method
// finds where there is nothing to find.
func Shifted(y *mat.Dense, seed uint64) *mat.Dense {
	n, m := y.Dims()
	shifted := mat.NewDense(n, m, nil)
	r := rng.Stream(seed, "shifted signals")
	for i := range n {
		from, to := y.RawRowView(i), shifted.RawRowView(i)
		by := r.IntN(m)
		copy(to, from[by:])
		copy(to[m-by:], from[:by])
	}
	return shifted
}
