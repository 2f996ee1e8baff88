package experiment

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nervure/nervure/internal/assess"
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
	const edges = "1 0.95;1 0.95;1 0.95;0 0.95;1 0.25;0 0.25"
	return Record{Stage: Measuring, Values: Values{
		"kind": kind.name, "role": kind.role, "family": kind.family,
		"learned_by": "ggl", "true_edges": 10.0, judgedKey: edges,
	}}
}

func TestCalibrationTablesCountEdges(t *testing.T) {
	kind := calibrationKinds()[0]
	tables := calibrationTables([]Record{binsRecord(kind), binsRecord(kind)})
	want := []string{kind.name, "2 of 2", "12", "67 %", "8", "75 %", "30 %"}
	if got := tables[0].Rows[0]; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	bins := tables[len(calibrationRoles)]
	if got, want := bins.Rows[2][1], "50 % of 4"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := bins.Rows[0][1], none+" of 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestJudgedEdgesAreReadAsWritten(t *testing.T) {
	field := judgedEdge{byField: true}
	field.True, field.Most = true, 0.999
	for k := range field.Regressors {
		field.Regressors[k] = 1 - float64(k)/4
	}
	plain := judgedEdge{}
	plain.Most, plain.Regressors[0] = 0.3, 1
	edges := []judgedEdge{field, plain}
	if got := judgedEdges(judgedText(edges)); !slices.Equal(got, edges) {
		t.Errorf("got %+v, want %+v", got, edges)
	}
	if got := judgedEdges(judgedText(nil)); got != nil {
		t.Errorf("of none: got %+v", got)
	}
}

// calibrated is the calibrator of the results in the repository.
var calibrated = sync.OnceValues(func() (*calibrator, error) {
	records, err := ReadRecords(filepath.Join("../../../docs/results", Calibration))
	return newCalibrator(records), err
})

// The coefficients in use are those that the results in the repository give.
func TestCoefficientsAreThoseMeasured(t *testing.T) {
	c, err := calibrated()
	if err != nil {
		t.Fatal(err)
	}
	for k, got := range c.coefficients("") {
		if in := assess.FieldCoefficients[k]; math.Abs(got-in) > 0.006*max(1, math.Abs(got)) {
			t.Errorf("%s: %g in use, %.3g by the results", assess.FieldRegressors[k], in, got)
		}
	}
}

// The tutorial promises what the worst family has, as reports show it, and names the worst kind of signals in any.
func TestTutorialPromisesTheWorstFamily(t *testing.T) {
	c, err := calibrated()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(c.reliability()), "\n")
	worst := strings.Split(lines[1], ",")
	share, err := strconv.ParseFloat(worst[2], 64)
	if err != nil || worst[0] != "voltage" {
		t.Fatalf("the worst family is %q, %v", lines[1], err)
	}
	tutorial, err := os.ReadFile("../../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	kind := c.roleTable(fieldRole).Rows[0]
	if kind[0] != "voltage angles" {
		t.Fatalf("the worst kind is %q", kind)
	}
	text := strings.Join(strings.Fields(string(tutorial)), " ")
	for _, promise := range []string{
		fmt.Sprintf("at least %.0f %% are true in each of %d families of simulated signals", 100*share, len(lines)-1),
		fmt.Sprintf("%s of %s edges between voltage angles", kind[5], kind[4]),
	} {
		if !strings.Contains(text, promise) {
			t.Errorf("docs/tutorial.md does not say %q", promise)
		}
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
