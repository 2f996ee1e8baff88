package nervure

import (
	"testing"

	"github.com/nervure/nervure/prepare"
)

// Edges have partial correlations that their intervals contain; those kept at a rate pass at it; and
// a floor that is asked for is the one tested.
func TestEdgesHaveEvidence(t *testing.T) {
	y := gridField(t, 400).Signals
	all, err := Learn(t.Context(), &Signals{Y: y}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := all.Graph.Evidence()
	if all.Evidence == nil || len(list) != all.Graph.EdgeCount() || len(list) == 0 {
		t.Fatalf("got %+v and %d of %d edges with evidence", all.Evidence, len(list), all.Graph.EdgeCount())
	}
	passed := 0
	for _, e := range list {
		if e.Low > e.Partial || e.Partial > e.High {
			t.Errorf("the interval of %+v does not contain it", e)
		}
		if e.Q <= SureRate {
			passed++
		}
	}
	if said := all.Summary().Evidence.Passed; said != passed {
		t.Errorf("%d edges pass, and %d are said to", passed, said)
	}
	strict, err := Learn(t.Context(), &Signals{Y: y}, Options{FDR: 0.01, Floor: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	if strict.Evidence.Floor != 0.25 || strict.Graph.EdgeCount() == 0 || strict.Graph.EdgeCount() >= all.Graph.EdgeCount() ||
		strict.Verdict.Edges != strict.Graph.EdgeCount() || strict.Verdict.Withheld != 0 {
		t.Errorf("got %d of %d edges with the floor %g, %d in the verdict and %d withheld", strict.Graph.EdgeCount(), all.Graph.EdgeCount(), strict.Evidence.Floor, strict.Verdict.Edges, strict.Verdict.Withheld)
	}
	if said := strict.Summary().Evidence.Passed; said != strict.Graph.EdgeCount() {
		t.Errorf("%d edges are said to pass of the %d that do", said, strict.Graph.EdgeCount())
	}
	for _, e := range strict.Graph.Evidence() {
		if e.Q > 0.01 {
			t.Errorf("an edge was kept with q = %g", e.Q)
		}
	}
	without, err := Learn(t.Context(), &Signals{Y: y}, Options{Confidence: No, Prepare: prepare.Options{Rows: prepare.RowsIndependent}})
	if err != nil || without.Evidence != nil || without.Graph.Evidence() != nil {
		t.Errorf("without confidence: got %+v, %v", without.Evidence, err)
	}
	for _, bad := range []Options{{Floor: -0.1}, {Floor: 1}, {FDR: 1.5}, {FDR: -1}} {
		if _, err := Learn(t.Context(), &Signals{Y: y}, bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
}
