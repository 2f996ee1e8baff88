package intake

import (
	"slices"
	"testing"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/prepare"
)

func TestRejoinedVerticesHaveTheEdgesOfTheirOriginWithWhatIsKnown(t *testing.T) {
	g := must.Get(graph.New(graph.DefaultNames(5), []graph.Edge{{I: 1, J: 2, Weight: -3}, {I: 2, J: 3, Weight: 2}}))
	a, b := graph.Evidence{Partial: -0.5, Low: -0.75, High: -0.25, Q: 0.125}, graph.Evidence{Partial: 0.25, Low: 0, High: 0.5, Q: 1}
	twins := graph.Evidence{Partial: 1, Low: 1, High: 1, Q: 0}
	equal := []prepare.Equal{{Vertex: 0, Origin: 3}, {Vertex: 4, Origin: 3}} // 0, 3 and 4 are one
	wantEdges := []graph.Edge{
		{I: 0, J: 2, Weight: 2},
		{I: 0, J: 3, Weight: 3},
		{I: 0, J: 4, Weight: 3},
		{I: 1, J: 2, Weight: -3},
		{I: 2, J: 3, Weight: 2},
		{I: 2, J: 4, Weight: 2},
		{I: 3, J: 4, Weight: 3},
	}
	for name, c := range map[string]struct {
		confidence, wantConfidence []float64
		evidence, wantEvidence     []graph.Evidence
	}{
		"nothing":    {},
		"confidence": {confidence: []float64{0.25, 0.75}, wantConfidence: []float64{0.75, 1, 1, 0.25, 0.75, 0.75, 1}},
		"evidence":   {evidence: []graph.Evidence{a, b}, wantEvidence: []graph.Evidence{b, twins, twins, a, b, b, twins}},
		"both": {
			[]float64{0.25, 0.75},
			[]float64{0.75, 1, 1, 0.25, 0.75, 0.75, 1},
			[]graph.Evidence{a, b},
			[]graph.Evidence{b, twins, twins, a, b, b, twins},
		},
	} {
		known, err := g.WithConfidence(c.confidence)
		if err == nil {
			known, err = known.WithEvidence(c.evidence)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := rejoined(known, equal)
		if !slices.Equal(got.Edges(), wantEdges) || !slices.Equal(got.Confidence(), c.wantConfidence) ||
			!slices.Equal(got.Evidence(), c.wantEvidence) {
			t.Errorf("with %s: got %v with confidence %v and evidence %v, want %v, %v and %v",
				name, got.Edges(), got.Confidence(), got.Evidence(), wantEdges, c.wantConfidence, c.wantEvidence)
		}
	}
}
