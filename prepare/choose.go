package prepare

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/words"
)

// The thresholds of the automatic choices. They were set so that signals that
// follow the model are left alone. Of 4000 draws, one was changed: heat:2 alone, 31
// vertices, 35 signals; its common mode was removed. The draws were from all
// families of package synth, with 5 to 200 vertices, 20 to 1000 signals of 2 to 12
// atoms, with and without 20 % noise, and with kernels from the paper's pair to
// heat:2 alone.
const (
	// meanAlarm is the significance level of each of the two tests for means that
	// differ from zero. No draw was centred.
	meanAlarm = 1e-4

	// unitSpread is the ratio of the 0.9-quantile of the standard deviations to the
	// 0.1-quantile from which vertices count as measured in different units. Degrees
	// make them differ as well: 3-fold at most in draws whose standard deviations
	// rest on at least 20 independent values (fewSpread), 8-fold from 10 on.
	unitSpread = 10
	fewSpread  = 20

	// manyVertices is how many there must be before a common mode is removed
	// unasked. The mean over N vertices holds 1/N of what each does by itself, and
	// subtracting it makes unrelated vertices look anticorrelated: on measured
	// signals it lost true edges with 11 and 20 vertices, and found more with 31 and
	// 56.
	manyVertices = 30

	// commonFloor is N times a correlation that nearly all pairs of vertices exceed
	// (all but a share of floorRank). On sparse graphs heat kernels correlate distant
	// vertices too, by a share of their one smooth mode that falls with N:
	// at most 8/N in draws of heat:2, 2/N of the paper's pair, 5/N of heat:2 with
	// heat:1. Measured fields that a common cause drives have 10/N to 28/N.
	commonFloor = 9
	floorRank   = 0.05
)

// chooseLevels decides what is done to the levels of z, which is not modified, and says
// why. Warnings are of z as well.
func (r *Report) chooseLevels(ctx context.Context, z *mat.Dense) (levels, error) {
	seen, o := newEvidence(z), r.options
	if o.Rows != RowsIndependent {
		r.Warnings = append(r.Warnings, warnOfTime(ctx, seen, r)...)
	}
	r.Warnings = append(r.Warnings, warnOfDuplicates(ctx, z, o)...)
	r.Center = chooseCenter(ctx, seen, o)
	r.CommonMode = chooseCommonMode(ctx, seen, o)
	if err := context.Cause(ctx); err != nil {
		return levels{}, err
	}
	measured := r.Center.Done || r.Log.Done || r.Season.Done || r.Detrend.Done || r.Difference.Done || r.Autoregression.Done
	if r.CommonMode.Done && o.KeepCommonMode && o.CommonMode != Yes {
		// In the scales in which it would have been removed.
		share := levels{r.Center.Done, o.Scale != No, true, seen.rows}.apply(mat.DenseCopyOf(z)).commonMode
		r.CommonMode = Step{Kept: share, Sentence: fmt.Sprintf("common mode kept (%s of the energy)", words.Percent(share))}
	}
	r.Scale = chooseScale(seen, o, measured || r.CommonMode.Done)
	return levels{r.Center.Done, r.Scale.Done, r.CommonMode.Done, seen.rows}, nil
}

// asked returns the step of a choice that does not depend on the signals.
func asked(c Choice, yes Step, no string) (Step, bool) {
	switch c {
	case Yes:
		yes.Done, yes.Sentence = true, yes.summary+", as requested"
		return yes, true
	case No:
		return Step{Sentence: no + ", as requested"}, true
	}
	return Step{}, false
}

func chooseCenter(ctx context.Context, seen evidence, o Options) Step {
	removed := Step{summary: "means removed"}
	if s, ok := asked(o.Center, removed, "means kept"); ok {
		return s
	}
	removed.Done = true
	if o.Log && o.Difference != Yes {
		removed.Sentence = "means removed: the mean of a logarithm depends on the unit"
		return removed
	}
	if p, vertex := seen.meansPValue(ctx); p < meanAlarm {
		r := seen.rows[vertex]
		removed.Sentence = fmt.Sprintf("means removed: vertex %q has mean %.4g and standard deviation %.4g, which is not due to chance (p = %.1g)",
			nameOf(o.Names, vertex), r.Mean, r.SD, p)
		return removed
	}
	if seen.sameSignPValue(ctx) < meanAlarm {
		removed.Sentence = "means removed: all values have the same sign, which is not due to chance"
		return removed
	}
	return Step{Sentence: "means kept: they do not differ significantly from zero"}
}

// chooseScale is told whether another step shows that the signals are measurements.
func chooseScale(seen evidence, o Options, measured bool) Step {
	scaled := Step{summary: "scaled to unit variance"}
	if s, ok := asked(o.Scale, scaled, "scales kept"); ok {
		return s
	}
	scaled.Done = true
	if measured {
		scaled.Sentence = scaled.summary + ": the scales of measurements say nothing about the graph"
		return scaled
	}
	spread, effective := seen.scaleSpread()
	if spread < unitSpread || effective < fewSpread {
		return Step{Sentence: fmt.Sprintf("scales kept: standard deviations differ %.3g-fold, which the graph itself can cause",
			spread)}
	}
	scaled.Sentence = fmt.Sprintf("%s: standard deviations differ %.3g-fold, which suggests different units", scaled.summary, spread)
	return scaled
}

// chooseCommonMode decides by correlations, which no scale changes.
func chooseCommonMode(ctx context.Context, seen evidence, o Options) Step {
	removed := Step{summary: "common mode removed"}
	if s, ok := asked(o.CommonMode, removed, "common mode kept"); ok {
		return s
	}
	kept := func(why string) Step { return Step{Sentence: "common mode kept: " + why} }
	varying := varyingOf(seen.rows)
	if len(varying) < manyVertices {
		return kept(fmt.Sprintf("with only %d vertices it cannot be told apart from the variation of each vertex", len(varying)))
	}
	floor := seen.correlationFloor(ctx, varying)
	if floor*float64(len(varying)) < commonFloor {
		return kept("the vertices do not all move together")
	}
	removed.Done = true
	removed.Sentence = fmt.Sprintf("common mode removed: %.0f%% of the pairs of vertices are correlated by more than %.2g, which suggests a common cause",
		100*(1-floorRank), floor)
	return removed
}
