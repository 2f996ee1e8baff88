package prepare

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/words"
)

// Prepared signals, and what was done to them on the way from those that were given.
type Prepared struct {
	Y        *mat.Dense // what is learned from
	Report   *Report
	Options  Options // as asked for, but for a common mode that the method keeps
	Warnings []Warning

	SensorFindings
	// Values is why values or differences were learned from; nil if that was not compared.
	Values *ValuesChoice

	Given *mat.Dense // the signals without faults, before preprocessing
	// CutShort reports whether something was left out because time was up; the warnings
	// say what. Nothing that is learned from such signals is kept in a checkpoint: with
	// more time, they would be others.
	CutShort bool
}

// Sentences returns the warnings as sentences.
func (p *Prepared) Sentences() []string {
	var list []string
	for _, w := range p.Warnings {
		list = append(list, w.Sentence())
	}
	return list
}

// SensorFindings are what is wrong with sensors.
type SensorFindings struct {
	Faults  []Fault
	Masked  int // values that became missing because of them
	Sensors SensorCheck
	// OutOfScale are the signals that are a thousand times as large as usual ones or larger.
	OutOfScale []int
}

// A SensorCheck is whether faults of sensors were looked for.
type SensorCheck string

// What became of the search.
const (
	SensorsChecked   SensorCheck = "checked"
	SensorsUnchecked SensorCheck = "not checked" // there are too few or too many sensors or values to tell what is usual
	SensorsCutShort  SensorCheck = "cut short"   // the time limit ended the search: there may be more faults
)

// A ValuesChoice is whether a graph is learned from the values of a time series or
// from their differences in time: from those that predict hidden vertices better.
type ValuesChoice struct {
	Differences bool // are learned from
	// PredictedValues and PredictedDifferences are the shares of the variance of a vertex
	// that the others predict in held-out signals.
	PredictedValues, PredictedDifferences float64
}

// String returns what was chosen, and why.
func (c *ValuesChoice) String() string {
	kept, other, more, less := "values", "differences", c.PredictedValues, c.PredictedDifferences
	if c.Differences {
		kept, other, more, less = other, kept, less, more
	}
	share := func(v float64) string { return words.Percent(max(v, 0)) }
	return fmt.Sprintf("learned from %s: hidden vertices are predicted better from these (%s of their variation) than from %s (%s)", kept, share(more), other, share(less))
}

// A Fault is a part of a recording that is not a measurement: the sensor of a vertex is
// broken there.
type Fault struct {
	Vertex   int
	Kind     FaultKind
	From, To int    // the observations it lies in: From ≤ m < To
	Places   []int  // the observations at fault, in their order
	Origin   int    // of a copy, the vertex whose values these are; else −1
	Sentence string // what speaks for it, such as "the value 21.5, 140 times in a row", without the vertex and the time
}

// A FaultKind is what is wrong with a sensor.
type FaultKind string

// The kinds of faults.
const (
	Stuck       FaultKind = "stuck"      // the same value again and again
	MissingCode FaultKind = "code"       // a number that stands for a missing value, such as -999
	Spikes      FaultKind = "spikes"     // single values far from all others
	Noisy       FaultKind = "noise"      // a stretch with far more variation than others
	UnitJump    FaultKind = "unit jump"  // from one moment on in another unit or at another level
	Drift       FaultKind = "drift"      // slowly away from the other sensors
	ClockSlip   FaultKind = "clock slip" // too early or too late
	Copy        FaultKind = "copy"       // the values of another sensor
)

// A FaultRule is how faults are treated.
type FaultRule string

// The rules. The empty one is MaskFaults.
const (
	ReportFaults FaultRule = "report" // they are listed, and nothing is changed
	MaskFaults   FaultRule = "mask"   // they become missing values
	DropSensors  FaultRule = "drop"   // all values of a sensor with a fault become missing
)

// FaultRules returns all rules.
func FaultRules() []FaultRule { return []FaultRule{ReportFaults, MaskFaults, DropSensors} }
