package baseline

import (
	"testing"

	"github.com/nervure/nervure/method"
)

func TestTemplatesAreExactWithTrueEigenvectors(t *testing.T) {
	slow(t)
	for seed := range uint64(1) {
		g := erGraph(t, 20, 0.3, seed)
		y := exact(t, g, lowPass(t))
		for _, set := range []TemplateSet{LaplacianTemplates, AdjacencyTemplates} {
			for _, rounds := range []int{0, 1} {
				r := learned(t, SpectralTemplates{Set: set, Rounds: rounds}, y)
				e := relativeError(r.Weights, g, set == AdjacencyTemplates)
				if e > 1e-9 || !samePairs(r.Graph, g) || r.Method.(SpectralTemplates).Epsilon != 0 || r.Status != method.Converged {
					t.Errorf("seed %d, set %d, %d rounds: relative error %g, %d edges, want %d; ε = %g; %s after %d",
						seed, set, rounds, e, r.Graph.EdgeCount(), g.EdgeCount(), r.Method.(SpectralTemplates).Epsilon, r.Status, r.Rounds)
				}
			}
		}
	}
}

func TestSmallerEpsilonIsRaisedToTheSmallestPossible(t *testing.T) {
	truth := drawn(t, 12, 200, 12)
	r := learned(t, SpectralTemplates{Epsilon: 1e-9}, truth.Signals)
	if len(r.Warnings) != 1 || r.Method.(SpectralTemplates).Epsilon <= 1e-9 {
		t.Errorf("ε = %g with warnings %q", r.Method.(SpectralTemplates).Epsilon, r.Warnings)
	}
	loose := learned(t, SpectralTemplates{Epsilon: 0.5}, truth.Signals)
	if len(loose.Warnings) != 0 || loose.Method.(SpectralTemplates).Epsilon != 0.5 {
		t.Errorf("ε = %g with warnings %q, want the 0.5 given", loose.Method.(SpectralTemplates).Epsilon, loose.Warnings)
	}
}

func TestIterationsUsedUpAreReported(t *testing.T) {
	r := learned(t, SpectralTemplates{Rounds: 2, MaxIterations: 3}, drawn(t, 12, 200, 13).Signals)
	if r.Status != method.MaxRounds || r.Rounds != 9 { // the smallest ε, and two rounds
		t.Errorf("%s after %d iterations", r.Status, r.Rounds)
	}
}
