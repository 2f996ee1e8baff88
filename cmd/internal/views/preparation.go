package views

import (
	"fmt"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/prepare"
)

// warningFlags are the flags by which to follow the advice of a warning.
var warningFlags = map[prepare.WarningKind]string{
	prepare.Skewed: "--log", prepare.SkewedFromZero: "--log-offset", prepare.Autocorrelated: "--difference",
	prepare.BadSensors: "--bad-sensors report keeps them", prepare.BadSensorsKept: "--bad-sensors mask sets the values aside",
	prepare.OutOfScale: "--bad-sensors report keeps such signals", prepare.OutOfScaleKept: "--bad-sensors mask sets them aside",
	prepare.CommonModeKept: "--common-mode remove", prepare.CommonModeKeptForHighPass: "--kernel heat:1",
}

// TellPreparation says what was done to signals, and what there is to doubt,
// before learning starts.
func TellPreparation(c Console, p *prepare.Prepared) {
	if done := p.Report.Sentence(); done != "" {
		c.Say("preprocessing: " + done)
	}
	if p.Rows.Rows == prepare.RowsTime && p.Options.Times == nil {
		c.Say(p.Rows.Sentence)
	}
	if p.Values != nil {
		c.Say(p.Values.String())
	}
	for _, w := range p.Warnings {
		sentence := w.Sentence()
		if flag := warningFlags[w.Kind]; flag != "" {
			sentence += " (" + flag + ")"
		}
		c.Warn("%s", sentence)
		if w.Kind == prepare.BadSensors || w.Kind == prepare.BadSensorsKept || w.Kind == prepare.BadSensorsInTime {
			tellFaults(c, p)
		}
	}
}

// mostFaults is how many faults are told; the summary and the report have all.
const mostFaults = 12

// tellFaults lists what is wrong with sensors, each on a line.
func tellFaults(c Console, p *prepare.Prepared) {
	names := p.Options.Names
	if names == nil {
		names = graph.DefaultNames(p.Y.RawMatrix().Rows)
	}
	for k, f := range document.NewSensorFaults(p.Faults, names, p.Options.Times) {
		if k == mostFaults {
			fmt.Fprintf(c.Err, "- and %d more: see --summary or --report\n", len(p.Faults)-mostFaults)
			return
		}
		when, until := fmt.Sprintf("observation %d", f.From), fmt.Sprint(f.To)
		if f.Begun != "" {
			when, until = f.Begun, f.Ended
		}
		if f.To > f.From {
			when += " to " + until
		}
		c.Say(fmt.Sprintf("- %s, %s, %s: %s", f.Vertex, f.Kind, when, f.Evidence))
	}
}
