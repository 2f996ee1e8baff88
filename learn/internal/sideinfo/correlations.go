package sideinfo

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/learn/internal/canonical"
)

// Correlations returns |corr| of the vertices over the pairs.
func Correlations(yt *mat.Dense, pairs dictionary.Pairs) []float64 {
	m, n := yt.Dims()
	block := func(vertex int32) int { return int(vertex) / canonical.VertexBlock }
	blocks := block(int32(n-1)) + 1
	among := make([][]int, blocks*blocks) // pairs, by the blocks of their ends
	for e := range pairs.I {
		k := block(pairs.I[e])*blocks + block(pairs.J[e])
		among[k] = append(among[k], e)
	}
	standard := func(room linalg.Dense, k int) linalg.Dense {
		room = canonical.VertexRows(room, yt, k*canonical.VertexBlock, min((k+1)*canonical.VertexBlock, n))
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
				w[e] = math.Abs(portable.Dot(linalg.Row(a, int(pairs.I[e])%canonical.VertexBlock), linalg.Row(other, int(pairs.J[e])%canonical.VertexBlock)))
			}
		}
	}
	return w
}
