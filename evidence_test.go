package nervure

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/method"
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
	usual, err := Learn(t.Context(), &Signals{Y: y}, Options{Floor: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	stricter, err := Learn(t.Context(), &Signals{Y: y}, Options{FDR: 0.001, Floor: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	if now, before := stricter.Summary().Evidence, usual.Summary().Evidence; now.Passed+now.UndrawnPassed != before.Passed+before.UndrawnPassed || now.Passed == before.Passed {
		t.Errorf("%d edges and %d other pairs pass at 0.1, and without the rate %d and %d", now.Passed, now.UndrawnPassed, before.Passed, before.UndrawnPassed)
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

// Edges that are not known by codes have a confidence up to the sizes that the manual names, and where
// vertices are too many the analysis can tell; their evidence has no such bound.
func TestConfidenceBySize(t *testing.T) {
	for _, c := range []struct {
		vertices, signals   int
		confident, tooLarge bool
	}{{500, 6000, true, false}, {500, 6001, false, false}, {501, 6001, true, false}, {20_000, 2000, true, false}, {20_000, 2001, false, false}, {20_001, 20, false, true}} {
		if got := isFieldSize(c.vertices, c.vertices*c.signals); got != c.confident {
			t.Errorf("%d vertices and %d signals: got %t, want %t", c.vertices, c.signals, got, c.confident)
		}
		if c.vertices*c.signals > 3_000_000 {
			continue // the others take no memory
		}
		g, err := graph.New(graph.DefaultNames(c.vertices), []graph.Edge{{I: 0, J: 1, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		all := unprepared(mat.NewDense(c.vertices, c.signals, nil))
		a := &Analysis{Graph: g, Result: &method.Result{}, Preparation: all.Prepared, signals: all, Options: Options{Confidence: Auto}}
		if a.wantsConfidence() != c.confident || a.isTooLarge() != c.tooLarge || !a.wantsEvidence() {
			t.Errorf("%d vertices: confidence %t, too large %t, evidence %t", c.vertices, a.wantsConfidence(), a.isTooLarge(), a.wantsEvidence())
		}
	}
}

func TestPairsThatPassAndAreNoEdgesAreTold(t *testing.T) {
	a, err := Learn(t.Context(), &Signals{Y: gridField(t, 400).Signals}, Options{Cut: graph.Cut{Rule: graph.CutEdges, Edges: 8}, Floor: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	listed := a.Summary().Evidence
	if listed.UndrawnPassed < 2 || len(listed.Undrawn) != listed.UndrawnPassed {
		t.Fatalf("%d pairs of %d are listed: most edges of the grid were cut off", len(listed.Undrawn), listed.UndrawnPassed)
	}
	for _, p := range listed.Undrawn {
		i, j := slices.Index(a.Graph.Names(), p.Source), slices.Index(a.Graph.Names(), p.Target)
		if a.Graph.HasEdge(i, j) || p.Q > SureRate || p.Low > p.Partial || p.Partial > p.High || math.Abs(p.Partial) <= listed.Floor {
			t.Errorf("%+v is an edge or does not pass", p)
		}
	}
	for count, want := range map[int]string{0: "", 1: "; so has at least 1 pair that is not an edge", 7: "; so have at least 7 pairs that are not edges"} {
		some := &Analysis{Evidence: &EdgeEvidence{UndrawnCount: count}} // of pairs that the method gave a weight
		if got := some.undrawnWords(); got != want {
			t.Errorf("of some pairs: got %q, want %q", got, want)
		}
	}
}
