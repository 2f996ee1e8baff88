package nervure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
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

	Faults  []sensors.Fault // of the sensors
	Masked  int             // values that became missing because of them
	Sensors SensorCheck
	// Values is why values or differences were learned from; nil if that was not compared.
	Values *ValuesChoice

	values *mat.Dense // without faults, before preprocessing
}

// A SensorCheck says whether faults of sensors were looked for.
type SensorCheck string

// What there is to say of it.
const (
	SensorsChecked   SensorCheck = "checked"
	SensorsUnchecked SensorCheck = "not checked" // there are too few or too many sensors or values to tell what is usual
)

// Sentences returns the warnings as sentences.
func (p *Preparation) Sentences() []string {
	var list []string
	for _, w := range p.Warnings {
		list = append(list, w.Sentence)
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
)

// commonModeOf returns what a method needs done about a common mode.
func commonModeOf(m method.Method, s *Signals) commonMode {
	if _, ok := m.(AutoMethod); ok {
		return leaveToLearner // both of its methods see to it themselves
	}
	if entry, _ := MethodByName(m.Name()); entry.Has(method.UsesOrder) {
		return keepForOrder
	}
	sparse, ok := m.(learn.Sparse)
	switch {
	case !ok:
		return keepCommonMode
	case sparse.ChoosesCommonMode(s.Y):
		return leaveToLearner
	case slices.ContainsFunc(sparse.InitialKernels(), isHighPass):
		return keepForHighPassKernels
	}
	return removeCommonMode
}

// isHighPass says whether a kernel passes more of what differs most between
// neighbours than of what is the same everywhere.
func isHighPass(k kernel.Kernel) bool { return math.Abs(k.Eval(0)) < math.Abs(k.Eval(2)) }

// prepareFor prepares signals for a method that needs so much done about a common mode.
func prepareFor(s *Signals, o prepare.Options, bad sensors.Rule, rule commonMode) (*Preparation, error) {
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
	faults, checked := findFaults(s)
	values, masked := bad.Apply(s.Y, faults)
	p, err := prepareValues(values, o, rule)
	if err != nil {
		return nil, err
	}
	p.Faults, p.Sensors, p.Masked, p.values = faults, checked, masked, values
	if s.Whole != nil && o.Season == No && o.Detrend == No {
		p.Report.Season.Sentence = "cycles not looked for: the signals are a sample of more"
		p.Report.Detrend.Sentence = "trends not looked for: the signals are a sample of more"
	}
	p.warnOfSensors(rule, s.Names)
	return p, nil
}

func prepareValues(values *mat.Dense, o prepare.Options, rule commonMode) (*Preparation, error) {
	y, report, err := prepare.Signals(values, o)
	if err != nil {
		return nil, err
	}
	p := &Preparation{Y: y, Report: report, Options: o, Warnings: report.Warnings}
	if rule == keepForOrder {
		p.warnOfOrder()
	}
	if rule == removeCommonMode || !report.CommonMode.Done || o.CommonMode == prepare.Yes {
		return p, nil
	}
	share := words.Percent(report.CommonMode.Energy)
	o.CommonMode = prepare.No
	if p.Y, p.Report, err = prepare.Signals(values, o); err != nil {
		return nil, err
	}
	p.Report.CommonMode.Sentence = fmt.Sprintf("common mode kept (%s of the energy)", share)
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
	p.Warnings = append(slices.Clip(p.Warnings), prepare.Warning{Kind: kind, Sentence: fmt.Sprintf(format, args...)})
}

// usable returns an error if no method can learn from signals.
func usable(s *Signals) error {
	if s == nil || s.Y == nil {
		return input.Errorf("nervure", input.Signals, "got none")
	}
	_, err := signals.ScreenInOwnUnits("nervure", s.Y, s.Names) // preprocessing may bring units together
	return err
}
