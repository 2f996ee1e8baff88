package sensors

import (
	"testing"

	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/prepare"
)

// A sensor that goes over to another unit is found wherever that is, also in the middle of the recording, from the moment
// on, and no other one is.
func TestUnitsChangeInTheMiddle(t *testing.T) {
	if testing.Short() {
		t.Skip("slow under the race detector")
	}
	for name, c := range map[string]struct {
		changed func(v float64) float64
		share   float64
	}{
		"ten times":  {func(v float64) float64 { return 10 * v }, 0.5},
		"Fahrenheit": {func(v float64) float64 { return 1.8*v + 32 }, 0.6},
	} {
		const sensor = 4
		r := recording(t, simulate.MessySpec{Seed: 611, Mess: simulate.MessCycles})
		_, m := r.Signals.Dims()
		at := int(c.share * float64(m))
		for k := range m {
			v := 12 + 3*r.Signals.At(sensor, k) // degrees Celsius
			if k >= at {
				v = c.changed(v)
			}
			r.Signals.Set(sensor, k, v)
		}
		masked := 0
		for _, f := range faultsIn(t, r.Signals, nil, r.Times) {
			if f.Vertex != sensor {
				t.Errorf("%s from %d of %d on: sensor %d is not broken: %s", name, at, m, f.Vertex, f.Sentence)
			}
			if f.Kind == prepare.UnitJump || f.Kind == prepare.Drift {
				masked += len(f.Places)
			}
		}
		if shorter := min(at, m-at); masked < shorter*9/10 || masked > shorter*11/10+leastBlock {
			t.Errorf("%s from %d of %d on: %d values are masked", name, at, m, masked)
		}
	}
}
