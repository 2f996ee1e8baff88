package simulate

import (
	"math"
	"testing"
	"time"

	"github.com/nervure/nervure/internal/rng"
)

// Each of these has one value that nothing can be drawn with.
func TestSpecificationsRefuse(t *testing.T) {
	g := pairOf(t)
	for name, err := range map[string]error{
		"few vertices":        second(Changing(ChangingSpec{Vertices: 2})),
		"one observation":     second(Changing(ChangingSpec{Observations: 1})),
		"moment":              second(Changing(ChangingSpec{Moment: 2000})),
		"share of edges":      second(Changing(ChangingSpec{Share: 0.6})),
		"memory below 0":      second(Changing(ChangingSpec{Memory: -1})),
		"few regions":         second(FMRI(FMRISpec{Vertices: 3})),
		"few scans":           second(FMRI(FMRISpec{Observations: 9})),
		"blocks":              second(FMRI(FMRISpec{Blocks: -1})),
		"repetition":          second(FMRI(FMRISpec{Repetition: time.Minute})),
		"noise":               second(FMRI(FMRISpec{Noise: math.Inf(1)})),
		"few sensors":         second(Messy(MessySpec{Vertices: 7})),
		"few hours":           second(Messy(MessySpec{Observations: 99})),
		"memory of 1":         second(Messy(MessySpec{Memory: 1})),
		"mess":                second(Messy(MessySpec{Mess: "some"})),
		"most are broken":     second(Messy(MessySpec{Vertices: 20, Broken: 11})),
		"an unknown fault":    second(Messy(MessySpec{Kinds: []FaultKind{"rust"}})),
		"no fault":            second(Messy(MessySpec{Kinds: []FaultKind{}})),
		"no quantity":         second(PowerFlow(g, PowerSpec{Count: 1})),
		"no signals":          second(PowerFlow(g, PowerSpec{Quantity: VoltageAngles})),
		"share of loads":      second(PowerFlow(g, PowerSpec{Quantity: VoltageAngles, Count: 1, Shared: 1})),
		"two buses":           second(PowerFlow(g, PowerSpec{Quantity: VoltageAngles, Count: 1})),
		"a feeder of two":     second(Feeder(2, 0, rng.Stream(1, "feeder"))),
		"a graph of no kind":  second(FieldGraph("ladder", 400, 0, 1)),
		"a field of order 3":  second(LargeField(t.Context(), g, 3, 1, 0.1, 1)),
		"a field of no ridge": second(LargeField(t.Context(), g, 1, 1, 0, 1)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }
