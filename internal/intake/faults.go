package intake

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/sensors"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

func checkRule(bad prepare.FaultRule) error {
	if bad != "" && !slices.Contains(prepare.FaultRules(), bad) {
		return input.Errorf("nervure", "bad sensors", "got %q, want report, mask or drop", bad)
	}
	return nil
}

// setFaultsAside returns signals without what is not a measurement, as far as the request
// asks for that, and what was found.
func setFaultsAside(ctx context.Context, s *signals.Set, r Request) (*mat.Dense, prepare.SensorFindings, error) {
	var equal []prepare.Equal
	if r.CommonMode != method.OrderedCommonMode {
		var err error
		if equal, err = findEqual(ctx, s.Y); err != nil {
			return nil, prepare.SensorFindings{}, err
		}
	}
	distinct := *s
	distinct.Y = withoutEqual(s.Y, equal)
	found, err := findFaults(ctx, &distinct, r)
	if err != nil {
		return nil, found, err
	}
	found.Equal = equal
	values := treated(distinct.Y, &found, r.BadSensors)
	if s.Whole != nil { // these are the signals as they were given
		for k, m := range found.OutOfScale {
			found.OutOfScale[k] = s.Whole.Chosen[m]
		}
	}
	return values, found, nil
}

// treated returns signals with what was found treated by a rule, and completes the findings.
func treated(y *mat.Dense, found *prepare.SensorFindings, rule prepare.FaultRule) *mat.Dense {
	values, masked := sensors.Treat(y, found.Faults, rule)
	found.Masked, found.OutOfScale = masked, sensors.OutOfScale(values)
	if rule == prepare.ReportFaults {
		return values
	}
	return sensors.WithoutObservations(values, found.OutOfScale)
}

// findFaults looks for faults of the sensors as long as there is time.
func findFaults(ctx context.Context, s *signals.Set, r Request) (prepare.SensorFindings, error) {
	if s.Whole != nil || !sensors.Checkable(s.Y) {
		return prepare.SensorFindings{Sensors: prepare.SensorsUnchecked}, nil
	}
	limited, cancel := r.Budget.ForFaults(ctx)
	defer cancel()
	found, err := sensors.Find(limited, s.Y, namesOf(s), s.Times, r.Prepare.Rows)
	switch {
	case err == nil:
		return prepare.SensorFindings{Faults: found, Sensors: prepare.SensorsChecked}, nil
	case ctx.Err() != nil:
		return prepare.SensorFindings{}, context.Cause(ctx)
	case run.OutOfTime(limited):
		return prepare.SensorFindings{Faults: found, Sensors: prepare.SensorsCutShort}, nil
	}
	return prepare.SensorFindings{}, err
}

// warnOfSensors says which sensors are at fault, and what was done about them.
func warnOfSensors(p *prepare.Prepared, r Request, names []string) {
	if p.Sensors == prepare.SensorsCutShort {
		warn(p, prepare.OutOfTime, "the time limit ended the search for faults of the sensors: there may be more than are listed")
	}
	if len(p.Faults) == 0 {
		return
	}
	var broken []string // a part for each sensor: faults come by vertex
	var last int
	var kinds []prepare.FaultKind
	for _, f := range p.Faults {
		if n := len(broken); n > 0 && last == f.Vertex {
			if !slices.Contains(kinds, f.Kind) {
				broken[n-1] = strings.TrimSuffix(broken[n-1], ")") + ", " + string(f.Kind) + ")"
				kinds = append(kinds, f.Kind)
			}
			continue
		}
		last, kinds = f.Vertex, []prepare.FaultKind{f.Kind}
		broken = append(broken, fmt.Sprintf("%q (%s)", names[f.Vertex], f.Kind))
	}
	const most = 4
	list := strings.Join(broken[:min(len(broken), most)], ", ")
	if len(broken) > most {
		list += fmt.Sprintf(" and %d more", len(broken)-most)
	}
	kind, done := prepare.BadSensorsKept, "nothing was done about it"
	switch {
	case p.Masked > 0:
		kind, done = prepare.BadSensors, fmt.Sprintf("%s set aside as missing", words.Plural(p.Masked, "value"))
	case r.CommonMode == method.OrderedCommonMode:
		kind, done = prepare.BadSensorsInTime, "nothing was done about it, because the method needs all values in their order"
	}
	warn(p, kind, "sensors seem to be at fault: %s; %s", list, done)
}

// warnOfScale says which signals are out of scale, and what was done about them.
func warnOfScale(p *prepare.Prepared, r Request) {
	const most = 4
	var numbers []string
	for _, k := range p.OutOfScale[:min(len(p.OutOfScale), most)] {
		numbers = append(numbers, fmt.Sprint(k+1))
	}
	if numbers == nil {
		return
	}
	if more := len(p.OutOfScale) - most; more > 0 {
		numbers = append(numbers, fmt.Sprintf("%d more", more))
	}
	list := words.List(numbers, "and")
	what, it := "signal "+list+" is", "it"
	if len(p.OutOfScale) > 1 {
		what, it = "signals "+list+" are", "them"
	}
	kind, done := prepare.OutOfScale, "set aside as missing"
	switch {
	case r.CommonMode == method.OrderedCommonMode:
		kind, done = prepare.OutOfScaleInTime, "nothing was done about "+it+", because the method needs all values in their order"
	case r.BadSensors == prepare.ReportFaults:
		kind, done = prepare.OutOfScaleKept, "nothing was done about "+it
	}
	warn(p, kind, "%s more than a thousand times as large as the median signal; %s", what, done)
}

// WithoutFaults returns the values of signals without those that learning sets aside, because they
// look like faults of the sensors or are out of scale, and sentences on them. Rows are what they are
// found to be.
func WithoutFaults(ctx context.Context, s *signals.Set, rule prepare.FaultRule) (*mat.Dense, []string, error) {
	rows, err := prepare.FindRows(ctx, s.Y, s.Times, prepare.RowsAuto)
	if err != nil {
		return nil, nil, err
	}
	equal, err := findEqual(ctx, s.Y)
	if err != nil {
		return nil, nil, err
	}
	distinct, r := *s, Request{BadSensors: rule, Prepare: prepare.Options{Rows: rows.Rows}}
	distinct.Y = withoutEqual(s.Y, equal)
	p := &prepare.Prepared{}
	if p.SensorFindings, err = findFaults(ctx, &distinct, r); err != nil {
		return nil, nil, err
	}
	values := treated(s.Y, &p.SensorFindings, rule)
	warnOfSensors(p, r, namesOf(s))
	warnOfScale(p, r)
	return values, p.Sentences(), nil
}
