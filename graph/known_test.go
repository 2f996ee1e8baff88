package graph

import (
	"math"
	"slices"
	"testing"
)

// marked gives each edge of a random graph a confidence and evidence that its ends
// determine by their names, so that they can be told after any change of the graph.
func marked(t *testing.T, n int) *Graph {
	t.Helper()
	g := random(t, n, 0.4)
	return mustMark(t, g)
}

func markOf(g *Graph, e Edge) float64 {
	a, b := g.names[e.I], g.names[e.J]
	var sum int
	for _, c := range a + b { // the same in both directions
		sum += int(c) * int(c)
	}
	return float64(sum%997) / 997
}

// evidenceOf is evidence with a given mark.
func evidenceOf(mark float64) Evidence { return Evidence{mark / 2, -mark, mark, 1 - mark} }

func mustMark(t *testing.T, g *Graph) *Graph {
	t.Helper()
	var marks []float64
	var evidence []Evidence
	for _, e := range g.Edges() {
		marks = append(marks, markOf(g, e))
		evidence = append(evidence, evidenceOf(markOf(g, e)))
	}
	return must(t)(must(t)(g.WithConfidence(marks)).WithEvidence(evidence))
}

// must returns a graph, and fails the test if there is an error instead.
func must(t *testing.T) func(*Graph, error) *Graph {
	t.Helper()
	return func(g *Graph, err error) *Graph {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
}

func TestConfidenceAndEvidenceAreIndependent(t *testing.T) {
	g := marked(t, 6)
	unsure, bare := must(t)(g.WithConfidence(nil)), must(t)(g.WithEvidence(nil))
	if unsure.Confidence() != nil || !slices.Equal(unsure.Evidence(), g.Evidence()) {
		t.Errorf("without confidence: got %v and %v", unsure.Confidence(), unsure.Evidence())
	}
	if bare.Evidence() != nil || !slices.Equal(bare.Confidence(), g.Confidence()) {
		t.Errorf("without evidence: got %v and %v", bare.Confidence(), bare.Evidence())
	}
}

func TestEvidenceIsACorrelationInItsIntervalAndARate(t *testing.T) {
	g := mustNew(t, 3, Edge{0, 1, 1}, Edge{1, 2, 1})
	if g.Evidence() != nil {
		t.Error("a new graph has evidence")
	}
	good, nan := Evidence{0.25, 0, 0.5, 0.01}, math.NaN()
	for name, bad := range map[string][]Evidence{
		"of one edge": {good}, "of none": {},
		"a correlation above 1":           {good, {1.1, 0, 1, 0}},
		"a correlation below −1":          {good, {-1.1, -1, 0, 0}},
		"no correlation":                  {good, {nan, 0, 1, 0}},
		"an interval below it":            {good, {0.5, 0, 0.4, 0}},
		"an interval above it":            {good, {0.5, 0.6, 1, 0}},
		"an interval that starts too low": {good, {0, -1.1, 1, 0}},
		"an interval that ends too high":  {good, {0, -1, math.Inf(1), 0}},
		"an interval without a start":     {good, {0, nan, 1, 0}},
		"an interval without an end":      {good, {0, -1, nan, 0}},
		"a rate above 1":                  {good, {0, -1, 1, 1.1}},
		"a rate below 0":                  {good, {0, -1, 1, -0.1}},
		"no rate":                         {good, {0, -1, 1, nan}},
	} {
		if _, err := g.WithEvidence(bad); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	given := []Evidence{good, {-1, -1, -1, 0}}
	want := slices.Clone(given)
	h := must(t)(g.WithEvidence(given))
	given[0].Q = 0.5
	h.Evidence()[1].Partial = 0
	if !slices.Equal(h.Evidence(), want) || g.Evidence() != nil {
		t.Errorf("the graph is not immutable: %v, %v", h.Evidence(), g.Evidence())
	}
}

func TestConfidenceIsANumberFrom0To1ForEachEdge(t *testing.T) {
	g := mustNew(t, 3, Edge{0, 1, 1}, Edge{1, 2, 1})
	if g.Confidence() != nil {
		t.Error("a new graph has a confidence")
	}
	for _, bad := range [][]float64{{1}, {}, {0.5, 1.1}, {-0.1, 1}, {math.NaN(), 0}} {
		if _, err := g.WithConfidence(bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	given := []float64{0, 1}
	h, err := g.WithConfidence(given)
	if err != nil {
		t.Fatal(err)
	}
	given[0] = 0.5
	h.Confidence()[1] = 0.5
	if !slices.Equal(h.Confidence(), []float64{0, 1}) || g.Confidence() != nil {
		t.Errorf("the graph is not immutable: %v, %v", h.Confidence(), g.Confidence())
	}
	if bare, err := h.WithConfidence(nil); err != nil || bare.Confidence() != nil {
		t.Errorf("nil does not take confidences away: %v", err)
	}
}
