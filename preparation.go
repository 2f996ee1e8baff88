package nervure

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/sensors"
	"github.com/nervure/nervure/signals"
)

// A Preparation is signals after preprocessing, and what was done to them.
type Preparation struct {
	Y        *mat.Dense // what is learned from
	Report   *prepare.Report
	Options  prepare.Options // as asked for, but for a common mode that the method keeps
	Warnings []prepare.Warning

	SensorFindings
	// Values is why values or differences were learned from; nil if that was not compared.
	Values *ValuesChoice

	values  *mat.Dense // without faults, before preprocessing
	hurried bool       // something was left out because time was up
}

// CutShort says whether something was left out because time was up; the warnings say what.
// Nothing that is learned from such signals is kept in a checkpoint: with more time, they
// would be others.
func (p *Preparation) CutShort() bool { return p.hurried }

// SensorFindings are what is wrong with sensors.
type SensorFindings struct {
	Faults  []sensors.Fault
	Masked  int // values that became missing because of them
	Sensors SensorCheck
	// OutOfScale are the signals that are a thousand times as large as usual ones or larger.
	OutOfScale []int
}

// A SensorCheck says whether faults of sensors were looked for.
type SensorCheck string

// What there is to say of it.
const (
	SensorsChecked   SensorCheck = "checked"
	SensorsUnchecked SensorCheck = "not checked" // there are too few or too many sensors or values to tell what is usual
	SensorsCutShort  SensorCheck = "cut short"   // the time limit ended the search: there may be more faults
)

// Sentences returns the warnings as sentences.
func (p *Preparation) Sentences() []string {
	var list []string
	for _, w := range p.Warnings {
		list = append(list, w.Sentence())
	}
	return list
}

// A commonMode says what automatic preprocessing does with a common mode that
// could be removed.
type commonMode int

const (
	keepCommonMode         commonMode = iota // methods differ in what they make of it
	removeCommonMode                         // the kernels are low-pass
	leaveToLearner                           // the learner removes it where that predicts better
	keepForOrder                             // the method learns from the order of the signals, and what drives all vertices is part of that
	keepForHighPassKernels                   // without it a high-pass kernel explains the rest vertex by vertex: edges of measured sets went from half right to none
)

// What there is to warn of besides the warnings of package prepare.
const (
	CommonModeKept            prepare.WarningKind = "common mode kept"               // removing it may help
	CommonModeKeptForHighPass prepare.WarningKind = "common mode kept for high-pass" // low-pass kernels without it may do better
	CommonModeInTime          prepare.WarningKind = "common mode in time"            // it may make arrows
	DifferencesInTime         prepare.WarningKind = "differences in time"            // they are not what the method is a model of
	BadSensors                prepare.WarningKind = "bad sensors"                    // Preparation.Faults lists them; their values were set aside
	BadSensorsKept            prepare.WarningKind = "bad sensors kept"               // their values were not
	BadSensorsInTime          prepare.WarningKind = "bad sensors in time"            // nor could they be
	OutOfScale                prepare.WarningKind = "out of scale"                   // Preparation.OutOfScale lists signals that were set aside
	OutOfScaleKept            prepare.WarningKind = "out of scale kept"              // they were not
	OutOfScaleInTime          prepare.WarningKind = "out of scale in time"           // nor could they be
	OutOfTime                 prepare.WarningKind = "out of time"                    // something was not looked for
)

// prepareFor prepares signals for a method that needs so much done about a common mode. What
// there is no time to look for is left out, and the preparation says so. If ctx ends,
// there is only its cause: without preparation there is no graph.
func prepareFor(ctx context.Context, s *Signals, o prepare.Options, bad sensors.Rule, rule commonMode, b timeBudget) (*Preparation, error) {
	if err := checkRule(bad); err != nil {
		return nil, err
	}
	o.Names, o.Times = s.Names, s.Times
	if _, m := s.Y.Dims(); s.Times != nil {
		if err := prepare.CheckTimes(s.Times, m); err != nil {
			return nil, err
		}
	}
	if s.Whole != nil {
		o = sampled(o)
	}
	if rule == keepForOrder {
		bad = sensors.Report // missing values would tear the order apart
	}
	found, err := findFaults(ctx, s, b)
	if err != nil {
		return nil, err
	}
	var values *mat.Dense
	values, found.Masked = bad.Apply(s.Y, found.Faults)
	found.OutOfScale = sensors.OutOfScale(values)
	if bad != sensors.Report {
		values = sensors.WithoutObservations(values, found.OutOfScale)
	}
	if s.Whole != nil { // these are the signals as they were given
		for k, m := range found.OutOfScale {
			found.OutOfScale[k] = s.Whole.Chosen[m]
		}
	}
	p, err := prepareInTime(ctx, values, o, rule, b)
	if err != nil {
		return nil, err
	}
	p.SensorFindings, p.values = found, values
	p.hurried = p.hurried || found.Sensors == SensorsCutShort
	if s.Whole != nil && o.Season == No && o.Detrend == No {
		p.Report.Season.Sentence = "cycles not looked for: the signals are a sample of more"
		p.Report.Detrend.Sentence = "trends not looked for: the signals are a sample of more"
	}
	p.warnOfSensors(rule, s.Names)
	p.warnOfScale(bad, rule)
	return p, nil
}

// prepareInTime prepares values, without a search for cycles and trends if there is no time
// for it.
func prepareInTime(ctx context.Context, values *mat.Dense, o prepare.Options, rule commonMode, b timeBudget) (*Preparation, error) {
	limited, cancel := b.forCourse(ctx)
	defer cancel()
	p, err := prepareValues(limited, values, o, rule, prepare.Signals)
	switch {
	case err == nil:
		return p, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !outOfTime(limited):
		return nil, err
	}
	asked := o
	if len(o.Periods) == 0 {
		o.Season = No // be it asked for: which they are is not known
	}
	if o.Detrend != Yes {
		o.Detrend = No
	}
	if p, err = prepareValues(ctx, values, o, rule, prepare.Signals); err != nil {
		return nil, err
	}
	p.Options, p.hurried = asked, true
	var left []string
	for _, c := range []struct {
		what        string
		asked, done Choice
		step        *prepare.Step
	}{{"cycles", asked.Season, o.Season, &p.Report.Season}, {"trends", asked.Detrend, o.Detrend, &p.Report.Detrend}} {
		if c.done == No && c.asked != No {
			c.step.Sentence = c.what + " not looked for: the time was up"
			left = append(left, c.what)
		}
	}
	if left != nil {
		p.warn(OutOfTime, "the time limit left no time to look for %s", words.List(left, "and"))
	}
	return p, nil
}

// A preparer is [prepare.Signals], or the same after a first time.
type preparer func(context.Context, *mat.Dense, prepare.Options) (*mat.Dense, *prepare.Report, error)

func prepareValues(ctx context.Context, values *mat.Dense, o prepare.Options, rule commonMode, do preparer) (*Preparation, error) {
	asked := o
	o.KeepCommonMode = o.KeepCommonMode || rule != removeCommonMode
	y, report, err := do(ctx, values, o)
	if err != nil {
		return nil, err
	}
	p := &Preparation{Y: y, Report: report, Options: asked, Warnings: report.Warnings}
	if rule == keepForOrder {
		p.warnOfOrder()
	}
	if report.CommonMode.Kept == 0 {
		return p, nil
	}
	share := words.Percent(report.CommonMode.Kept)
	switch rule {
	case keepCommonMode:
		p.warn(CommonModeKept, "a mode common to all vertices has %s of the energy: removing it may help", share)
	case keepForOrder:
		p.warn(CommonModeInTime, "a mode common to all vertices has %s of the energy: what drives all of them makes arrows between them", share)
	case keepForHighPassKernels:
		p.warn(CommonModeKeptForHighPass, "a mode common to all vertices has %s of the energy and is kept because of the high-pass kernel: "+
			"low-pass kernels alone may work better without it", share)
	}
	return p, nil
}

// warnOfOrder replaces what is said about signals that depend on the ones before:
// that is what a method that uses their order learns from.
func (p *Preparation) warnOfOrder() {
	p.Warnings = slices.DeleteFunc(slices.Clone(p.Warnings), func(w prepare.Warning) bool {
		return w.Kind == prepare.Autocorrelated || w.Kind == prepare.StillAutocorrelated
	})
	if p.Options.Difference == prepare.Yes {
		p.warn(DifferencesInTime, "differences of a process depend on more than their own past: the arrows are those of the signals only without differences")
	}
}

func (p *Preparation) warn(kind prepare.WarningKind, format string, args ...any) {
	p.Warnings = append(slices.Clip(p.Warnings), prepare.Warning{Kind: kind, Doubt: fmt.Sprintf(format, args...)})
}

// isOutweighed says whether signals were kept that are far larger than all others.
func (p *Preparation) isOutweighed() bool {
	return slices.ContainsFunc(p.Warnings, func(w prepare.Warning) bool { return w.Kind == OutOfScaleKept || w.Kind == OutOfScaleInTime })
}

// usable returns an error if no method can learn from signals.
func usable(s *Signals) error {
	if s == nil || s.Y == nil {
		return input.Errorf("nervure", input.Signals, "got none")
	}
	_, err := signals.ScreenInOwnUnits("nervure", s.Y, s.Names) // preprocessing may bring units together
	return err
}
