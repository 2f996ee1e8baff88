package local

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
)

// mostPartial bounds partial correlations: those of vertices that follow each other exactly are 1 but for
// rounding errors.
const mostPartial = 0.9999

// A partial correlation is
//
//	(⟨e_i, e_j⟩/M + v_i·β_ji + v_j·β_ij)/√(v_i·v_j),
//
// where e are residuals, v their variances and β_ij is the coefficient of j in the model of i.

// debiased returns the pairs of which a vertex has a coefficient in the model of the other, with their
// partial correlations.
func (l *learner) debiased(ctx context.Context) []graph.Edge {
	var pairs []graph.Edge
	for i := range l.models {
		for k, j := range l.models[i].on {
			if l.models[i].beta[k] != 0 {
				pairs = append(pairs, graph.Edge{I: min(i, int(j)), J: max(i, int(j))})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b graph.Edge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	pairs = slices.Compact(pairs)
	l.weigh(ctx, pairs)
	return slices.DeleteFunc(pairs, func(e graph.Edge) bool { return e.Weight == 0 || e.Weight < 0 && !l.signed })
}

// weigh gives pairs, which are in order, their partial correlations by the models.
func (l *learner) weigh(ctx context.Context, pairs []graph.Edge) {
	if l.shared != nil {
		l.shared.weigh(ctx, pairs)
		return
	}
	linalg.ForEach(l.Threads, len(pairs), func(_, k int) {
		e := &pairs[k]
		product := portable.Dot(linalg.Row(l.residuals, e.I), linalg.Row(l.residuals, e.J)) / float64(l.x.Cols)
		e.Weight = partial(product, &l.models[e.I], &l.models[e.J], e.I, e.J)
	})
}

// partial returns the partial correlation of vertices i and j by their models and the product of their residuals.
func partial(product float64, a, b *model, i, j int) float64 {
	rho := (product + float64(a.variance*b.coefficient(i)) + float64(b.variance*a.coefficient(j))) / math.Sqrt(a.variance*b.variance)
	return max(min(rho, mostPartial), -mostPartial)
}

// beyondChance returns the pairs whose partial correlation passes Benjamini and Hochberg's rule over all pairs.
func (l *learner) beyondChance(found []graph.Edge) []graph.Edge {
	n := l.x.Rows
	errors := math.Sqrt(max(l.Observations-3, 1))
	chances := make([]float64, len(found))
	for k, e := range found {
		chances[k] = distuv.UnitNormal.Survival(math.Atanh(math.Abs(e.Weight)) * errors)
		if l.signed {
			chances[k] *= 2
		}
	}
	var kept []graph.Edge
	for k, q := range matrix.QValues(chances, n*(n-1)/2) {
		if q <= falseShare {
			kept = append(kept, found[k])
		}
	}
	return kept
}

// hardlyChance is how many standard errors an edge must have when its vertices are regressed on their
// neighbours alone. What a penalty takes from all neighbours of two vertices adds up to a product of
// residuals where there is no edge, mostly in random graphs.
const hardlyChance = 2.5

// confirmed returns the edges that are more than chance among each other, refitted, with the signs that
// they were found with.
func (l *learner) confirmed(found, edges []graph.Edge) []graph.Edge {
	errors := math.Sqrt(max(l.Observations-3, 1))
	var kept []graph.Edge
	for k, e := range edges {
		if math.Atanh(e.Weight)*math.Copysign(errors, found[k].Weight) >= hardlyChance {
			kept = append(kept, e)
		}
	}
	return kept
}

// refit regresses each vertex on its neighbours, without a penalty, and gives edges the partial
// correlations of that. It reports false, with edges as they were, if ctx ended.
func (l *learner) refit(ctx context.Context, edges []graph.Edge) bool {
	n := l.x.Rows
	r := &regression{vertices: allOf(n), on: make([][]int32, n), signs: []bool{true}}
	for i, of := range neighbourhoodsOf(n, edges) {
		r.on[i] = of.on
	}
	models, whole := l.regress(ctx, r)
	if whole {
		l.adopt(r.vertices, models, 0)
		l.weigh(ctx, edges)
	}
	return whole
}
