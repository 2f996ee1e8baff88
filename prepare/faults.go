package prepare

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
