package nearest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/graph"
)

// Pairs returns the pairs of which one row is among the nearest of the other, in order.
func Pairs(lists []Best) []graph.Edge {
	return pairsOf(lists, func(k int) int { return k })
}

// PairsOf returns the pairs of some rows and their nearest, in order.
func PairsOf(rows []int, lists []Best) []graph.Edge {
	return pairsOf(lists, func(k int) int { return rows[k] })
}

func pairsOf(lists []Best, row func(k int) int) []graph.Edge {
	var pairs []graph.Edge
	for k := range lists {
		for _, v := range lists[k].Neighbours() {
			pairs = append(pairs, pairOf(row(k), v))
		}
	}
	return InOrder(pairs)
}

// InOrder sorts pairs by their rows and leaves each once.
func InOrder(pairs []graph.Edge) []graph.Edge {
	slices.SortFunc(pairs, func(a, b graph.Edge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return slices.CompactFunc(pairs, func(a, b graph.Edge) bool { return a.I == b.I && a.J == b.J })
}

func pairOf(i int, v Neighbour) graph.Edge {
	j := int(v.Vertex)
	return graph.Edge{I: min(i, j), J: max(i, j), Weight: v.Value}
}

// more searches the rows whose lists may have left out a value of at least level again, for twice as many,
// and reports whether there were any. Rows that would need more room than for that many values are left as
// they are, as if ctx had ended.
func (s Search) more(ctx context.Context, lists []Best, level func(i int) float64, room int) bool {
	var rows []int
	for i := range lists {
		if bound := lists[i].Bound(); !math.IsInf(bound, -1) && bound >= level(i) && lists[i].count < len(lists)-1 {
			rows = append(rows, i)
			s.Count = max(s.Count, 2*lists[i].count)
		}
	}
	s.Count = min(s.Count, len(lists)-1)
	if len(rows) == 0 || len(rows)*s.Count > room {
		return false
	}
	for k, of := range s.Of(ctx, rows, nil) {
		lists[rows[k]] = of
	}
	return ctx.Err() == nil
}

// Complete searches again until no list has left out a value of at least level, as far as there is room. It
// reports false if ctx ends.
func (s Search) Complete(ctx context.Context, lists []Best, level func(i int) float64, room int) bool {
	for s.more(ctx, lists, level, room) {
	}
	return ctx.Err() == nil
}

// Strongest completes lists until they have the given number of the largest values of all pairs, and what
// falls short of the last of them by no more than a share of slack; of values that tie, as many as there is
// room for. It reports false if ctx ends.
//
// A value that both lists have left out is no larger than the last of either. Rows whose last value
// is among the largest of all are few: each has a list full of such values.
func (s Search) Strongest(ctx context.Context, lists []Best, wanted int, slack float64) bool {
	for {
		pairs := Pairs(lists)
		if wanted > len(pairs) {
			wanted = len(pairs)
		}
		if wanted == 0 {
			return ctx.Err() == nil
		}
		values := make([]float64, len(pairs))
		for k, p := range pairs {
			values[k] = p.Weight
		}
		slices.Sort(values)
		level := values[len(values)-wanted] * (1 - slack)
		if !s.more(ctx, lists, func(int) float64 { return level }, 4*wanted) {
			return ctx.Err() == nil
		}
	}
}
