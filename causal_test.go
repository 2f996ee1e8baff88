package nervure

import (
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

func causalSignals(t *testing.T, vertices int) (*Signals, *graph.Graph) {
	t.Helper()
	truth, err := simulate.Causal(simulate.CausalSpec{Vertices: vertices, Arrows: 2, Signals: 400, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &Signals{Y: truth.Signals, Names: graph.DefaultNames(vertices)}, truth.Graph
}

// What the pipeline checks of undirected graphs is not said of a directed one.
func TestADirectedGraphIsNotCheckedByWhatIsForOthers(t *testing.T) {
	s, _ := causalSignals(t, 12)
	a, err := Learn(t.Context(), s, Options{Method: baseline.Causal{}, Confidence: Yes})
	if err != nil {
		t.Fatal(err)
	}
	if a.Verdict.Grade != NotChecked || a.Confidence != nil || a.Graph.Confidence() != nil || a.Structure != nil {
		t.Errorf("verdict %q, confidence %v, structure %v", a.Verdict, a.Confidence, a.Structure)
	}
	if want := "confidence was not computed: for directed graphs it is not known how"; !slices.Contains(a.LearningWarnings, want) {
		t.Errorf("warnings %q, want %q", a.LearningWarnings, want)
	}
	doc := a.Summary()
	if !doc.Directed || !slices.ContainsFunc(doc.Findings, func(s string) bool {
		return strings.Contains(s, "of the arrows are one-way") && strings.Contains(s, "spectral radius")
	}) {
		t.Errorf("directed %t, findings %q", doc.Directed, doc.Findings)
	}
	auto, err := Learn(t.Context(), s, Options{Method: baseline.Causal{}})
	if err != nil || len(auto.Warnings()) > 0 {
		t.Errorf("%q, %v", auto.Warnings(), err)
	}
}

// That signals depend on those before is what the method learns from, and no reason
// to take differences.
func TestAdviceForAMethodThatUsesTheOrder(t *testing.T) {
	s, _ := causalSignals(t, 40)
	for i := range 40 { // slow, with a movement that all share
		row := s.Y.RawRowView(i)
		for k := 1; k < len(row); k++ {
			row[k] = 0.9*row[k-1] + 0.1*row[k]
		}
		for k := range row {
			row[k] += 5 * float64(k%100) / 100
		}
	}
	kinds := func(m method.Method, o prepare.Options) []prepare.WarningKind {
		var list []prepare.WarningKind
		p, err := intake.Prepare(t.Context(), s, intake.Request{Prepare: o, CommonMode: method.CommonModeOf(m, s.Y, nil)})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range p.Warnings {
			list = append(list, w.Kind)
		}
		return list
	}
	if got := kinds(baseline.GGL{}, prepare.Options{}); !slices.Contains(got, prepare.Autocorrelated) {
		t.Errorf("ggl: %q", got)
	}
	if got := kinds(baseline.Causal{}, prepare.Options{}); !slices.Equal(got, []prepare.WarningKind{prepare.CommonModeInTime}) {
		t.Errorf("causal: %q", got)
	}
	if got := kinds(baseline.Causal{}, prepare.Options{Difference: prepare.Yes}); !slices.Contains(got, prepare.DifferencesInTime) || slices.Contains(got, prepare.StillAutocorrelated) {
		t.Errorf("causal with differences: %q", got)
	}
}

// Held-out signals are predicted without their order, which says nothing about what
// follows from what: such a method is a row, and is not recommended.
func TestAMethodThatUsesTheOrderIsNotRanked(t *testing.T) {
	s, truth := causalSignals(t, 12)
	c, err := Compare(t.Context(), s, CompareOptions{Methods: []method.Method{baseline.Causal{}, baseline.Correlation{}}, Truth: truth})
	if err != nil {
		t.Fatal(err)
	}
	causal := c.Methods[0]
	if causal.Place != nil || causal.HeldOut != nil || c.Methods[1].Place == nil || c.Ranking.Recommended == "causal" {
		t.Errorf("place %v, recommended %q", causal.Place, c.Ranking.Recommended)
	}
	if want := "not ranked: held-out signals are predicted without regard to their order in time"; !slices.Contains(causal.Warnings, want) {
		t.Errorf("warnings %q", causal.Warnings)
	}
	if causal.Score.F1() < 0.8 || causal.Score.True != truth.EdgeCount() || c.Methods[1].Score.True != truth.Undirected().EdgeCount() {
		t.Errorf("scores %+v and %+v", causal.Score, c.Methods[1].Score)
	}
}

func TestTheSparseMethodRefusesADirectedStart(t *testing.T) {
	s, truth := causalSignals(t, 12)
	for _, o := range []learn.Options{{Init: truth}, {Prior: truth}} {
		_, err := Learn(t.Context(), s, Options{Method: learn.Sparse{Options: o}})
		if fault := input.Find(err); fault == nil || fault.Msg != "the graph is directed, and edges of this model have no direction" {
			t.Errorf("got %v", err)
		}
	}
}
