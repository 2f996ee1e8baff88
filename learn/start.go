package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/internal/rng"
)

// correlations returns |corr| of the vertices over the pairs.
func correlations(y *mat.Dense, pairs dictionary.Pairs) []float64 {
	n, m := y.Dims()
	unit := mat.DenseCopyOf(y)
	for i := range n {
		row := unit.RawRowView(i)
		floats.AddConst(-floats.Sum(row)/float64(m), row)
		if norm := floats.Norm(row, 2); norm > 0 {
			floats.Scale(1/norm, row)
		}
	}
	w := make([]float64, pairs.Len())
	for e := range w {
		w[e] = math.Abs(floats.Dot(unit.RawRowView(int(pairs.I[e])), unit.RawRowView(int(pairs.J[e]))))
	}
	return w
}

// startWeights returns the weights that start number k begins from. The first
// is |corr|, which knows nothing of labels or seeds; later ones shake it. If
// something is known beforehand, a start from that comes before them.
func (r *run) startWeights(k int) []float64 {
	if r.informed() {
		k--
	}
	w := correlations(r.y, r.all)
	if k > 1 {
		shake := rng.Stream(r.options.Seed, "start", k)
		for e := range w {
			w[e] *= 2 * shake.Float64()
		}
	}
	r.normalise(w)
	if k == 0 {
		r.inform(w)
	}
	return w
}

// revive gives a vertex that has lost its last edge a little weight to all
// others that it may share an edge with: at degree zero the derivative cannot
// bring it back. It reports whether there was one.
func (f *fitter) revive(w []float64) bool {
	d := make([]float64, f.n)
	f.all.Degrees(d, w)
	revived := false
	for e := range w {
		if d[f.all.I[e]] == 0 || d[f.all.J[e]] == 0 {
			w[e], revived = 0.1/float64(f.n), true
		}
	}
	return revived
}
