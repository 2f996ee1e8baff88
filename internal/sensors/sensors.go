// Package sensors finds broken sensors: values that are stuck, codes for missing
// values, spikes, jumps of the unit, drifts, slipped clocks and copies.
//
// Signals are the columns of an N×M matrix, vertices are its rows, and columns
// follow one another in time if anything follows from time. An entry that is NaN is
// missing.
//
// What is usual differs from recording to recording: heavy tails, volatile times,
// rounded values. A sensor is therefore compared with the other ones. It is at fault
// where it departs by far more from its own usual state, and from what the other
// sensors predict, than the others do.
package sensors

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/prepare"
)

// Treat returns y with the faults treated by a rule, and how many values became missing;
// y itself if none did.
func Treat(y *mat.Dense, faults []prepare.Fault, rule prepare.FaultRule) (*mat.Dense, int) {
	if rule == prepare.ReportFaults || len(faults) == 0 {
		return y, 0
	}
	z, taken := mat.DenseCopyOf(y), 0
	for _, f := range faults {
		x := z.RawRowView(f.Vertex)
		take := func(k int) {
			if !math.IsNaN(x[k]) {
				x[k] = math.NaN()
				taken++
			}
		}
		if rule == prepare.DropSensors {
			for k := range x {
				take(k)
			}
			continue
		}
		for _, k := range f.Places {
			take(k)
		}
	}
	return z, taken
}
