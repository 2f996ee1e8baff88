// Package intake is what happens to signals between what a caller gave and what a method
// is given: a sample of very many, whether their order means anything, faults of sensors,
// preprocessing, and the choice between values and what is new in each of them. It knows of a
// method only what a [Request] says.
package intake

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// A Request is how signals are to be prepared. The zero value prepares them as their
// values call for, for methods in general, however long it takes.
type Request struct {
	Prepare    prepare.Options
	BadSensors prepare.FaultRule
	Sample     int // how many signals to learn from where there are very many; zero means all
	Budget     run.Budget

	Method     string            // its name, for messages
	CommonMode method.CommonMode // what the method needs
	Scores     bool              // the method learns from normal scores where values call for them, or may if it is still to be chosen
}

// Signals are what there is to learn from.
type Signals struct {
	Given    *signals.Set      // or a sample of very many
	Prepared *prepare.Prepared // all vertices
	*Shape                     // which of them are learned from

	Values *mat.Dense // the prepared values of those, and their normal scores; nil if there are none
	Scores *mat.Dense
}

// Learned returns what of signals is learned from: normal scores, if there are any, or else values.
func (s *Signals) Learned() *mat.Dense {
	if s.Scores != nil {
		return s.Scores
	}
	return s.Values
}

// ForLearning prepares signals, which are not modified, for a method. Of very many it
// takes a sample.
func ForLearning(ctx context.Context, s *signals.Set, r Request) (*Signals, error) {
	if r.Prepare.Scores == prepare.Yes && !r.Scores {
		return nil, input.Errorf("nervure", input.Scores, "got yes, but the method %s learns from values", r.Method)
	}
	s, err := sample(s, r)
	if err != nil {
		return nil, err
	}
	p, err := prepareSet(ctx, s, r)
	if err == nil {
		p, err = chooseValues(ctx, s, r, p)
	}
	return shaped(ctx, s, p, r, err)
}

// ForComparison is [ForLearning] for several methods: from all signals, and as values.
func ForComparison(ctx context.Context, s *signals.Set, r Request) (*Signals, error) {
	p, err := prepareSet(ctx, s, r)
	return shaped(ctx, s, p, r, err)
}

// shaped adds normal scores and the shape to prepared signals.
func shaped(ctx context.Context, s *signals.Set, p *prepare.Prepared, r Request, err error) (*Signals, error) {
	if err == nil {
		err = addScores(ctx, p, r)
	}
	if err != nil {
		return nil, err
	}
	shape, err := shapeOf(s, p)
	if err != nil {
		return nil, err
	}
	all := &Signals{Given: s, Prepared: p, Shape: shape, Values: shape.Rows(p.Y)}
	if p.Scores != nil {
		all.Scores = shape.Rows(p.Scores)
	}
	return all, nil
}

// Prepare prepares all signals as values, and leaves their shape to who learns from them.
func Prepare(ctx context.Context, s *signals.Set, r Request) (*prepare.Prepared, error) {
	p, err := prepareSet(ctx, s, r)
	if err == nil {
		err = addScores(ctx, p, r)
	}
	return p, err
}

// prepareSet sets faults of sensors aside and preprocesses signals, which are not modified.
// What there is no time to look for is left out, and the warnings say so. If ctx ends,
// there is only its cause: without preparation there is no graph.
func prepareSet(ctx context.Context, s *signals.Set, r Request) (*prepare.Prepared, error) {
	if err := checkRule(r.BadSensors); err != nil {
		return nil, err
	}
	rows, err := findRows(ctx, s, r)
	if err != nil {
		return nil, err
	}
	o := r.Prepare
	o.Names, o.Times, o.Rows = s.Names, s.Times, rows.Rows
	if _, m := s.Y.Dims(); s.Times != nil {
		if err := prepare.CheckTimes(s.Times, m); err != nil {
			return nil, err
		}
	}
	if s.Whole != nil {
		o = sampled(o)
	}
	r.Prepare = o
	if r.CommonMode == method.OrderedCommonMode {
		r.BadSensors = prepare.ReportFaults // missing values would tear the order apart
	}
	var order []int
	given := s
	if rows.Independent() && s.Whole == nil {
		order = inOwnOrder(s.Y)
		s = reordered(s, order)
		r.Prepare.Times = nil
	}
	values, found, err := setFaultsAside(ctx, s, r)
	if err != nil {
		return nil, err
	}
	if order != nil {
		found = placesAsGiven(found, order)
	}
	p, err := preprocessInTime(ctx, values, r)
	if err != nil {
		if order != nil && ctx.Err() == nil { // the fault is to be named by where it was given
			if _, asGiven := preprocess(ctx, matrix.Columns(values, matrix.Inverse(order)), r); asGiven != nil {
				err = asGiven
			}
		}
		return nil, err
	}
	p.SensorFindings, p.Given, p.Rows, p.Order = found, values, rows, order
	p.Options.Times = given.Times
	p.CutShort = p.CutShort || found.Sensors == prepare.SensorsCutShort
	if s.Whole != nil && o.Season == prepare.No && o.Detrend == prepare.No {
		p.Report.Season.Sentence = "cycles not looked for: the signals are a sample of more"
		p.Report.Detrend.Sentence = "trends not looked for: the signals are a sample of more"
	}
	names := namesOf(s)
	warnOfEqual(p, names)
	warnOfSensors(p, r, names)
	warnOfScale(p, r)
	return p, nil
}

// preprocessInTime preprocesses values, without a search for cycles and trends if there is
// no time for it.
func preprocessInTime(ctx context.Context, values *mat.Dense, r Request) (*prepare.Prepared, error) {
	limited, cancel := r.Budget.ForCourse(ctx)
	defer cancel()
	p, err := preprocess(limited, values, r)
	switch {
	case err == nil:
		return p, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !run.OutOfTime(limited):
		return nil, err
	}
	asked, o := r.Prepare, &r.Prepare
	if len(o.Periods) == 0 {
		o.Season = prepare.No // even if requested: the periods are unknown
	}
	if o.Detrend != prepare.Yes {
		o.Detrend = prepare.No
	}
	if p, err = preprocess(ctx, values, r); err != nil {
		return nil, err
	}
	p.Options, p.CutShort = asked, true
	var left []string
	for _, c := range []struct {
		what        string
		asked, done prepare.Choice
		step        *prepare.Step
	}{{"cycles", asked.Season, o.Season, &p.Report.Season}, {"trends", asked.Detrend, o.Detrend, &p.Report.Detrend}} {
		if c.done == prepare.No && c.asked != prepare.No {
			c.step.Sentence = c.what + " not looked for: the time was up"
			left = append(left, c.what)
		}
	}
	if left != nil {
		warn(p, prepare.OutOfTime, "the time limit left no time to look for %s", words.List(left, "and"))
	}
	return p, nil
}

func preprocess(ctx context.Context, values *mat.Dense, r Request) (*prepare.Prepared, error) {
	o := r.Prepare
	o.KeepCommonMode = o.KeepCommonMode || r.CommonMode != method.RemoveCommonMode
	y, report, err := prepare.Signals(ctx, values, o)
	if err != nil {
		return nil, err
	}
	return newPrepared(y, report, r), nil
}

// newPrepared says what there is to warn of in signals that were preprocessed.
func newPrepared(y *mat.Dense, report *prepare.Report, r Request) *prepare.Prepared {
	p := &prepare.Prepared{Y: y, Report: report, Options: r.Prepare, Warnings: report.Warnings}
	if r.CommonMode == method.OrderedCommonMode {
		warnOfOrder(p)
	}
	WarnOfCommonMode(p, r.CommonMode)
	return p
}

// WarnOfCommonMode says what there is to doubt because a common mode was kept for a method.
func WarnOfCommonMode(p *prepare.Prepared, mode method.CommonMode) {
	kept := p.Report.CommonMode.Kept
	if kept == 0 {
		return
	}
	share := words.Percent(kept)
	switch mode {
	case method.KeepCommonMode:
		warn(p, prepare.CommonModeKept, "a mode common to all vertices has %s of the energy: removing it may help", share)
	case method.OrderedCommonMode:
		warn(p, prepare.CommonModeInTime, "a mode common to all vertices has %s of the energy: a shared driver can create spurious arrows", share)
	case method.NeedsCommonMode:
		warn(p, prepare.CommonModeKeptForHighPass,
			"a mode common to all vertices has %s of the energy and is kept because of the high-pass kernel: "+
				"low-pass kernels alone may work better without it", share)
	}
}

// warnOfOrder replaces what is said about signals that depend on the ones before:
// that is what a method that uses their order learns from.
func warnOfOrder(p *prepare.Prepared) {
	p.Warnings = slices.DeleteFunc(slices.Clone(p.Warnings), func(w prepare.Warning) bool {
		return w.Kind == prepare.Autocorrelated || w.Kind == prepare.StillAutocorrelated
	})
	if p.Options.Difference == prepare.Yes {
		warn(p, prepare.DifferencesInTime, "differences of a process depend on more than their own past: the arrows are those of the signals only without differences")
	}
}

func warn(p *prepare.Prepared, kind prepare.WarningKind, format string, args ...any) {
	p.Warnings = append(slices.Clip(p.Warnings), prepare.Warning{Kind: kind, Doubt: fmt.Sprintf(format, args...)})
}

// namesOf returns the names of the vertices, for messages.
func namesOf(s *signals.Set) []string {
	if s.Names != nil {
		return s.Names
	}
	n, _ := s.Y.Dims()
	return graph.DefaultNames(n)
}

// IsOutweighed reports whether signals were kept that are far larger than all others.
func IsOutweighed(p *prepare.Prepared) bool {
	return slices.ContainsFunc(p.Warnings, func(w prepare.Warning) bool {
		return w.Kind == prepare.OutOfScaleKept || w.Kind == prepare.OutOfScaleInTime
	})
}

// Usable returns an error if no method can learn from signals.
func Usable(s *signals.Set) error {
	if s == nil || s.Y == nil {
		return input.Errorf("nervure", input.Signals, "got none")
	}
	_, err := signals.ScreenInOwnUnits("nervure", s.Y, s.Names) // preprocessing may bring units together
	return err
}

// sample returns the signals that are learned from: s itself unless there are very many.
func sample(s *signals.Set, r Request) (*signals.Set, error) {
	ordered := needsOrder(r)
	n, m := s.Y.Dims()
	switch {
	case ordered != "" && s.Whole != nil:
		return nil, input.Errorf("nervure", input.Signals,
			"got %s of %s, but %s can only be used with all of them in order: read all, or fewer that follow each other",
			words.Thousands(m), words.Thousands(s.Whole.Signals), ordered)
	case ordered != "" || s.Whole != nil || r.Sample == 0 || !signals.WorthSampling(n, m, r.Sample):
		return s, nil
	}
	some := *s
	chosen := signals.Sample(m, r.Sample)
	some.Y = matrix.Columns(s.Y, chosen)
	some.Times = matrix.Pick(s.Times, chosen)
	some.Whole = &signals.Whole{Signals: m, Chosen: chosen, Blocks: func() iter.Seq2[*mat.Dense, error] { return blocksOf(s.Y) }}
	return &some, nil
}

// blocksOf hands out signals that are in memory.
func blocksOf(y *mat.Dense) iter.Seq2[*mat.Dense, error] {
	const some = 4096
	return func(yield func(*mat.Dense, error) bool) {
		n, m := y.Dims()
		for from := 0; from < m; from += some {
			if !yield(mat.DenseCopyOf(y.Slice(0, n, from, min(from+some, m))), nil) {
				return
			}
		}
	}
}

// sampled returns the options for signals that are a sample of many: those that come
// after each other do not follow each other in time.
func sampled(o prepare.Options) prepare.Options {
	if (o.Season == "" || o.Season == prepare.Auto) && len(o.Periods) == 0 {
		o.Season = prepare.No
	}
	if o.Detrend == "" || o.Detrend == prepare.Auto {
		o.Detrend = prepare.No
	}
	return o
}
