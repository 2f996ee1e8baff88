package cli

import (
	"fmt"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/prepare"
)

// warningFlags are the flags by which to follow the advice of a warning.
var warningFlags = map[prepare.WarningKind]string{
	prepare.Skewed: "--log", prepare.SkewedFromZero: "--log-offset", prepare.Autocorrelated: "--difference",
	nervure.BadSensors: "--bad-sensors report keeps them", nervure.BadSensorsKept: "--bad-sensors mask sets the values aside",
	nervure.OutOfScale: "--bad-sensors report keeps such signals", nervure.OutOfScaleKept: "--bad-sensors mask sets them aside",
	nervure.CommonModeKept: "--common-mode remove", nervure.CommonModeKeptForHighPass: "--kernel heat:1",
}

// tellPreparation says what was done to signals, and what there is to doubt,
// before learning starts.
func tellPreparation(c console, p *nervure.Preparation) {
	if done := p.Report.Sentence(); done != "" {
		fmt.Fprintln(c.err, wrapped("preprocessing: "+done))
	}
	if p.Values != nil {
		fmt.Fprintln(c.err, wrapped(p.Values.String()))
	}
	for _, w := range p.Warnings {
		sentence := w.Sentence()
		if flag := warningFlags[w.Kind]; flag != "" {
			sentence += " (" + flag + ")"
		}
		fmt.Fprintln(c.err, wrapped("warning: "+sentence))
		if w.Kind == nervure.BadSensors || w.Kind == nervure.BadSensorsKept || w.Kind == nervure.BadSensorsInTime {
			tellFaults(c, p)
		}
	}
}

// mostFaults is how many faults are told; the summary and the report have all.
const mostFaults = 12

// tellFaults lists what is wrong with sensors, each on a line.
func tellFaults(c console, p *nervure.Preparation) {
	names := p.Options.Names
	if names == nil {
		names = graph.DefaultNames(p.Y.RawMatrix().Rows)
	}
	for k, f := range document.NewSensorFaults(p.Faults, names, p.Options.Times) {
		if k == mostFaults {
			fmt.Fprintf(c.err, "- and %d more: see --summary or --report\n", len(p.Faults)-mostFaults)
			return
		}
		when, until := fmt.Sprintf("observation %d", f.From), fmt.Sprint(f.To)
		if f.Begun != "" {
			when, until = f.Begun, f.Ended
		}
		if f.To > f.From {
			when += " to " + until
		}
		fmt.Fprintln(c.err, wrapped(fmt.Sprintf("- %s, %s, %s: %s", f.Vertex, f.Kind, when, f.Evidence)))
	}
}
