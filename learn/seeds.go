package learn

import (
	"math"
	"slices"

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
	seedSignals  = 32   // in which a vertex stands out
	seedClip     = 0.05 // share of u's value that a vertex need not exceed
	seedPartners = 12   // of each vertex
)

// A partner is a vertex with a score.
type partner struct {
	vertex int32
	score  float64
}

// seeds returns the best partners of each vertex.
func seeds(y *mat.Dense, threads int) [][]partner {
	n, _ := y.Dims()
	yt := linalg.Transposed(y)
	partners := make([][]partner, n)
	scores := make([][]float64, threads)
	linalg.ForEach(threads, n, func(worker, u int) {
		if scores[worker] == nil {
			scores[worker] = make([]float64, n)
		}
		partners[u] = partnersOf(u, y.RawRowView(u), yt, scores[worker])
	})
	return partners
}

// partnersOf scores all vertices for u, whose values are own. score is scratch.
func partnersOf(u int, own []float64, yt linalg.Dense, score []float64) []partner {
	size := make([]float64, len(own))
	for k, v := range own {
		size[k] = math.Abs(v)
	}
	clear(score)
	var energy float64
	for _, k := range best(size, seedSignals) {
		energy += k.score * k.score
		limit := seedClip * k.score
		for v, x := range linalg.Row(yt, int(k.vertex)) {
			score[v] += k.score * min(math.Abs(x), limit)
		}
	}
	score[u] = 0
	partners := best(score, seedPartners)
	for k := range partners {
		partners[k].score /= energy
	}
	return partners
}

// best returns the largest scores above zero, in order, the first of equal ones first.
func best(score []float64, count int) []partner {
	list := make([]partner, 0, count+1)
	for v, x := range score {
		if x <= 0 || len(list) == count && x <= list[count-1].score {
			continue
		}
		at := len(list)
		for at > 0 && list[at-1].score < x {
			at--
		}
		list = slices.Insert(list, at, partner{int32(v), x})
		list = list[:min(len(list), count)]
	}
	return list
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
