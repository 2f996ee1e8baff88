package measure

import (
	"testing"

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
		want   [2]string // what was found of each, empty if nothing
		alarms string
	}{
		"nothing found": {nil, [2]string{"", ""}, ""},
		"both, one of them twice": {[]prepare.Fault{
			fault(1, prepare.Stuck), fault(1, prepare.Stuck),
			fault(2, prepare.Copy),
		}, [2]string{"stuck", "copy"}, ""},
		"as something else":            {[]prepare.Fault{fault(1, prepare.Noisy)}, [2]string{"noise", ""}, ""},
		"the source instead":           {[]prepare.Fault{fault(5, prepare.Copy)}, [2]string{"", "copy"}, ""},
		"the source as well":           {[]prepare.Fault{fault(2, prepare.Copy), fault(5, prepare.Copy)}, [2]string{"", "copy"}, ""},
		"the source as something else": {[]prepare.Fault{fault(5, prepare.Drift)}, [2]string{"", ""}, "5: drift"},
		"sensors that work": {
			[]prepare.Fault{fault(9, prepare.Spikes), fault(7, prepare.Copy)},
			[2]string{"", ""},
			"7: copy; 9: spikes",
		},
		"a source with something worse": {[]prepare.Fault{fault(5, prepare.Copy), fault(5, prepare.Drift)}, [2]string{"", ""}, "5: copy, drift"},
	} {
		broken, alarms := judge(c.found, []simulate.SensorFault{stuck, double})
		if want := "1, stuck: " + c.want[0] + "; 2, copy: " + c.want[1]; broken != want || alarms != c.alarms {
			t.Errorf("%s: found %q, alarms %q, want %q and %q", name, broken, alarms, want, c.alarms)
		}
	}
}

// One small recording of each kind, from seeds that the committed results do not have.
func TestRecordingsAreLearnedFrom(t *testing.T) {
	network, err := measureSensors(t.Context(), simulate.MessySpec{Vertices: 10, Observations: 200, Seed: 3}, 1)
	if err != nil || network["broken"] == "" || network["clean.found"] == 0.0 || network["known.right"] == nil {
		t.Errorf("%v, %v", network, err)
	}
	scan, err := measureScan(t.Context(), simulate.FMRISpec{Vertices: 12, Blocks: 2, Observations: 80, Seed: 4}, 1)
	if err != nil || scan["values.found"] == scan["differences.found"] && scan["values.right"] == scan["differences.right"] {
		t.Errorf("%v, %v", scan, err)
	}
	changed, err := Windows{12, 60, 60, 4}.measure(t.Context(), 3, 1)
	if err != nil || changed["f1"] == 0.0 || changed["flicker"] == nil {
		t.Errorf("%v, %v", changed, err)
	}
}
