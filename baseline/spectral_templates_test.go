package baseline

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
)

func TestTemplatesAreExactWithTrueEigenvectors(t *testing.T) {
	slow(t)
	for seed := range uint64(6) {
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

// From 500 signals eigenvectors are too rough for the method, whatever its ε
// (docs/paper.md), and from 5000 some graphs have eigenvalues too near to each
// other; from 50 000 they are good enough.
func TestTemplatesFindTheGraphFromManySignals(t *testing.T) {
	slow(t)
	for _, set := range []TemplateSet{LaplacianTemplates, AdjacencyTemplates} {
		for seed := range uint64(4) {
			truth := drawn(t, 20, 50_000, seed)
			r := learned(t, SpectralTemplates{Set: set}, truth.Signals)
			score, err := metrics.EdgesAtCount(r.Weights, truth.Graph)
			if err != nil || score.F1() < 0.98 {
				t.Errorf("set %d, seed %d: F1 = %g at the true number of edges (%v)", set, seed, score.F1(), err)
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

func TestSpectralTemplatesRefuses(t *testing.T) {
	p := method.Problem{Y: drawn(t, 8, 20, 7).Signals}
	const set = "want 0 (normalised Laplacians) or 1 (adjacency matrices)"
	refuses(t, SpectralTemplates{Set: 7}, p, "set", set)
	refusesParams(t, "spectral-templates", map[string]string{"set": "2"}, p, "set", set)
	refuses(t, SpectralTemplates{MaxIterations: -1}, p, "iterations", "got -1, want at least 0")
	for _, rounds := range []int{51, math.MaxInt32} {
		words := fmt.Sprintf("got %d, want at most 50", rounds)
		refuses(t, SpectralTemplates{Rounds: rounds}, p, input.Rounds, words)
		refusesParams(t, "spectral-templates", map[string]string{"rounds": strconv.Itoa(rounds)}, p, input.Rounds, words)
	}
}
