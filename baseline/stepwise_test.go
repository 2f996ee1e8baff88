package baseline

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/linalg"
)

// criterion computes the extended BIC of some edges from its formula, by glasso's
// solver with the zeros of Θ held.
func criterion(t *testing.T, s linalg.Dense, signals int, gamma float64, edge func(i, j int) bool) float64 {
	t.Helper()
	n, m := s.Rows, float64(signals)
	p, edges := newPrecision(s), 0.0
	eachPair(n, func(_, i, j int) {
		if edge(i, j) {
			edges++
			p.theta.Data[i*n+j], p.theta.Data[j*n+i] = 1e-9, 1e-9
		}
	})
	p.refit(t.Context(), 1e-12, 5000)
	return m*p.loss(s) + edges*(math.Log(m)+4*gamma*math.Log(float64(n)))
}

// Where the search ends, no single edge more or less lowers the criterion, as another
// solver computes it; nor did the tree that it began with have a lower one.
func TestStepwiseEndsWhereNoEdgeHelps(t *testing.T) {
	const n, signals, gamma = 7, 60, 0.5
	for trial := range 4 {
		y := mixedSignals(stream("stepwise", trial), n, signals)
		s := newStepwise(secondMoments(standardised(y)), signals, gamma)
		moments := s.model.S
		joined := s.model.Joined
		atTree := criterion(t, moments, signals, gamma, joined)
		for s.shrinkOnce(t.Context()) || s.growOnce(t.Context()) {
		}
		best := criterion(t, moments, signals, gamma, joined)
		if want := signals * (s.score + n); math.Abs(best-want) > 1e-3 {
			t.Errorf("trial %d: the search has %g, the formula %g", trial, want, best)
		}
		if best > atTree+1e-6 {
			t.Errorf("trial %d: %g is worse than the tree, %g", trial, best, atTree)
		}
		eachPair(n, func(_, a, b int) {
			other := criterion(t, moments, signals, gamma, func(i, j int) bool { return joined(i, j) != (i == a && j == b) })
			if other < best-0.5 { // the search goes by approximations when it chooses what to try
				t.Errorf("trial %d: changing %d–%d lowers the criterion from %g to %g", trial, a, b, best, other)
			}
		})
	}
}
