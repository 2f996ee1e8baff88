// Package sensors finds broken sensors: values that are stuck, codes for missing
// values, spikes, jumps of the unit, drifts, slipped clocks and copies.
//
// Signals are the columns of an N×M matrix, vertices are its rows, and columns
// follow one another in time if anything follows from time. An entry that is NaN is
// missing.
package sensors

// A Fault is a part of a recording that is not a measurement.
type Fault struct {
	Vertex   int
	Kind     Kind
	From, To int    // the observations it lies in: From ≤ m < To
	Entries  int    // how many of these are at fault
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
