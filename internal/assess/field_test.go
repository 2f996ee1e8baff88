package assess

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/evidence"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// chainField is a field on a chain, and what ggl learns from it.
func chainField(t *testing.T, n, m int) (*mat.Dense, *method.Result) {
	t.Helper()
	y := checks.Chain(*seed, n, m)
	result, err := baseline.GGL{}.Learn(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	return y, result
}

func evidenceOf(t *testing.T, y *mat.Dense, weights, g *graph.Graph) *evidence.Finding {
	t.Helper()
	found, err := evidence.Of(t.Context(), y, weights, g, evidence.Options{InTime: true})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFieldConfidenceEndsWithItsContext(t *testing.T) {
	y, r := chainField(t, 10, 100)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	c, err := FieldConfidence(ctx, y, r.Weights, r.Graph, evidenceOf(t, y, r.Weights, r.Graph), StabilityOptions{Report: func(int, int) { cancel(why) }})
	if c != nil || !errors.Is(err, why) {
		t.Errorf("got %v, %v", c, err)
	}
}

func TestAgreementIsTheShareFoundByBothHalves(t *testing.T) {
	a, b, c := [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}
	tally := fieldTally{found: []map[[2]int]float64{{a: 1, b: 1}, {a: 1}, {c: 1}, {b: 1}}}
	if got, want := tally.agreement(), 2.0/5; got != want {
		t.Errorf("got %g, want %g", got, want)
	}
	if got := (&fieldTally{}).agreement(); got != 0 {
		t.Errorf("no halves: got %g, want 0", got)
	}
}

func TestEvidenceOfHalvesInClosedForm(t *testing.T) {
	correlation := linalg.NewDense(3, 3)
	correlation.Data[1], correlation.Data[3] = 0.8, 0.8
	tally := fieldTally{
		edges:    []graph.Edge{{I: 0, J: 1}, {I: 0, J: 2}},
		vertices: 3, near: allPairs{correlation: correlation}, observed: 50,
		partial: [][]float64{{0.6, 0.5}, {0.6, 0.3}},
		found:   []map[[2]int]float64{{}, {}},
	}
	untested := evidence.Margin{Path: math.Inf(1), Below: true}
	got := tally.evidence(nil, nil)
	for k, want := range []fieldEvidence{
		{observed: 50, partial: 0.6, correlation: 0.8, inTree: true, density: 2. / 3, Margin: untested},
		{observed: 50, partial: 0.4, deviation: 0.1, inTree: true, density: 2. / 3, Margin: untested},
	} {
		got[k].partial, got[k].deviation = math.Round(1e9*got[k].partial)/1e9, math.Round(1e9*got[k].deviation)/1e9
		if got[k] != want {
			t.Errorf("edge %d: got %+v, want %+v", k, got[k], want)
		}
	}
}

func TestCorrelationTreeHasTheLargest(t *testing.T) {
	c := linalg.NewDense(4, 4)
	for _, e := range []graph.Edge{{I: 0, J: 1, Weight: 0.2}, {I: 0, J: 2, Weight: 0.9}, {I: 0, J: 3, Weight: 0.1}, {I: 1, J: 2, Weight: 0.5}, {I: 1, J: 3, Weight: 0.7}, {I: 2, J: 3, Weight: 0.3}} {
		c.Data[e.I*4+e.J], c.Data[e.J*4+e.I] = e.Weight, e.Weight
	}
	tree := correlationTree(c)
	if len(tree) != 3 || !tree[[2]int{0, 2}] || !tree[[2]int{1, 2}] || !tree[[2]int{1, 3}] {
		t.Errorf("got %v", tree)
	}
}

func TestCorrelationsInClosedForm(t *testing.T) {
	c := correlations(mat.NewDense(3, 4, []float64{1, 2, 3, 4, 8, 6, 4, 2, 5, 5, 5, 5}))
	for k, want := range []float64{1, -1, 0, -1, 1, 0, 0, 0, 0} {
		if math.Abs(c.Data[k]-want) > 1e-12 {
			t.Errorf("entry %d: got %g, want %g", k, c.Data[k], want)
		}
	}
}

func TestCandidatesHaveTheEdgesAndTheStrongest(t *testing.T) {
	c := linalg.NewDense(4, 4)
	c.Data[0*4+3], c.Data[1*4+3], c.Data[0*4+1] = 0.9, 0.5, -0.9
	weights := mustGraph(t, 4, graph.Edge{I: 0, J: 2, Weight: 3}, graph.Edge{I: 2, J: 3, Weight: 2}, graph.Edge{I: 1, J: 3, Weight: 1})
	g := mustGraph(t, 4, graph.Edge{I: 1, J: 2, Weight: 1})
	got := candidates(c, weights, g, 1)
	if want := [][2]int{{0, 2}, {0, 3}, {1, 2}, {2, 3}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAtMostTakesTheLesser(t *testing.T) {
	g := star(t, 4)
	of := func(c ...float64) *Confidence {
		h, err := g.WithConfidence(c)
		if err != nil {
			t.Fatal(err)
		}
		return &Confidence{Graph: h, Halves: 4}
	}
	c, err := of(0.9, 0.2, 0.5).AtMost([]float64{0.8, 0.7, 0.5})
	if err != nil || !slices.Equal(c.Graph.Confidence(), []float64{0.8, 0.2, 0.5}) || c.Halves != 4 {
		t.Errorf("got %v, %v", c, err)
	}
	if _, err := of(0.9, 0.2, 0.5).AtMost([]float64{0.8, 0.7}); err == nil {
		t.Error("other edges: no error")
	}
}
