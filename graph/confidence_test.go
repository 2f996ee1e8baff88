package graph

import (
	"math"
	"slices"
	"testing"
)

// marked gives each edge of a random graph a confidence that its ends determine
// by their names, so that it can be told after any change of the graph.
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

func mustMark(t *testing.T, g *Graph) *Graph {
	t.Helper()
	var marks []float64
	for _, e := range g.Edges() {
		marks = append(marks, markOf(g, e))
	}
	g, err := g.WithConfidence(marks)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConfidenceStaysWithItsEdge(t *testing.T) {
	g := marked(t, 12)
	permuted, err := g.Permuted([]int{3, 11, 0, 7, 5, 1, 2, 10, 9, 8, 4, 6})
	if err != nil {
		t.Fatal(err)
	}
	atGap, _ := g.CutAtGap()
	stripped, _ := g.Strongest(4).WithoutIsolated()
	for name, h := range map[string]*Graph{
		"as given": g, "the strongest": g.Strongest(7), "above": g.Above(0.5), "cut at the gap": atGap,
		"above a share": g.AboveShare(0.9), "reordered": permuted, "without isolated vertices": stripped,
	} {
		confidence := h.Confidence()
		if len(confidence) == 0 || len(confidence) != h.EdgeCount() {
			t.Errorf("%s: got %d confidences for %d edges", name, len(confidence), h.EdgeCount())
			continue
		}
		for k, e := range h.Edges() {
			if want := markOf(h, e); confidence[k] != want {
				t.Errorf("%s: edge %v: got %g, want %g", name, e, confidence[k], want)
			}
		}
	}
	if renamed, err := g.Rename(DefaultNames(40)[28:]); err != nil || !slices.Equal(renamed.Confidence(), g.Confidence()) {
		t.Errorf("renamed: got %v and confidences %v, want %v", err, renamed.Confidence(), g.Confidence())
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
