package learn

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/internal/linalg"
)

// Seeds: which pairs are worth a weight at first. An atom is largest at its
// centre u and a good part of that at u's neighbours. So in the signals in which
// u stands out, its neighbours are never small, while any other vertex is large
// in few of them. Each signal's say is therefore clipped: what counts is in how
// many of these signals a vertex is not small, not how large it is in one, which
// is what makes correlation see edges between centres of one large signal.

const (
	seedSignals  = 32    // in which a vertex stands out
	seedClip     = 0.05  // share of u's value that a vertex need not exceed
	seedSilence  = 0.005 // share of a signal's largest value below which a vertex is silent in it
	seedPartners = 12    // of each vertex
)

// A partner is a vertex that another may share an edge with, and how likely it
// looks, or the weight the edge has.
type partner struct {
	vertex int32
	score  float64
}

// seeds returns the best partners of each vertex, among those that it may have,
// or nil if ctx ends.
func seeds(ctx context.Context, y *mat.Dense, threads int, may func(i, j int32) bool) [][]partner {
	n, m := y.Dims()
	loud := make([][]partner, m) // who is not silent in a signal, and how large
	linalg.ForEach(threads, m, func(_, k int) {
		column := make([]float64, n)
		mat.Col(column, k, y)
		level := seedSilence * floats.Norm(column, math.Inf(1))
		for v, x := range column {
			if math.Abs(x) > level {
				loud[k] = append(loud[k], partner{int32(v), math.Abs(x)})
			}
		}
	})
	partners := make([][]partner, n)
	scores := make([][]float64, threads)
	linalg.ForEach(threads, n, func(worker, u int) {
		if ctx.Err() != nil {
			return
		}
		if scores[worker] == nil {
			scores[worker] = make([]float64, n)
		}
		partners[u] = partnersOf(u, y.RawRowView(u), loud, scores[worker], may)
	})
	if ctx.Err() != nil {
		return nil
	}
	return partners
}

// partnersOf scores vertices for u, whose values are own. score is zero, and so
// it is left.
func partnersOf(u int, own []float64, loud [][]partner, score []float64, may func(i, j int32) bool) []partner {
	size := make([]float64, len(own))
	for k, v := range own {
		size[k] = math.Abs(v)
	}
	var energy float64
	var heard []int32
	for _, m := range largest(size, seedSignals) {
		energy += size[m] * size[m]
		limit := seedClip * size[m]
		for _, v := range loud[m] {
			if score[v.vertex] == 0 {
				heard = append(heard, v.vertex)
			}
			score[v.vertex] += size[m] * min(v.score, limit)
		}
	}
	score[u] = 0
	slices.Sort(heard)
	found := make([]float64, len(heard))
	for k, v := range heard {
		if may(int32(u), v) {
			found[k] = score[v]
		}
		score[v] = 0
	}
	var partners []partner
	for _, k := range largest(found, seedPartners) {
		partners = append(partners, partner{heard[k], found[k] / energy})
	}
	return partners
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

// mergePartners returns the pairs that occur among the partners, in order, and
// their scores added up.
func mergePartners(partners [][]partner) (dictionary.Pairs, []float64) {
	p := dictionary.Pairs{N: len(partners)}
	above := make([][]partner, len(partners)) // by the smaller vertex
	for u, list := range partners {
		for _, q := range list {
			if i := min(int32(u), q.vertex); q.vertex != int32(u) {
				above[i] = append(above[i], partner{max(int32(u), q.vertex), q.score})
			}
		}
	}
	var w []float64
	for i, list := range above {
		slices.SortStableFunc(list, func(a, b partner) int { return int(a.vertex - b.vertex) })
		for k, q := range list {
			if k > 0 && list[k-1].vertex == q.vertex {
				w[len(w)-1] += q.score
				continue
			}
			p.I, p.J, w = append(p.I, int32(i)), append(p.J, q.vertex), append(w, q.score)
		}
	}
	return p, w
}
