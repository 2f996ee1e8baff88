package local

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/baseline/internal/nearest"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// A Certificate says how near the regressions of a sample of vertices are to those on all others, which
// were never solved. The gap is that between the objective reached and a bound that no coefficients
// can go below (the dual of the lasso), in shares of the objective.
type Certificate struct {
	Vertices int     // in the sample
	Exact    int     // of them, those that no vertex outside the candidates would help to predict
	Gap      float64 // largest of the sample
}

// sampled is how many vertices the sample has at most.
const sampled = 256

// mostInexact is the share of the vertices of the sample for which candidates may be missing without
// another search.
const mostInexact = 0.02

func (c Certificate) isGood() bool {
	return float64(c.Vertices-c.Exact) <= mostInexact*float64(c.Vertices)
}

// certify looks at all vertices for a sample of models.
func (l *learner) certify(ctx context.Context) Certificate {
	n := l.x.Rows
	sample := allOf(n)
	if n > sampled {
		for k, i := range rng.Stream(1, "local certificate", n).Perm(n)[:sampled] {
			sample[k] = int32(i)
		}
		sample = sample[:sampled]
		slices.Sort(sample)
	}
	l.tell(Checking, 0)
	largest := l.largestSlopes(ctx, sample)
	c := Certificate{}
	if ctx.Err() != nil {
		return c
	}
	for k, i := range sample {
		m := &l.models[i]
		c.Vertices++
		if largest[k].Value <= m.penalty*(1+slack) {
			c.Exact++
			continue
		}
		c.Gap = max(c.Gap, m.gap(largest[k].Value))
	}
	return c
}

// slack is by what share a slope may exceed the penalty because of rounding errors.
const slack = 1e-6

// gap bounds how far the objective is above its minimum over all vertices, in shares of it: a residual
// that is shrunk until no slope exceeds the penalty is feasible in the dual problem.
func (m *model) gap(largest float64) float64 {
	sum := 0.0
	for _, b := range m.beta {
		sum += math.Abs(b)
	}
	primal := m.variance/2 + m.penalty*sum
	shrink := min(1, m.penalty/largest)
	with := m.variance + m.penalty*sum // ⟨x, e⟩/M, at the minimum over the candidates
	dual := float64(shrink*with) - float64(shrink*shrink*m.variance)/2
	return max(0, (primal-dual)/primal)
}

// largestSlopes returns, for each of some vertices, the vertex outside its candidates that would help
// most to predict it, by the product with the residual; none (0) if ctx ends.
func (l *learner) largestSlopes(ctx context.Context, vertices []int32) []nearest.Neighbour {
	found := make([]nearest.Neighbour, len(vertices))
	for k, of := range l.slopes(ctx, vertices, 1) {
		if first := of.Neighbours(); len(first) > 0 {
			found[k] = first[0]
		}
	}
	return found
}

// slopes returns the largest products of the residuals of some vertices with the signals of those that
// are not their candidates.
func (l *learner) slopes(ctx context.Context, vertices []int32, count int) []nearest.Best {
	s := &slopes{vertices: vertices, count: count, signed: l.signed}
	for _, i := range vertices {
		s.models = append(s.models, l.models[i])
	}
	if l.shared != nil {
		return l.shared.slopes(ctx, s)
	}
	residual := func(k int) []float64 { return linalg.Row(l.residuals, int(vertices[k])) }
	return s.run(ctx, []linalg.Dense{l.x}, residual, l.Threads)
}

// Slopes are looked for of some vertices, by their models.
type slopes struct {
	vertices []int32
	models   []model
	count    int // how many of each vertex are wanted
	signed   bool
}

// run finds those with the signals of all chunks, by the residuals.
func (s *slopes) run(ctx context.Context, chunks []linalg.Dense, residual func(k int) []float64, threads int) []nearest.Best {
	found := make([]nearest.Best, len(s.vertices))
	for k := range found {
		found[k] = nearest.NewBest(s.count, 0)
	}
	before := 0
	for _, x := range chunks {
		nearest.Products(ctx, threads, len(found), residual, x, func(k, first int, products []float64) {
			s.take(&found[k], k, before+first, x.Cols, products)
		})
		before += x.Rows
	}
	return found
}

// take offers a part of the products of one residual.
func (s *slopes) take(to *nearest.Best, k, first, signals int, products []float64) {
	m := &s.models[k]
	least := m.penalty * (1 + slack)
	for j, v := range products {
		v /= float64(signals)
		if s.signed {
			v = math.Abs(v)
		}
		if v <= least || v < to.Least() || first+j == int(s.vertices[k]) {
			continue
		}
		if _, is := slices.BinarySearch(m.on, int32(first+j)); !is {
			to.Offer(v, first+j)
		}
	}
}

// searchMissing returns the regression of the vertices that lack candidates on others: those that would help
// most, and those that each has, as far as they help. It is nil if ctx ends.
func (l *learner) searchMissing(ctx context.Context) *regression {
	l.tell(Searching, 0)
	missing := l.slopes(ctx, allOf(l.x.Rows), candidates/2)
	if ctx.Err() != nil {
		return nil
	}
	r := &regression{signs: []bool{l.signed}, penalty: l.penalty}
	for i := range missing {
		more := missing[i].Vertices()
		if len(more) == 0 {
			continue
		}
		m := &l.models[i]
		for k, v := range m.on {
			if m.beta[k] != 0 {
				more = append(more, v)
			}
		}
		slices.Sort(more)
		r.vertices, r.on = append(r.vertices, int32(i)), append(r.on, more)
	}
	return r
}
