package assess

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/prepare"
)

// lookedAt returns signals in way k of looking at them: every other way keeps what all
// vertices have in common, and every other two replace values by normal scores.
func lookedAt(ctx context.Context, y *mat.Dense, k int) (*mat.Dense, error) {
	o := prepare.AsTheyAre(prepare.Options{Center: prepare.Yes, Scale: prepare.Yes, CommonMode: prepare.Auto})
	if k%2 == 1 {
		o.CommonMode = prepare.No
	}
	if k/2%2 == 1 {
		y = normalScores(y)
	}
	z, _, err := prepare.Signals(ctx, y, o)
	return z, err
}

// normalScores replaces each row by the quantiles of the normal distribution at its
// ranks, (rank − ½)/m, equal values sharing their mean rank: then nothing is skewed
// and no single signal counts much.
func normalScores(y *mat.Dense) *mat.Dense {
	n, m := y.Dims()
	z := mat.NewDense(n, m, nil)
	order := make([]int, m)
	for i := range n {
		row, to := y.RawRowView(i), z.RawRowView(i)
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[a], row[b]) })
		for first := 0; first < m; {
			last := first + 1
			for last < m && row[order[last]] == row[order[first]] {
				last++
			}
			score := math.Sqrt2 * math.Erfinv(float64(first+last)/float64(m)-1)
			for _, k := range order[first:last] {
				to[k] = score
			}
			first = last
		}
	}
	return z
}

// correlations returns those of the rows of y, 0 where a row does not vary.
func correlations(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	z := linalg.NewDense(n, m)
	for i := range n {
		mean, scale := meanAndScale(y.RawRowView(i))
		to := linalg.Row(z, i)
		for k, v := range y.RawRowView(i) {
			to[k] = (v - mean) / scale
		}
	}
	c := linalg.NewDense(n, n)
	linalg.MulTransB(c, z, z)
	for k := range c.Data {
		c.Data[k] /= float64(m)
	}
	return c
}

// candidates returns the pairs among which halves look for edges, in order: those of
// g, and as many as twice level from the largest weights and level from the largest
// correlations. To look at all pairs would take as long as learning again.
func candidates(correlation linalg.Dense, weights, g *graph.Graph, level int) [][2]int {
	n := correlation.Rows
	var strong []graph.Edge
	for i := range n {
		for j := i + 1; j < n; j++ {
			if c := correlation.Data[i*n+j]; c > 0 {
				strong = append(strong, graph.Edge{I: i, J: j, Weight: c})
			}
		}
	}
	slices.SortStableFunc(strong, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	pairs := slices.Concat(g.Pairs(), weights.Strongest(2*level).Pairs())
	for _, e := range strong[:min(level, len(strong))] {
		pairs = append(pairs, [2]int{e.I, e.J})
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return slices.Compact(pairs)
}
