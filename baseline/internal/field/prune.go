package field

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/nervure/nervure/internal/run"
)

const (
	// falseShare is the share of edges kept that may be false if the model is true, by
	// Benjamini and Hochberg's rule over all pairs.
	falseShare = 0.05
	// significantSteps is how many steps a model takes before any edge is removed, and pruneSteps
	// after some were.
	significantSteps, pruneSteps = 60, 20
	// pruneShare is the share of the edges that are removed at a time.
	pruneShare = 0.08
	// worthless is the weight of an edge, over the largest, that is as good as none.
	worthless = 1e-6
)

// jumps are the shares of the edges that are tried in the end. Where noise has come out too small,
// edges between vertices two steps apart make up for it, and no few of them can go.
var jumps = []float64{0.7, 0.5}

// prune removes the lightest edges, some at a time, and fits the rest after each time, as long as
// the deviance and what edges must be worth fall together; then fewer at a time. What an edge must
// be worth makes its chance among all pairs that of Benjamini and Hochberg's rule
// ([abramovich2006]). Edges go by weight and not by significance, because noise makes the heaviest
// the least certain: it hides the high frequencies, which tell a large weight from a larger one.
func (e *evaluation) prune(ctx context.Context, m *Model) {
	n := len(m.Diagonal)
	prices := edgePrices(len(m.Pairs), n*(n-1)/2)
	cost := func(m *Model, steps int) float64 {
		return e.observations*newFit(e, m).run(ctx, steps) + prices[len(m.Pairs)]
	}
	least := cost(m, significantSteps)
	for share := pruneShare; run.Ended(ctx) == nil && len(m.Pairs) > 0; {
		count := max(int(share*float64(len(m.Pairs))), 1)
		fewer := m.clone()
		fewer.keepHeaviest(len(m.Pairs) - count)
		if value := cost(fewer, pruneSteps); value < least {
			*m, least = *fewer, value
		} else if share /= 2; count == 1 {
			break
		}
	}
	for _, part := range jumps {
		fewer := m.clone()
		fewer.keepHeaviest(int(part * float64(len(m.Pairs))))
		if e.calibrate(fewer); ctx.Err() == nil && cost(fewer, significantSteps) < least {
			*m = *fewer
			e.prune(ctx, m)
			return
		}
	}
}

// edgePrices returns the deviance that the first edges must be worth together, for each number of
// them up to count.
func edgePrices(count, pairs int) []float64 {
	prices := make([]float64, count+1)
	for k := range count {
		z := distuv.UnitNormal.Quantile(falseShare * float64(k+1) / float64(pairs))
		prices[k+1] = prices[k] + float64(z*z)
	}
	return prices
}

// keepHeaviest leaves the heaviest edges, at most that many, that weigh anything.
func (m *Model) keepHeaviest(count int) {
	weights := m.Partial()
	order := make([]int, len(weights))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	for count > 0 && weights[order[count-1]] <= worthless*weights[order[0]] {
		count--
	}
	kept := slices.Sorted(slices.Values(order[:count]))
	for k, from := range kept {
		m.Pairs[k], m.Weights[k] = m.Pairs[from], m.Weights[from]
	}
	m.Pairs, m.Weights = m.Pairs[:count], m.Weights[:count]
}
