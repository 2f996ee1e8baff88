package experiment

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestBinsAreTenthsAndTheLastIsSure(t *testing.T) {
	for confidence, want := range map[float64]int{0: 0, 0.099: 0, 0.1: 1, 0.3: 3, 0.7: 7, 0.899: 8, 0.9: 9, 0.999: 9, 1: 9} {
		if got := binOf(confidence); got != want {
			t.Errorf("%g: got bin %d, want %d", confidence, got, want)
		}
	}
}

// binsRecord is the record of a graph of 10 edges, with 4 learned at confidence 0.95, three of
// them true, and 2 at 0.25, one of them true.
func binsRecord(kind calibrationKind) Record {
	v := Values{"kind": kind.name, "role": kind.role, "learned_by": "ggl", "true_edges": 10.0}
	for b := range calibrationBins {
		v[edgesOf(b)], v[trueOf(b)], v[sumOf(b)] = 0.0, 0.0, 0.0
	}
	v[edgesOf(9)], v[trueOf(9)], v[sumOf(9)] = 4.0, 3.0, 3.8
	v[edgesOf(2)], v[trueOf(2)], v[sumOf(2)] = 2.0, 1.0, 0.5
	return Record{Stage: Measuring, Values: v}
}

func TestCalibrationTablesCountEdges(t *testing.T) {
	kind := calibrationKinds()[0]
	tables := calibrationTables([]Record{binsRecord(kind), binsRecord(kind)})
	want := []string{kind.name, "2 of 2", "12", "67 %", "8", "75 %", "30 %"}
	if got := tables[0].Rows[0]; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	bins := tables[len(tables)-1]
	if got, want := bins.Rows[2][1], "50 % of 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := bins.Rows[0][1], none+" of 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestReliabilityNeedsEdges(t *testing.T) {
	kind := calibrationKinds()[0]
	var few, many strings.Builder
	if err := calibrationFigure(&few, []Record{binsRecord(kind)}); err != nil {
		t.Fatal(err)
	}
	if err := calibrationFigure(&many, slices.Repeat([]Record{binsRecord(kind)}, 20)); err != nil {
		t.Fatal(err)
	}
	if few.Len() >= many.Len() {
		t.Error("bins of a few edges have points, too")
	}
}

// Every kind is drawn, and learning from one twice gives the same counts.
func TestCalibrationIsDeterministic(t *testing.T) {
	kinds := calibrationKinds()
	for _, k := range kinds {
		if truth, err := k.draw(3); err != nil || truth.Signals == nil || truth.Graph.EdgeCount() == 0 {
			t.Errorf("%s: got no graph, %v", k.name, err)
		}
	}
	by := kinds[slices.IndexFunc(kinds, func(k calibrationKind) bool { return strings.HasSuffix(k.name, "by ggl") })]
	var found []Values
	for range 2 {
		v, err := by.measure(t.Context(), 3)
		if err != nil {
			t.Fatal(err)
		}
		delete(v, secondsKey)
		found = append(found, v)
	}
	if !maps.Equal(found[0], found[1]) || found[0]["learned_by"] != "ggl" {
		t.Errorf("got %v and %v", found[0], found[1])
	}
}
