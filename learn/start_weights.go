package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
)

// correlations returns |corr| of the vertices over the pairs.
func correlations(yt *mat.Dense, pairs dictionary.Pairs) []float64 {
	m, n := yt.Dims()
	block := func(vertex int32) int { return int(vertex) / vertexBlock }
	blocks := block(int32(n-1)) + 1
	among := make([][]int, blocks*blocks) // pairs, by the blocks of their ends
	for e := range pairs.I {
		k := block(pairs.I[e])*blocks + block(pairs.J[e])
		among[k] = append(among[k], e)
	}
	standard := func(room linalg.Dense, k int) linalg.Dense {
		room = vertexRows(room, yt, k*vertexBlock, min((k+1)*vertexBlock, n))
		for i := range room.Rows {
			row := linalg.Row(room, i)
			floats.AddConst(-portable.Sum(row)/float64(m), row)
			if norm := floats.Norm(row, 2); norm > 0 {
				floats.Scale(1/norm, row)
			}
		}
		return room
	}
	var a, b linalg.Dense // at most two blocks of rows at a time
	w := make([]float64, pairs.Len())
	for i := range blocks {
		a = standard(a, i)
		for j := i; j < blocks; j++ {
			list := among[i*blocks+j]
			if len(list) == 0 {
				continue
			}
			other := a
			if j != i {
				b = standard(b, j)
				other = b
			}
			for _, e := range list {
				w[e] = math.Abs(portable.Dot(linalg.Row(a, int(pairs.I[e])%vertexBlock), linalg.Row(other, int(pairs.J[e])%vertexBlock)))
			}
		}
	}
	return w
}

// startWeights returns the weights that start number k begins from. The first
// is |corr|, which knows nothing of labels or seeds; later ones shake it. If a
// graph is known beforehand, a start from that comes before them.
func (a *attempt) startWeights(k int) []float64 {
	if a.task.side.hasGraph() {
		k--
	}
	w := correlations(a.fit.yt, a.pairs)
	if k > 1 {
		shake := rng.Stream(a.task.options.Seed, "start", k)
		for e := range w {
			w[e] *= 2 * shake.Float64()
		}
	}
	normalise(w, a.fit.n)
	if k == 0 {
		a.task.side.apply(a.pairs, w)
	}
	return w
}

// usualStart is the number of the start from |corr|.
func (a *attempt) usualStart() int {
	if a.task.side.hasGraph() {
		return 2
	}
	return 1
}

// polishInit looks whether the initial graph, if there is one, is the answer
// already. A search would begin with quick codes, which are partly wrong, and
// leave it.
func (a *attempt) polishInit() (outcome, error) {
	found := outcome{best: noCandidate()}
	if a.task.side.init == nil {
		return found, nil
	}
	p, v := a.task.progress, a.fit.overPairs(a.pairs)
	p.start, p.round = 1, 1
	w := make([]float64, a.pairs.Len())
	moveTowards(a.task.side.init, 1, a.pairs, w)
	residuals, err := v.recode(w, coderSetting{sparse.Beam, polishWidths[0]})
	if err != nil {
		return found, err
	}
	loss := newRobustLoss(v)
	if err := p.step(Coding, v.relative(residuals), loss.of(residuals), a.pairs, w); err != nil {
		return found, err
	}
	return a.tryPolish(graphOf(a.pairs, w), found)
}

// revive gives a vertex that has lost its last edge a little weight to all
// others that it may share an edge with: at degree zero the derivative cannot
// bring it back. It reports whether there was one.
func revive(pairs dictionary.Pairs, w []float64) bool {
	d := make([]float64, pairs.N)
	pairs.Degrees(d, w)
	revived := false
	for e := range w {
		if d[pairs.I[e]] == 0 || d[pairs.J[e]] == 0 {
			w[e], revived = 0.1/float64(pairs.N), true
		}
	}
	return revived
}
