// Package prepare is the preprocessing of measured signals: logarithms, cycles,
// trends and differences in time, means, scales and the common mode of all vertices.
//
// Signals that follow the model are sums of a few atoms and need no preprocessing:
// an unnecessary step makes them less sparse, and an exact answer approximate.
// Measured signals have seasons, trends, offsets, units and common modes that no
// graph explains. Each of these steps is therefore applied only where the signals
// call for it, unless the caller decides. Logarithms and differences change the
// question itself and are applied on request only.
//
// Preprocessing decides first and then applies what it decided, in two parts: what is
// done in time (intime.go), and what is done to the levels of the vertices (levels.go).
// Both decisions together are a [Transform]; a [Report] gives the reasons.
//
// Signals are the columns of an N×M matrix, vertices are its rows. An entry that
// is NaN is missing, and stays missing.
package prepare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/matrix"
)

// op is who refuses input, in errors.
const op = "prepare"

// A Choice reports whether a step is applied.
type Choice string

// The choices. The empty one is Auto.
const (
	Auto Choice = "auto" // if the signals call for it
	Yes  Choice = "yes"
	No   Choice = "no"
)

// Options are the steps, in the order in which they are applied. The zero value
// decides from the signals.
type Options struct {
	Log       bool    // take natural logarithms, log(x + LogOffset)
	LogOffset float64 // only with Log; zero adds nothing

	Season  Choice    // subtract cycles of each vertex: those of Periods or, without, those found
	Periods []float64 // of these cycles, in steps from observation to observation; with them Season is Yes
	Detrend Choice    // subtract a smooth trend of each vertex

	// Difference is whether to take the change from each observation to the next. Auto
	// takes the values, of which [Report.Innovations] are the ones to try.
	Difference Choice
	// Rows is what the observations are to each other. With RowsIndependent nothing is done in
	// time; [FindRows] finds out what they are.
	Rows Rows

	Center     Choice // subtract each vertex's mean
	Scale      Choice // divide each vertex by its standard deviation
	CommonMode Choice // subtract each signal's mean over the vertices
	// Scores is whether a field is learned from normal scores in the place of values: see
	// [Prepared.Scores]. Auto does so where values are clearly not normal, or ordinal.
	Scores Choice
	// KeepCommonMode makes Auto keep a common mode that it would have subtracted, and say
	// how much it is: see [Step.Kept].
	KeepCommonMode bool

	Names []string    // of the vertices, for messages; nil means v0, v1, …
	Times []time.Time // of the observations, ascending; nil if not known
}

// None returns the options that leave signals as they are: for those that are
// known to follow the model.
func None() Options {
	return AsTheyAre(Options{Center: No, Scale: No, CommonMode: No, Scores: No})
}

// AsTheyAre returns the options without what is done in the course of time: for signals
// that are prepared already, or have no order.
func AsTheyAre(o Options) Options {
	o.Season, o.Detrend, o.Difference, o.Periods = No, No, No, nil
	return o
}

// asksForTime names what was asked for that only rows in time have; "" if nothing was.
func (o Options) asksForTime() string {
	switch {
	case o.Difference == Yes:
		return "differences in time"
	case o.Season == Yes || len(o.Periods) > 0:
		return "cycles"
	case o.Detrend == Yes:
		return "trends"
	}
	return ""
}

// nameOf returns the name of a vertex.
func nameOf(names []string, i int) string {
	if names == nil {
		return fmt.Sprintf("v%d", i)
	}
	return names[i]
}

// check returns all faults of the options.
func (o Options) check(n, m int) error {
	var faults []error
	fault := func(field input.Field, format string, args ...any) {
		faults = append(faults, input.Errorf(op, field, format, args...))
	}
	if o.Names != nil && len(o.Names) != n {
		fault(input.Names, "got %d, want %d", len(o.Names), n)
	}
	if !matrix.Finite(o.LogOffset) {
		fault(input.LogOffset, "got %g, want a finite number", o.LogOffset)
	}
	if o.LogOffset != 0 && !o.Log {
		fault(input.LogOffset, "got %g without logarithms, want 0", o.LogOffset)
	}
	for _, c := range []struct {
		field  input.Field
		choice Choice
	}{
		{input.Season, o.Season},
		{input.Detrend, o.Detrend},
		{input.Difference, o.Difference},
		{input.Center, o.Center},
		{input.Scale, o.Scale},
		{input.CommonMode, o.CommonMode},
		{input.Scores, o.Scores},
	} {
		switch c.choice {
		case "", Auto, Yes, No:
		default:
			fault(c.field, "got %q, want auto, yes or no", c.choice)
		}
	}
	if err := o.Rows.check(); err != nil {
		faults = append(faults, err)
	}
	if asked := o.asksForTime(); o.Rows == RowsIndependent && asked != "" {
		fault(input.Rows, "got independent rows, which have no %s", asked)
	}
	if len(o.Periods) > 0 && o.Season == No {
		fault(input.Season, "got periods for cycles that are to be kept")
	}
	if err := CheckTimes(o.Times, m); err != nil {
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// Signals preprocesses the columns of y, which is not modified, and reports what
// was done and why. What it returns is y itself if nothing was done. The steps come in
// a fixed order: logarithms, trends and cycles, differences, means, scales, the common
// mode. Every statistic is over the observed entries.
//
// A vertex that does not vary is ignored by every choice and by the common mode;
// it is set to zero where means are removed and otherwise left alone. The common
// mode of a signal is its mean over the vertices that vary.
//
// An error is an [input.Error] or several of them joined, or the cause if ctx has ended:
// then there are no signals, for what they call for is not known.
func Signals(ctx context.Context, y *mat.Dense, o Options) (*mat.Dense, *Report, error) {
	if err := o.check(y.Dims()); err != nil {
		return nil, nil, err
	}
	if err := checkSize(y, o, math.MaxFloat64, "is not finite"); err != nil {
		return nil, nil, err
	}
	if len(o.Periods) > 0 {
		o.Season = Yes
	}
	plan, err := chooseInTime(ctx, y, o)
	if err != nil {
		return nil, nil, err
	}
	report := &Report{options: o, Warnings: warnOfSkew(ctx, y, o)}
	z, err := report.prepare(ctx, y, plan)
	if err != nil {
		return nil, nil, err
	}
	return z, report, nil
}

// Innovations is [Signals] with what each observation takes from the ones before removed, of
// the signals that the report is of: what was found out about logarithms, trends and cycles
// is taken from there. There are none, and no report, if observations take nothing from the
// ones before, or differences were taken.
func (r *Report) Innovations(ctx context.Context, y *mat.Dense) (*mat.Dense, *Report, error) {
	plan := r.Transform.inTime
	values, _, err := plan.apply(ctx, y, r.options.Times, nil)
	if err != nil {
		return nil, nil, err
	}
	if plan.past = fitAutoregression(ctx, values); plan.difference || plan.past.none() {
		return nil, nil, context.Cause(ctx)
	}
	again := &Report{options: r.options}
	for _, w := range r.Warnings {
		if w.Kind.ofValues() {
			again.Warnings = append(again.Warnings, w)
		}
	}
	z, err := again.prepare(ctx, y, plan)
	if err != nil {
		return nil, nil, err
	}
	again.Season, again.Detrend = r.Season, r.Detrend // the caller may have given other reasons
	return z, again, nil
}

// prepare does what is planned in time, chooses levels for the result, and does that.
// The report says what was done and why.
func (r *Report) prepare(ctx context.Context, y *mat.Dense, plan inTime) (*mat.Dense, error) {
	z, taken, err := plan.apply(ctx, y, r.options.Times, nil)
	if err != nil {
		return nil, err
	}
	_, m := y.Dims()
	r.explainTime(plan, taken, m)
	levels, err := r.chooseLevels(ctx, z)
	if err != nil {
		return nil, err
	}
	if z == y && !levels.none() {
		z = mat.DenseCopyOf(y)
	}
	r.explainLevels(levels.apply(z))
	r.Missing = matrix.Missing(z)
	r.Transform = Transform{plan, levels}
	return z, checkSize(z, r.options, mostSize, "is too large to process: divide all values by a large number")
}

// mostSize is the largest size of a prepared value: sums and differences of thousands of
// them are still numbers.
const mostSize = 1e304

// checkSize finds the first entry beyond a size.
func checkSize(y *mat.Dense, o Options, most float64, sentence string) error {
	for i, row := range matrix.Each(y) {
		for k, v := range row {
			if math.Abs(v) > most {
				return input.Completef(op, input.Signals, "vertex %q, observation %d: the value %s", nameOf(o.Names, i), k+1, sentence)
			}
		}
	}
	return nil
}
