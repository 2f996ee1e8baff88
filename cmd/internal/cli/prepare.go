package cli

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/prepare"
)

// A preparer prepares signals as it was asked to.
type preparer struct {
	options prepare.Options
	// common says what an automatic choice does with a common mode that could be
	// removed, on so many vertices; nil means to keep it.
	common func(vertices int, missing bool) commonRule
}

// A commonRule is what becomes of a common mode.
type commonRule string

const (
	commonRemoved  commonRule = "removed"   // low-pass kernels were given
	commonChosen   commonRule = "chosen"    // kept: sparse takes it out by itself where its kernels ask for it
	commonHighPass commonRule = "high-pass" // kept: without it a high-pass kernel explains the rest vertex by vertex, and edges of measured sets went from half right to none
	commonKept     commonRule = "kept"      // kept: other methods differ in what they make of it
)

// commonWarnings are what there is to say about a mode of a share of the energy.
var commonWarnings = map[commonRule]string{
	commonHighPass: "a mode common to all vertices has %s of the energy; it is kept because of the high-pass kernel: " +
		"heat kernels alone, such as --kernel heat:1, may do better without it",
	commonKept: "a mode common to all vertices has %s of the energy: --common-mode remove takes it out, which may help",
}

// A preparation is signals that are ready, and what was done to them.
type preparation struct {
	y        *mat.Dense
	report   *prepare.Report
	options  prepare.Options
	warnings []string
}

// prepare prepares signals read from a file.
func (p preparer) prepare(signals *dataio.Signals, f *signalFile) (*preparation, error) {
	o := p.options
	o.Names = signals.Names
	y, report, err := prepare.Signals(signals.Y, o)
	if err != nil {
		return nil, prepareFault(err, f)
	}
	done := &preparation{y: y, report: report, options: o}
	for _, w := range report.Warnings {
		done.warnings = append(done.warnings, w.Sentence+warningFlags[w.Kind])
	}
	rule := commonKept
	if p.common != nil {
		rule = p.common(len(signals.Names), signals.Missing > 0)
	}
	if rule == commonRemoved || !report.CommonMode.Done || o.CommonMode == prepare.Yes {
		return done, nil
	}
	share := report.CommonMode.Energy
	o.CommonMode = prepare.No
	if done.y, done.report, err = prepare.Signals(signals.Y, o); err != nil {
		return nil, prepareFault(err, f)
	}
	done.report.CommonMode.Sentence = fmt.Sprintf("common mode kept, %s of the energy", percent(share))
	if words := commonWarnings[rule]; words != "" {
		done.warnings = append(done.warnings, fmt.Sprintf(words, percent(share)))
	}
	return done, nil
}

// warningFlags are the flags by which to follow the advice of a warning.
var warningFlags = map[prepare.WarningKind]string{
	prepare.Skewed: " (--log)", prepare.SkewedFromZero: " (--log-offset)", prepare.InTime: " (--difference)",
}

// prepareFault words what prevents a preparation.
func prepareFault(err error, f *signalFile) error {
	e, ok := errors.AsType[*input.Error](err)
	switch {
	case !ok:
		return err
	case e.Field == "log":
		return misuse("--log: %s (--log-offset)", e.Msg)
	case e.Field == "difference":
		return misuse("--difference: %s", e.Msg)
	}
	return f.inFile(fault{string(e.Field), e.Msg})
}

// tell says what was done, and what there is to doubt, before learning starts.
func (p *preparation) tell(c console, quiet bool) {
	if quiet {
		return
	}
	if words := p.report.Sentence(); words != "" {
		fmt.Fprintln(c.err, wrapped("prepared: "+words))
	}
	for _, w := range p.warnings {
		fmt.Fprintln(c.err, wrapped("warning: "+w))
	}
}

// A preparationRecord is what summaries say of it. Its keys are a promise.
type preparationRecord struct {
	Log          bool     `json:"log"`
	LogOffset    float64  `json:"log_offset"`
	Difference   bool     `json:"difference"`
	Centered     bool     `json:"centered"`
	Scaled       bool     `json:"scaled"`
	CommonMode   bool     `json:"common_mode"`        // removed
	MeanEnergy   float64  `json:"mean_energy"`        // the share that the means had
	CommonEnergy float64  `json:"common_mode_energy"` // and the common mode, of what was left, if they were removed
	Missing      int      `json:"missing"`            // values
	Sentence     string   `json:"sentence"`           // what was done, "" if nothing
	Reasons      []string `json:"reasons"`            // a sentence for each step, in order
}

func (p *preparation) record() preparationRecord {
	r := p.report
	record := preparationRecord{
		Log: r.Log.Done, LogOffset: p.options.LogOffset, Difference: r.Difference.Done,
		Centered: r.Center.Done, Scaled: r.Scale.Done, CommonMode: r.CommonMode.Done,
		MeanEnergy: r.Center.Energy, CommonEnergy: r.CommonMode.Energy, Missing: r.Missing, Sentence: r.Sentence(),
	}
	for _, s := range r.Steps() {
		record.Reasons = append(record.Reasons, s.Sentence)
	}
	return record
}
