package cli

import (
	"fmt"

	"github.com/nervure/nervure"
	"github.com/nervure/nervure/prepare"
)

// warningFlags are the flags by which to follow the advice of a warning.
var warningFlags = map[prepare.WarningKind]string{
	prepare.Skewed: "--log", prepare.SkewedFromZero: "--log-offset", prepare.Autocorrelated: "--difference",
	nervure.CommonModeKept: "--common-mode remove", nervure.CommonModeKeptForHighPass: "--kernel heat:1",
}

// tellPreparation says what was done to signals, and what there is to doubt,
// before learning starts.
func tellPreparation(c console, p *nervure.Preparation) {
	if done := p.Report.Sentence(); done != "" {
		fmt.Fprintln(c.err, wrapped("preprocessing: "+done))
	}
	for _, w := range p.Warnings {
		sentence := w.Sentence
		if flag := warningFlags[w.Kind]; flag != "" {
			sentence += " (" + flag + ")"
		}
		fmt.Fprintln(c.err, wrapped("warning: "+sentence))
	}
}
