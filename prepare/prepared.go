package prepare

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/matrix"
)

// Prepared signals, and what was done to them on the way from those that were given.
type Prepared struct {
	Y *mat.Dense // what is learned from
	// Scores are what methods for Gaussian fields learn from in the place of Y, with as many
	// signals; nil if that is Y.
	Scores   *mat.Dense
	Report   *Report
	Options  Options // as asked for, but for a common mode that the method keeps
	Warnings []Warning

	SensorFindings
	Rows RowsFinding // what the observations were taken for
	// Values is why values or innovations were learned from; nil if that was not compared.
	Values *ValuesChoice

	Given *mat.Dense // the signals without faults, before preprocessing, in the order of Y
	// Order has the number of the observation that each column of Y is of, where independent
	// ones are put into an order of their own; nil if they are as given. See [Prepared.AsGiven].
	Order []int
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

// AsGiven returns the preparation with the observations in the order in which they were
// given.
func (p *Prepared) AsGiven() *Prepared {
	if p.Order == nil {
		return p
	}
	given, columns := *p, p.Columns()
	given.Y, given.Given, given.Order = matrix.Columns(p.Y, columns), matrix.Columns(p.Given, columns), nil
	if p.Scores != nil {
		given.Scores = matrix.Columns(p.Scores, columns)
	}
	return &given
}

// Columns returns which column of Y is of each observation; nil if they are as given.
func (p *Prepared) Columns() []int {
	if p.Order == nil {
		return nil
	}
	return matrix.Inverse(p.Order)
}

// Equal vertices have the same values.
type Equal struct{ Vertex, Origin int }

// SensorFindings are what is wrong with sensors.
type SensorFindings struct {
	// Equal are the vertices that were learned as one with an earlier one, because they have its
	// values, in the order of the vertices.
	Equal   []Equal
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
// from its innovations, what is new in each observation: from those whose partial
// correlations the two halves of the recording agree on better, where few independent values
// count for less, and from innovations if they agree on neither.
type ValuesChoice struct {
	Innovations bool // are learned from
	// AgreementOfValues and AgreementOfInnovations are the correlations of the partial
	// correlations of one half with those of the other, over all pairs of vertices.
	AgreementOfValues, AgreementOfInnovations float64
	Independent                               float64 // values that the values count as
}

// String returns what was chosen, and why.
func (c *ValuesChoice) String() string {
	kept := "values"
	if c.Innovations {
		kept = "innovations"
	}
	said := fmt.Sprintf("learned from %s: the two halves of the recording agree on the partial correlations of innovations by %.2f, and on those of values, which count as about %.0f independent signals, by %.2f",
		kept, c.AgreementOfInnovations, c.Independent, c.AgreementOfValues)
	if c.Innovations && c.AgreementOfValues > c.AgreementOfInnovations {
		said += "; so few agree more easily, and count for less"
	}
	return said
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

// A Report says which steps were applied and why.
type Report struct {
	Log, Season, Detrend, Difference, Autoregression, Center, Scale, CommonMode Step
	// Scores reports whether there are normal scores. They are not part of the Transform: new
	// signals are compared with the values.
	Scores Step

	Course Course // the trends and cycles that were removed

	Missing  int // entries of the prepared signals that are NaN
	Warnings []Warning

	// Transform repeats what was done on new signals of the same vertices.
	Transform Transform

	options Options // that were decided by
}

// A Step reports whether a step was applied, and why.
type Step struct {
	Done     bool
	Energy   float64 // the share of the energy that it removed; 0 for steps that remove none
	Kept     float64 // the share of the energy that it would have removed; 0 unless the signals call for it and the options keep it
	Sentence string  // what was done, or not, and why

	summary string // what was done, in few words; explainLevels adds the energy
}

// Steps lists all steps in their order, without an autoregression if none was tried.
func (r *Report) Steps() []Step {
	steps := []Step{r.Log, r.Season, r.Detrend, r.Difference}
	if r.Autoregression.Sentence != "" {
		steps = append(steps, r.Autoregression)
	}
	return append(steps, r.Center, r.Scale, r.CommonMode)
}

// Sentence says in one line what was done, such as "means removed (95% of the
// energy), each vertex scaled to one"; "" if nothing was.
func (r *Report) Sentence() string {
	var done []string
	for _, s := range r.Steps() {
		if s.Done {
			done = append(done, s.summary)
		}
	}
	return strings.Join(done, ", ")
}

// explainTime says what was done to m observations in time, and why.
func (r *Report) explainTime(p inTime, taken courseShares, m int) {
	r.Log.Sentence = "logarithms not taken: not requested"
	if p.log {
		words := "logarithms taken"
		if p.logOffset != 0 {
			words = fmt.Sprintf("logarithms taken of x + %g", p.logOffset)
		}
		r.Log = Step{Done: true, summary: words, Sentence: words + ", as requested"}
	}
	_, step := ticks(r.options.Times, m)
	r.Course = p.course
	r.Season, r.Detrend = courseSteps(p.course, taken, r.options, step)
	r.Difference.Sentence = "differences not taken: not requested"
	if p.difference {
		r.Difference = Step{
			Done: true, summary: "differences taken",
			Sentence: fmt.Sprintf("%d differences between %d observations taken, as requested", m-1, m),
		}
	}
	if !p.past.none() {
		words := p.past.String()
		r.Autoregression = Step{Done: true, summary: words, Sentence: words}
	}
}

// explainLevels says how much of the energy the steps took that were chosen.
func (r *Report) explainLevels(taken levelled) {
	r.Center.Energy, r.CommonMode.Energy = taken.center, taken.commonMode
	for _, s := range []*Step{&r.Center, &r.CommonMode} {
		if s.Done {
			s.summary += fmt.Sprintf(" (%s of the energy)", percent(s.Energy))
		}
	}
}

// courseSteps say which trends and cycles were removed, and why.
func courseSteps(c Course, taken courseShares, o Options, step time.Duration) (season, detrend Step) {
	trend, cycles := taken.trend, taken.cycles
	why := func(asked bool) string {
		if asked {
			return ", as requested"
		}
		return ", which the two halves of the recording agree on"
	}
	switch {
	case len(c.Cycles) > 0:
		var parts []string
		for k, cycle := range c.Cycles {
			parts = append(parts, fmt.Sprintf("of %s (%s of the variation)", periodWords(cycle.Period, step),
				percent(max(cycles[k], 0))))
			season.Energy += max(cycles[k], 0)
		}
		noun := "cycle"
		if len(parts) > 1 {
			noun = "cycles"
		}
		season.Done, season.summary = true, noun+" "+strings.Join(parts, " and ")+" removed"
		season.Sentence = season.summary + why(o.Season == Yes)
	case o.Rows == RowsIndependent:
		season.Sentence = "cycles not looked for: the rows are independent"
	case o.Season == No:
		season.Sentence = "cycles kept, as requested"
	default:
		season.Sentence = "no cycles removed: none is clear"
	}
	switch {
	case c.Trend:
		detrend.Done, detrend.Energy, detrend.summary = true, max(trend, 0), fmt.Sprintf("trends removed (%s of the variation)",
			percent(max(trend, 0)))
		detrend.Sentence = detrend.summary
		if o.Detrend == Yes {
			detrend.Sentence += ", as requested"
		} else {
			detrend.Sentence += ": they exceed what chance would leave"
		}
	case o.Rows == RowsIndependent:
		detrend.Sentence = "trends not looked for: the rows are independent"
	case o.Detrend == No:
		detrend.Sentence = "trends kept, as requested"
	default:
		detrend.Sentence = "trends kept: there is no clear one"
	}
	return season, detrend
}

// periodWords says how long a cycle is.
func periodWords(period float64, step time.Duration) string {
	if step <= 0 {
		return fmt.Sprintf("%.6g observations", period)
	}
	long := period * step.Hours()
	for _, u := range []struct {
		name  string
		hours float64
	}{{"day", 24}, {"hour", 1}, {"minute", 1.0 / 60}} {
		switch {
		case math.Abs(long/u.hours-1) < 1e-6:
			return "1 " + u.name
		case long >= u.hours:
			return fmt.Sprintf("%.3g %ss", long/u.hours, u.name)
		}
	}
	return fmt.Sprintf("%.3g seconds", long*3600)
}

// percent writes a share in whole percents, but never all for nearly all.
func percent(share float64) string {
	p := math.Round(100 * share)
	switch {
	case p == 100 && share < 1:
		return "over 99%"
	case p == 0 && share > 0:
		return "under 1%"
	}
	return fmt.Sprintf("%.0f%%", p)
}
