package recordings

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/nervure/nervure/cmd/docs/internal/records"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/prepare"
)

func TestJudgement(t *testing.T) {
	stuck := simulate.SensorFault{Vertex: 1, Kind: simulate.FaultStuck, Source: 1}
	double := simulate.SensorFault{Vertex: 2, Kind: simulate.FaultCopy, Source: 5}
	fault := func(vertex int, kind prepare.FaultKind) prepare.Fault {
		return prepare.Fault{Vertex: vertex, Kind: kind}
	}
	for name, c := range map[string]struct {
		found  []prepare.Fault
		want   []string // what was found of each, empty if nothing
		alarms []int
	}{
		"nothing found":                 {nil, []string{"", ""}, nil},
		"both, one of them twice":       {[]prepare.Fault{fault(1, prepare.Stuck), fault(1, prepare.Stuck), fault(2, prepare.Copy)}, []string{"stuck", "copy"}, nil},
		"as something else":             {[]prepare.Fault{fault(1, prepare.Noisy)}, []string{"noise", ""}, nil},
		"the source instead":            {[]prepare.Fault{fault(5, prepare.Copy)}, []string{"", "copy"}, nil},
		"the source as well":            {[]prepare.Fault{fault(2, prepare.Copy), fault(5, prepare.Copy)}, []string{"", "copy"}, nil},
		"the source as something else":  {[]prepare.Fault{fault(5, prepare.Drift)}, []string{"", ""}, []int{5}},
		"sensors that work":             {[]prepare.Fault{fault(9, prepare.Spikes), fault(7, prepare.Copy)}, []string{"", ""}, []int{7, 9}},
		"a source with something worse": {[]prepare.Fault{fault(5, prepare.Copy), fault(5, prepare.Drift)}, []string{"", ""}, []int{5}},
	} {
		broken, alarms := judge(c.found, []simulate.SensorFault{stuck, double})
		for k, b := range broken {
			if got := strings.Join(b.Found, " "); got != c.want[k] {
				t.Errorf("%s: found %q of sensor %d, want %q", name, got, b.Sensor, c.want[k])
			}
		}
		var sensors []int
		for _, a := range alarms {
			sensors = append(sensors, a.Sensor)
		}
		if !slices.Equal(sensors, c.alarms) {
			t.Errorf("%s: alarms %v, want %v", name, sensors, c.alarms)
		}
	}
}

func TestSureEdgesAreCounted(t *testing.T) {
	build := func(edges ...graph.Edge) *graph.Graph {
		g, err := graph.New(graph.DefaultNames(4), edges)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	truth := build(graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 2, J: 3, Weight: 1})
	found := build(graph.Edge{I: 0, J: 1, Weight: 1}, graph.Edge{I: 0, J: 2, Weight: 1}, graph.Edge{I: 2, J: 3, Weight: 1})
	if sure, _ := countSure(found, truth); sure != 0 {
		t.Errorf("%d edges are sure without confidence", sure)
	}
	found, err := found.WithConfidence([]float64{0.9, 0.95, 0.89})
	if err != nil {
		t.Fatal(err)
	}
	if sure, right := countSure(found, truth); sure != 2 || right != 1 {
		t.Errorf("%d sure, %d of them true, want 2 and 1", sure, right)
	}
}

// A record replaces that of the same kind and seed, and others stay, in order.
func TestRecordsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.jsonl")
	of := func(k Kind, seed uint64, edges int) Record {
		return Record{Kind: k, Seed: seed, Edges: edges, Clean: &Outcome{F1: 0.5}}
	}
	for _, r := range []Record{of(FMRI, 1, 1), of(Sensors, 2, 2), of(Sensors, 1, 3), of(Sensors, 2, 4)} {
		if err := keep(path, r); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadRecords(path)
	if want := []Record{of(Sensors, 1, 3), of(Sensors, 2, 4), of(FMRI, 1, 1)}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if len(Of(got, FMRI)) != 1 {
		t.Errorf("%+v", Of(got, FMRI))
	}
	if err := os.WriteFile(path, []byte(`{"kind":"tides"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRecords(path); err == nil || !strings.Contains(err.Error(), `no recordings of kind "tides"`) {
		t.Errorf("got %v", err)
	}
	if none, err := ReadRecords(path + ".none"); none != nil || err != nil {
		t.Errorf("got %v, %v", none, err)
	}
}

// One small recording of each kind, from seeds that the committed results do not have.
func TestMeasureLearnsFromRecordings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records.jsonl")
	var log strings.Builder
	m := Measurement{
		Kinds: Kinds(), Seeds: []uint64{3}, Scans: []uint64{4}, Log: &log,
		network: simulate.MessySpec{Vertices: 10, Observations: 200}, scan: simulate.FMRISpec{Vertices: 12, Blocks: 2, Observations: 80},
		series: []Setting{{12, 60, 60, 4}, {12, 60, 30, 7}},
	}
	if err := m.Measure(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	records, err := ReadRecords(path)
	if err != nil || len(records) != 3 {
		t.Fatalf("%+v, %v", records, err)
	}
	if r := records[0]; r.Seed != 3 || len(r.Broken) == 0 || r.Clean == nil || r.Cycles == nil || r.Messy == nil || r.Edges == 0 {
		t.Errorf("%+v", r)
	}
	if r := records[1]; r.Seed != 4 || r.Values == nil || r.Differences == nil || r.Auto == nil || r.Values.F1 == r.Differences.F1 {
		t.Errorf("%+v", r)
	}
	if r := records[2]; r.Seed != 3 || r.Edges == 0 || len(r.Windows) != 2 || r.Windows[0].F1 == 0 || r.Windows[0] == r.Windows[1] {
		t.Errorf("%+v", r)
	}
	if lines := strings.Split(log.String(), "\n"); !strings.HasPrefix(lines[0], "sensors 3: F1 ") || !strings.HasPrefix(lines[1], "fmri 4: F1 ") || !strings.HasPrefix(lines[2], "changing 3: F1 ") {
		t.Errorf("%q", lines)
	}
}

func TestRangesOfSeeds(t *testing.T) {
	for text, want := range map[string][]uint64{"7": {7}, "3-5": {3, 4, 5}, "5-3": nil, "": nil, "1-": nil, "-2": nil, "1-9999": nil, "a-b": nil} {
		if got, err := records.ParseSeeds(text); !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, count := range map[string]int{SensorSeeds: 20, ScanSeeds: 10} {
		if got, err := records.ParseSeeds(text); len(got) != count || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}
