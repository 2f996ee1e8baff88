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
)

// A Fault is a part of a recording that is not a measurement.
type Fault struct {
	Vertex   int
	Kind     Kind
	From, To int    // the observations it lies in: From ≤ m < To
	Places   []int  // the observations at fault, in their order
	Origin   int    // of a copy, the vertex whose values these are; else −1
	Sentence string // what speaks for it, such as "the value 21.5, 140 times in a row", without the vertex and the time
}

// A Kind says what is wrong with a sensor.
type Kind string

// The kinds of faults.
const (
	Stuck     Kind = "stuck"      // the same value again and again
	Code      Kind = "code"       // a number that stands for a missing value, such as -999
	Spike     Kind = "spikes"     // single values far from all others
	Noisy     Kind = "noise"      // a stretch with far more variation than others
	Jump      Kind = "unit jump"  // from one moment on in another unit or at another level
	Drift     Kind = "drift"      // slowly away from the other sensors
	ClockSlip Kind = "clock slip" // too early or too late
	Copy      Kind = "copy"       // the values of another sensor
)

// A Rule says what becomes of faults.
type Rule string

// The rules. The empty one is Mask.
const (
	Report Rule = "report" // they are listed, and nothing is changed
	Mask   Rule = "mask"   // they become missing values
	Drop   Rule = "drop"   // all values of a sensor with a fault become missing
)

// Rules returns all rules.
func Rules() []Rule { return []Rule{Report, Mask, Drop} }

// Apply returns y without the faults, as the rule says, and how many values it took
// away; y itself if that is none.
func (r Rule) Apply(y *mat.Dense, faults []Fault) (*mat.Dense, int) {
	if r == Report || len(faults) == 0 {
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
		if r == Drop {
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
