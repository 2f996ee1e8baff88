package fitting

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
)

// Candidates: which pairs are worth a weight at first on a large graph. An atom is
// largest at its centre u, and has a good part of that value at the neighbours of
// u. So in the signals in which u stands out, its neighbours are never small, while
// any other vertex is large in few of them. The score of a signal is therefore
// clipped: what counts is in how many of these signals a vertex is not small, not
// how large it is in one, which is what makes correlation see edges between centres
// of one large signal.

const (
	candidateSignals = 32    // in which a vertex stands out
	candidateClip    = 0.05  // share of u's value that a vertex need not exceed
	candidateFloor   = 0.005 // share of a signal's largest value below which a vertex is small in it
	candidateCount   = 12    // of each vertex
)

// A Neighbour is a vertex that another may share an edge with, and how likely it
// looks, or the weight the edge has.
type Neighbour struct {
	Vertex int32
	Score  float64
}

// CandidateNeighbours returns the best neighbours of each vertex, among those that
// it may have; none if ctx ends.
//
// Signals are the rows of yt, each divided by its size; nil means as they are.
func CandidateNeighbours(ctx context.Context, yt *mat.Dense, size []float64, threads int, may func(i, j int32) bool) [][]Neighbour {
	m, n := yt.Dims()
	c := candidates{yt: yt, size: size, large: make([][]int32, m)}
	linalg.ForEach(threads, m, func(_, k int) {
		floor, count := candidateFloor*c.value(k, floats.Norm(yt.RawRowView(k), math.Inf(1))), 0
		each := func(use func(v int32)) {
			for v, x := range yt.RawRowView(k) {
				if c.value(k, x) > floor {
					use(int32(v))
				}
			}
		}
		each(func(int32) { count++ })
		c.large[k] = make([]int32, 0, count)
		each(func(v int32) { c.large[k] = append(c.large[k], v) })
	})
	found := make([][]Neighbour, n)
	scores, rows := make([][]float64, threads), make([]linalg.Dense, threads)
	linalg.ForEach(threads, (n+VertexBlock-1)/VertexBlock, func(worker, block int) {
		if run.Ended(ctx) != nil {
			return
		}
		if scores[worker] == nil {
			scores[worker] = make([]float64, n)
		}
		first := block * VertexBlock
		rows[worker] = VertexRows(rows[worker], yt, first, min(first+VertexBlock, n))
		for k := range rows[worker].Rows {
			found[first+k] = c.of(first+k, linalg.Row(rows[worker], k), scores[worker], may)
		}
	})
	if ctx.Err() != nil {
		return make([][]Neighbour, n)
	}
	return found
}

// candidates are signals and which vertices are not small in each.
type candidates struct {
	yt    *mat.Dense
	size  []float64
	large [][]int32
}

// value is how large a value of signal m is.
func (c *candidates) value(m int, v float64) float64 {
	if c.size != nil {
		v /= c.size[m]
	}
	return math.Abs(v)
}

// of scores vertices for u, whose values are own, and are lost. score is scratch, zero
// before and after.
func (c *candidates) of(u int, own, score []float64, may func(i, j int32) bool) []Neighbour {
	for k, v := range own {
		own[k] = c.value(k, v)
	}
	var energy float64
	var scored []int32
	for _, m := range largest(own, candidateSignals) {
		energy += own[m] * own[m]
		limit := candidateClip * own[m]
		row := c.yt.RawRowView(m)
		for _, v := range c.large[m] {
			if score[v] == 0 {
				scored = append(scored, v)
			}
			score[v] += own[m] * min(c.value(m, row[v]), limit)
		}
	}
	score[u] = 0
	slices.Sort(scored)
	found := make([]float64, len(scored))
	for k, v := range scored {
		if may(int32(u), v) {
			found[k] = score[v]
		}
		score[v] = 0
	}
	var best []Neighbour
	for _, k := range largest(found, candidateCount) {
		best = append(best, Neighbour{scored[k], found[k] / energy})
	}
	return best
}

// largest returns where the largest values are, if they are above zero, in
// their order, the first of equal ones first.
func largest(values []float64, count int) []int {
	at := make([]int, 0, count+1)
	for i, v := range values {
		if v <= 0 || len(at) == count && v <= values[at[count-1]] {
			continue
		}
		k := len(at)
		for k > 0 && values[at[k-1]] < v {
			k--
		}
		at = slices.Insert(at, k, i)
		at = at[:min(len(at), count)]
	}
	return at
}

// MergeNeighbours returns the pairs that occur among the neighbours, in order, and
// their scores added up.
func MergeNeighbours(neighbours [][]Neighbour) (dictionary.Pairs, []float64) {
	p := dictionary.Pairs{N: len(neighbours)}
	above := make([][]Neighbour, len(neighbours)) // by the smaller vertex
	for u, list := range neighbours {
		for _, q := range list {
			if i := min(int32(u), q.Vertex); q.Vertex != int32(u) {
				above[i] = append(above[i], Neighbour{max(int32(u), q.Vertex), q.Score})
			}
		}
	}
	var w []float64
	for i, list := range above {
		slices.SortStableFunc(list, func(a, b Neighbour) int { return int(a.Vertex - b.Vertex) })
		for k, q := range list {
			if k > 0 && list[k-1].Vertex == q.Vertex {
				w[len(w)-1] += q.Score
				continue
			}
			p.I, p.J, w = append(p.I, int32(i)), append(p.J, q.Vertex), append(w, q.Score)
		}
	}
	return p, w
}

// Correlations returns |corr| of the vertices over the pairs.
func Correlations(yt *mat.Dense, pairs dictionary.Pairs) []float64 {
	m, n := yt.Dims()
	block := func(vertex int32) int { return int(vertex) / VertexBlock }
	blocks := block(int32(n-1)) + 1
	among := make([][]int, blocks*blocks) // pairs, by the blocks of their ends
	for e := range pairs.I {
		k := block(pairs.I[e])*blocks + block(pairs.J[e])
		among[k] = append(among[k], e)
	}
	standard := func(room linalg.Dense, k int) linalg.Dense {
		room = VertexRows(room, yt, k*VertexBlock, min((k+1)*VertexBlock, n))
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
				w[e] = math.Abs(portable.Dot(linalg.Row(a, int(pairs.I[e])%VertexBlock), linalg.Row(other, int(pairs.J[e])%VertexBlock)))
			}
		}
	}
	return w
}
