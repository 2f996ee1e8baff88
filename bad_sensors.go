package nervure

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sensors"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

func checkRule(bad prepare.FaultRule) error {
	if bad != "" && !slices.Contains(prepare.FaultRules(), bad) {
		return input.Errorf("nervure", "bad sensors", "got %q, want report, mask or drop", bad)
	}
	return nil
}

// sampled returns the options for signals that are a sample of many: those that come
// after each other do not follow each other in time.
func sampled(o prepare.Options) prepare.Options {
	if (o.Season == "" || o.Season == Auto) && len(o.Periods) == 0 {
		o.Season = No
	}
	if o.Detrend == "" || o.Detrend == Auto {
		o.Detrend = No
	}
	return o
}

// findFaults looks for faults of the sensors as long as there is time.
func findFaults(ctx context.Context, s *Signals, b timeBudget) (SensorFindings, error) {
	if s.Whole != nil || !sensors.Checkable(s.Y) {
		return SensorFindings{Sensors: SensorsUnchecked}, nil
	}
	names := s.Names
	if names == nil {
		n, _ := s.Y.Dims()
		names = graph.DefaultNames(n)
	}
	limited, cancel := b.forFaults(ctx)
	defer cancel()
	found, err := sensors.Find(limited, s.Y, names, s.Times)
	switch {
	case err == nil:
		return SensorFindings{Faults: found, Sensors: SensorsChecked}, nil
	case ctx.Err() != nil:
		return SensorFindings{}, context.Cause(ctx)
	case outOfTime(limited):
		return SensorFindings{Faults: found, Sensors: SensorsCutShort}, nil
	}
	return SensorFindings{}, err
}

func (p *Preparation) sensorsDocument(names []string) document.Sensors {
	return document.Sensors{Check: string(p.Sensors), Masked: p.Masked, Faults: document.NewSensorFaults(p.Faults, names, p.Options.Times)}
}

// warnOfSensors says which sensors are at fault, and what was done about them.
func (p *Preparation) warnOfSensors(rule commonMode, names []string) {
	if p.Sensors == SensorsCutShort {
		p.warn(OutOfTime, "the time limit ended the search for faults of the sensors: there may be more than are listed")
	}
	if len(p.Faults) == 0 {
		return
	}
	var broken []string // a part for each sensor: faults come by vertex
	var last int
	var kinds []prepare.FaultKind
	for _, f := range p.Faults {
		name := fmt.Sprintf("v%d", f.Vertex)
		if names != nil {
			name = names[f.Vertex]
		}
		if n := len(broken); n > 0 && last == f.Vertex {
			if !slices.Contains(kinds, f.Kind) {
				broken[n-1] = strings.TrimSuffix(broken[n-1], ")") + ", " + string(f.Kind) + ")"
				kinds = append(kinds, f.Kind)
			}
			continue
		}
		last, kinds = f.Vertex, []prepare.FaultKind{f.Kind}
		broken = append(broken, fmt.Sprintf("%q (%s)", name, f.Kind))
	}
	const most = 4
	list := strings.Join(broken[:min(len(broken), most)], ", ")
	if len(broken) > most {
		list += fmt.Sprintf(" and %d more", len(broken)-most)
	}
	kind, done := BadSensorsKept, "nothing was done about it"
	switch {
	case p.Masked > 0:
		kind, done = BadSensors, fmt.Sprintf("%s set aside as missing", words.Plural(p.Masked, "value"))
	case rule == keepForOrder:
		kind, done = BadSensorsInTime, "nothing was done about it, because the method needs all values in their order"
	}
	p.warn(kind, "sensors seem to be at fault: %s; %s", list, done)
}

// warnOfScale says which signals are out of scale, and what was done about them.
func (p *Preparation) warnOfScale(bad prepare.FaultRule, rule commonMode) {
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
	kind, done := OutOfScale, "set aside as missing"
	switch {
	case rule == keepForOrder:
		kind, done = OutOfScaleInTime, "nothing was done about "+it+", because the method needs all values in their order"
	case bad == prepare.ReportFaults:
		kind, done = OutOfScaleKept, "nothing was done about "+it
	}
	p.warn(kind, "%s more than a thousand times as large as the median signal; %s", what, done)
}
