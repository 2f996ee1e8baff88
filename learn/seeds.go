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
	seedSignals  = 64   // in which a vertex stands out
	seedClip     = 0.05 // share of u's value that a vertex need not exceed
	seedPartners = 12   // of each vertex
)

// A partner is a vertex with a score.
type partner struct {
	vertex int32
	score  float64
}

// seeds returns the pairs that either vertex has among its best partners, and
// the sum of their scores.
func seeds(y *mat.Dense, threads int) (dictionary.Pairs, []float64) {
	n, m := y.Dims()
	yt := linalg.Transposed(y)
	partners := make([][]partner, n)
	scratch := make([]seedScratch, threads)
	linalg.ForEach(threads, n, func(worker, u int) {
		partners[u] = scratch[worker].partners(u, y.RawRowView(u), yt, m)
	})
	return mergePartners(partners)
}

type seedScratch struct {
	signal []int
	score  []float64
}

func (s *seedScratch) partners(u int, own []float64, yt linalg.Dense, m int) []partner {
	if s.signal == nil {
		s.signal, s.score = make([]int, m), make([]float64, yt.Cols)
	}
	for k := range s.signal {
		s.signal[k] = k
	}
	slices.SortFunc(s.signal, func(a, b int) int {
		if x, y := math.Abs(own[a]), math.Abs(own[b]); x != y {
			if x > y {
				return -1
			}
			return 1
		}
		return a - b
	})
	clear(s.score)
	var energy float64
	for _, k := range s.signal[:min(seedSignals, m)] {
		size := math.Abs(own[k])
		energy += size * size
		limit := seedClip * size
		for v, x := range linalg.Row(yt, k) {
			s.score[v] += size * min(math.Abs(x), limit)
		}
	}
	s.score[u] = -1
	return bestPartners(s.score, seedPartners, 1/energy)
}

// bestPartners returns the vertices of the largest scores above zero, times a factor.
func bestPartners(score []float64, count int, factor float64) []partner {
	best := make([]partner, 0, count+1)
	for v, x := range score {
		if x <= 0 || len(best) == count && x <= best[count-1].score {
			continue
		}
		at := len(best)
		for at > 0 && best[at-1].score < x {
			at--
		}
		best = slices.Insert(best, at, partner{int32(v), x})
		best = best[:min(len(best), count)]
	}
	for k := range best {
		best[k].score *= factor
	}
	return best
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
