// Package simulate draws recordings as they come, with a known graph behind them: sensors
// with cycles, gaps and faults, brain scans, graphs that change and power grids.
// Package synth draws the graphs and the fields.
package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/synth"
)

// Mess says how far a recording is from the field behind it.
type Mess string

// The kinds of mess.
const (
	MessAll    Mess = "all"    // cycles, trend, offsets, scales, gaps, rounding and broken sensors
	MessCycles Mess = "cycles" // all of these but broken sensors
	MessNone   Mess = "none"   // the field and a little noise of measurement
)

// Messes returns all kinds of mess.
func Messes() []Mess { return []Mess{MessAll, MessCycles, MessNone} }

// A MessySpec says which recording of a network of sensors to draw.
type MessySpec struct {
	Vertices     int     // before isolated ones are stripped, at least 8; zero means 40
	Observations int     // hourly, at least 100; zero means 2000
	Memory       float64 // coefficient of the field from one hour to the next, below 1; zero means 0.5
	Mess         Mess    // zero means all

	Broken int         // sensors that break, at most half; zero means 3 to 6 of every 40, drawn at random
	Kinds  []FaultKind // what may be wrong with them; nil means all kinds

	Seed uint64 // the streams are those of [synth.Graph], and some whose names start with "messy"
}

// A Recording is what a network of sensors measured, and the truth about it.
type Recording struct {
	Spec        MessySpec     // as resolved
	Graph       *graph.Graph  // which the field lives on
	Coordinates [][2]float64  // of each sensor
	Times       []time.Time   // of the observations
	Clean       *mat.Dense    // sensors × observations: the field, with a little noise
	Signals     *mat.Dense    // what was recorded; NaN where a value is missing
	Faults      []SensorFault // by sensor
	Quantity    string        // what is measured, in which unit; empty without mess
	Weekly      bool          // there is a weekly cycle as well as the daily one
}

// recordingStart is the time of the first observation: a Monday.
var recordingStart = time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC)

// timesOf returns the times of a recording.
func timesOf(count int, every time.Duration) []time.Time {
	times := make([]time.Time, count)
	for m := range times {
		times[m] = recordingStart.Add(time.Duration(m) * every)
	}
	return times
}

// Resolve returns the specification with its defaults filled in, as [Messy] uses it, or
// all its faults.
func (s MessySpec) Resolve() (MessySpec, error) {
	s.Vertices = cmp.Or(s.Vertices, 40)
	s.Observations = cmp.Or(s.Observations, 2000)
	s.Memory = cmp.Or(s.Memory, 0.5)
	s.Mess = cmp.Or(s.Mess, MessAll)
	if s.Kinds == nil {
		s.Kinds = FaultKinds()
	}
	list := []requirement{
		{input.Vertices, s.Vertices, s.Vertices >= 8, "at least 8"},
		{input.Signals, s.Observations, s.Observations >= 100, "at least 100"},
		{"memory", s.Memory, s.Memory > 0 && s.Memory < 1, "a number above 0 and below 1"},
		{"mess", strconv.Quote(string(s.Mess)), slices.Contains(Messes(), s.Mess), fmt.Sprintf("one of %v", Messes())},
		{"broken sensors", s.Broken, s.Broken >= 0 && s.Broken <= s.Vertices/2, fmt.Sprintf("0 to half of the %d vertices", s.Vertices)},
		{"kinds", "none", len(s.Kinds) > 0, "at least one"},
	}
	for _, k := range s.Kinds {
		list = append(list, requirement{
			"kinds", strconv.Quote(string(k)), slices.Contains(FaultKinds(), k),
			fmt.Sprintf("some of %q", FaultKinds()),
		})
	}
	return s, check("simulate.MessySpec", list...)
}

// sensorNoise is the noise of measurement, over the standard deviation of each sensor.
const sensorNoise = 0.1

// Messy draws a recording as sensors in the field make it. Behind it is a Gaussian
// field on a graph of random points, each hour depending on the one before. A sensor
// shows it with a level and a scale of its own, on top of a daily cycle that is
// stronger than the field and comes with its harmonics, sooner or later and more or
// less from sensor to sensor, of a weekly cycle for a third of the seeds, and of a
// slow trend. Values are rounded as the sensor has digits, and some are missing: one
// by one, for hours, and for all sensors of a gateway at once. Some sensors break, in
// ways that are plain to see on a plot of their values: see [FaultKind].
func Messy(spec MessySpec) (*Recording, error) {
	spec, err := spec.Resolve()
	if err != nil {
		return nil, err
	}
	s, err := sensorGraph(spec.Vertices, spec.Seed)
	if err != nil {
		return nil, err
	}
	field, err := slowField(s.Graph, spec.Observations+longestSlip, spec.Memory, spec.Seed)
	if err != nil {
		return nil, err
	}
	n := s.Graph.Vertices()
	addSensorNoise(field, sensorNoise, spec.Seed, "messy noise")
	r := &Recording{Spec: spec, Graph: s.Graph, Coordinates: s.Coordinates, Times: timesOf(spec.Observations, time.Hour)}
	r.Clean = mat.DenseCopyOf(field.Slice(0, n, 0, spec.Observations))
	if spec.Mess == MessNone {
		r.Signals = mat.DenseCopyOf(r.Clean)
		return r, nil
	}
	network := drawNetwork(n, spec.Seed)
	r.Quantity, r.Weekly = network.quantity.name, network.weekly > 0
	readings := network.readings(field)
	if spec.Mess == MessAll {
		r.Faults = spec.drawFaults(n)
	}
	r.Signals = network.record(readings, r.Faults, spec)
	leaveGaps(r.Signals, r.Coordinates, spec.Seed)
	copyRows(r.Signals, r.Faults, network.quantity, spec.Seed)
	return r, nil
}

// sensorGraph draws a graph of random points. Its weights run from 1 down to 0.41, so
// that every edge leaves its mark on the values of a thousand hours.
func sensorGraph(n int, seed uint64) (synth.Sample, error) {
	return synth.Graph(synth.GraphSpec{Family: synth.FamilyRBF, Vertices: n, EdgeFactor: 2.5, Width: 0.75, Seed: seed})
}

// slowField draws a Gaussian field of overall variance 1 that goes on from one
// observation to the next: see remember.
func slowField(g *graph.Graph, count int, a float64, seed uint64) (*mat.Dense, error) {
	truth, err := synth.Field(g, synth.FieldSpec{Law: synth.GaussianField, Count: count, Seed: seed})
	if err != nil {
		return nil, err
	}
	y := truth.Signals
	remember(y, a)
	n, _ := y.Dims()
	y.Scale(math.Sqrt(float64(n*count))/mat.Norm(y, 2), y)
	return y, nil
}

// remember turns rows of white noise w into x_t = a·x_(t−1) + √(1 − a²)·w_t, which
// have the same covariances between rows.
func remember(y *mat.Dense, a float64) {
	n, m := y.Dims()
	fresh := math.Sqrt(1 - a*a)
	for i := range n {
		row := y.RawRowView(i)
		for t := 1; t < m; t++ {
			row[t] = a*row[t-1] + fresh*row[t]
		}
	}
}

// addSensorNoise adds white noise to each row, of a share of its standard deviation.
func addSensorNoise(y *mat.Dense, share float64, seed uint64, stream string) {
	n, _ := y.Dims()
	for i := range n {
		row, r := y.RawRowView(i), rng.Stream(seed, stream, i)
		scale := share * deviation(row)
		for t := range row {
			row[t] += scale * r.NormFloat64()
		}
	}
}

// deviation returns the standard deviation of values.
func deviation(values []float64) float64 {
	sum, square, count := 0.0, 0.0, float64(len(values))
	for _, v := range values {
		sum += v / count
	}
	for _, v := range values {
		square += (v - sum) * (v - sum) / count
	}
	return math.Sqrt(square)
}

// between draws a number between two others.
func between(r *rand.Rand, low, high float64) float64 { return low + (high-low)*r.Float64() }

// A requirement is what a field of a specification must be.
type requirement struct {
	field input.Field
	value any
	met   bool
	want  string
}

// check returns all requirements that are not met.
func check(op string, list ...requirement) error {
	var faults []error
	for _, r := range list {
		if !r.met {
			faults = append(faults, input.Errorf(op, r.field, "got %v, want %s", r.value, r.want))
		}
	}
	return errors.Join(faults...)
}
