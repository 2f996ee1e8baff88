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
	"github.com/nervure/nervure/signals"
)

// op is who refuses input, in errors.
const op = "prepare"

// A Choice says whether a step is applied.
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
	// takes the values: which of the two to learn from is for the caller to find out.
	Difference Choice

	Center     Choice // subtract each vertex's mean
	Scale      Choice // divide each vertex by its standard deviation
	CommonMode Choice // subtract each signal's mean over the vertices
	// KeepCommonMode makes Auto keep a common mode that it would have subtracted, and say
	// how much it is: see [Step.Kept].
	KeepCommonMode bool

	Names []string    // of the vertices, for messages; nil means v0, v1, …
	Times []time.Time // of the observations, ascending; nil if not known
}

// None returns the options that leave signals as they are: for those that are
// known to follow the model.
func None() Options { return AsTheyAre(Options{Center: No, Scale: No, CommonMode: No}) }

// AsTheyAre returns the options without what is done in the course of time: for signals
// that are prepared already, or have no order.
func AsTheyAre(o Options) Options {
	o.Season, o.Detrend, o.Difference, o.Periods = No, No, No, nil
	return o
}

func (o Options) name(i int) string {
	if o.Names == nil {
		return fmt.Sprintf("v%d", i)
	}
	return o.Names[i]
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
	if math.IsNaN(o.LogOffset) || math.IsInf(o.LogOffset, 0) {
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
	} {
		switch c.choice {
		case "", Auto, Yes, No:
		default:
			fault(c.field, "got %q, want auto, yes or no", c.choice)
		}
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
	return signalsOf(ctx, y, o, nil)
}

// Again is [Signals] of the signals that the report is of, with other options for what
// comes after trends and cycles: these are not searched for again.
func (r *Report) Again(ctx context.Context, y *mat.Dense, o Options) (*mat.Dense, *Report, error) {
	return signalsOf(ctx, y, o, &r.Course)
}

// signalsOf is Signals where trends and cycles may be known; nil if not.
func signalsOf(ctx context.Context, y *mat.Dense, o Options, known *Course) (*mat.Dense, *Report, error) {
	if err := o.check(y.Dims()); err != nil {
		return nil, nil, err
	}
	if err := checkSize(y, o, math.MaxFloat64, "is not finite"); err != nil {
		return nil, nil, err
	}
	z, report := y, &Report{}
	own := func() *mat.Dense { // a copy, once something is about to change
		if z == y {
			z = mat.DenseCopyOf(y)
		}
		return z
	}
	report.Warnings = append(report.Warnings, warnOfSkew(ctx, y, o)...)
	if o.Log {
		own()
		if err := takeLogs(z, o); err != nil {
			return nil, nil, err
		}
		report.Log = logStep(o)
	}
	if len(o.Periods) > 0 {
		o.Season = Yes
	}
	course, season, trend, err := takeCourse(ctx, z, o, known, own)
	if err != nil {
		return nil, nil, err
	}
	report.Course, report.Season, report.Detrend = course, season, trend
	if o.Difference == Yes {
		d, err := differences(z)
		if err != nil {
			return nil, nil, err
		}
		z, report.Difference = d, differenceStep(z, d)
	}
	rows := signals.DescribeRows(z)
	report.Warnings = append(report.Warnings, warnOfTime(ctx, z, rows, o)...)
	report.Warnings = append(report.Warnings, warnOfDuplicates(ctx, z, o)...)

	if report.Center = chooseCenter(ctx, z, rows, o); report.Center.Done {
		own()
		report.Center.Energy = energyTaken(z, func() {
			for i, r := range rows {
				centreRow(z.RawRowView(i), r)
			}
		})
	}
	report.CommonMode = chooseCommonMode(ctx, z, rows, o) // by correlations, which no scale changes
	if err := context.Cause(ctx); err != nil {
		return nil, nil, err
	}
	if report.CommonMode.Done && o.KeepCommonMode && o.CommonMode != Yes {
		report.CommonMode = keptCommonMode(z, rows, report, o)
	}
	if report.Scale = chooseScale(z, rows, report, o); report.Scale.Done {
		scaleRows(own(), rows)
	}
	if report.CommonMode.Done {
		own()
		report.CommonMode.Energy = energyTaken(z, func() { removeCommonMode(z, rows) })
	}
	if err := checkSize(z, o, mostSize, "is too large to process: divide all values by a large number"); err != nil {
		return nil, nil, err
	}
	report.finish(z)
	report.Transform = newTransform(report, o, rows)
	return z, report, nil
}

// mostSize is the largest size of a prepared value: sums and differences of thousands of
// them are still numbers.
const mostSize = 1e304

// checkSize finds the first entry beyond a size.
func checkSize(y *mat.Dense, o Options, most float64, sentence string) error {
	n, _ := y.Dims()
	for i := range n {
		for k, v := range y.RawRowView(i) {
			if math.Abs(v) > most {
				return input.Completef(op, input.Signals, "vertex %q, observation %d: the value %s", o.name(i), k+1, sentence)
			}
		}
	}
	return nil
}

// energyTaken returns the share of the energy of z that change takes away.
func energyTaken(z *mat.Dense, change func()) float64 {
	unit := largest(z)
	before := energy(z, unit)
	change()
	if before == 0 {
		return 0
	}
	return 1 - energy(z, unit)/before
}
