package baseline

import (
	"cmp"
	"context"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/method"
)

// Consensus ranks the pairs of vertices by the mean of their ranks under three methods
// that err in different ways: [GGL], [Partial] and [Trees]. Pairs to which a method
// gives no weight share the mean of the ranks that are left.
//
// The weight of a pair is the share of all pairs that come after it. The method's own
// cut keeps as many edges as GGL does, and at least as many as a spanning tree has,
// unless GGL keeps none.
//
// If ctx ends, the pairs ranked by the methods that have ended come with the cause.
type Consensus struct{}

var consensusEntry = register(method.Entry{
	Default: Consensus{},
	About:   "the mean of the edge ranks of ggl, partial and trees",
})

// Name returns "consensus".
func (Consensus) Name() string { return "consensus" }

// Learn keeps the contract of [method.Method].
func (m Consensus) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return consensusEntry.Run(ctx, m, p, m.learn)
}

func (m Consensus) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, _ := p.Y.Dims()
	own := p
	own.Cut = graph.Cut{} // GGL's own number of edges is that of the consensus
	r := &method.Result{Method: m, Status: method.Converged}
	ranks := make([]float64, n*(n-1)/2)
	kept := 0
	for _, member := range []method.Method{Trees{}, Partial{}, GGL{}} {
		found, err := member.Learn(ctx, own)
		if found == nil {
			return nil, err
		}
		addRanks(ranks, found.Weights)
		kept = found.Graph.EdgeCount() // of GGL in the end
		r.Rounds += found.Rounds
		r.Status = worse(r.Status, found.Status)
		r.Warnings = append(r.Warnings, found.Warnings...)
		if found.Status == method.Interrupted {
			break
		}
	}
	r.Weights = fromPairs(n, sharesAfter(ranks))
	if kept > 0 {
		kept = max(kept, n-1)
	}
	r.Graph = r.Weights.Strongest(kept)
	return r, nil
}

// addRanks adds the rank of each pair by weight, from 0 for the heaviest. Equal ones
// share the mean of their ranks.
func addRanks(ranks []float64, weights *graph.Graph) {
	n := weights.Vertices()
	w := make([]float64, len(ranks))
	for _, e := range weights.Edges() {
		w[pairIndex(n, e.I, e.J)] = e.Weight
	}
	eachTie(w, func(tied []int, first int) {
		for _, e := range tied {
			ranks[e] += float64(first) + float64(len(tied)-1)/2
		}
	})
}

// sharesAfter returns the share of all pairs that come after each: those of higher
// rank, and half of its equals.
func sharesAfter(ranks []float64) []float64 {
	least := make([]float64, len(ranks))
	for e, r := range ranks {
		least[e] = -r
	}
	shares := make([]float64, len(ranks))
	eachTie(least, func(tied []int, first int) {
		after := float64(len(ranks)-first-len(tied)) + float64(len(tied)-1)/2
		for _, e := range tied {
			shares[e] = after / float64(len(ranks))
		}
	})
	return shares
}

// eachTie calls f with the indices of equal values, from the largest value on, and how
// many values are larger.
func eachTie(values []float64, f func(tied []int, first int)) {
	order := matrix.Sorted(len(values), func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && values[order[end]] == values[order[first]] {
			end++
		}
		f(order[first:end], first)
		first = end
	}
}
