package intake

import (
	"math"
	"testing"

	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// Codes among the values are taken out and said, all other values stay as they are, and nothing is taken where faults are to
// be reported.
func TestOnlyFaultsAreTakenOut(t *testing.T) {
	r, err := simulate.Messy(simulate.MessySpec{Seed: 11, Observations: 500, Mess: simulate.MessNone})
	if err != nil {
		t.Fatal(err)
	}
	const sensor, from, to = 2, 200, 260
	isCode := func(i, k int) bool { return i == sensor && k >= from && k < to }
	y := r.Signals
	y.Apply(func(i, k int, v float64) float64 {
		if isCode(i, k) {
			return -999
		}
		return v
	}, y)
	for rule, missing := range map[prepare.FaultRule]bool{prepare.MaskFaults: true, prepare.ReportFaults: false} {
		values, said, err := WithoutFaults(t.Context(), &signals.Set{Y: y, Times: r.Times}, rule)
		if err != nil || len(said) == 0 {
			t.Fatalf("%s: %q, %v", rule, said, err)
		}
		n, m := y.Dims()
		for i := range n {
			for k := range m {
				if v := values.At(i, k); math.IsNaN(v) != (math.IsNaN(y.At(i, k)) || missing && isCode(i, k)) {
					t.Fatalf("%s: sensor %d, observation %d: %g of %g", rule, i, k, v, y.At(i, k))
				}
			}
		}
	}
}
