package nervure

import (
	"context"
	"fmt"
	"slices"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/prepare"
)

// A ValuesChoice says whether a graph is learned from the values of a time series or
// from their differences in time: by what predicts hidden vertices better.
type ValuesChoice struct {
	Differences bool // are learned from
	// PredictedValues and PredictedDifferences are the shares of the variance of a vertex
	// that the others predict in held-out signals; see [assess.HiddenShare].
	PredictedValues, PredictedDifferences float64
}

// String returns what was chosen, and why.
func (c *ValuesChoice) String() string {
	kept, other, more, less := "values", "differences", c.PredictedValues, c.PredictedDifferences
	if c.Differences {
		kept, other, more, less = other, kept, less, more
	}
	share := func(v float64) string { return words.Percent(max(v, 0)) }
	return fmt.Sprintf("learned from %s: hidden vertices are predicted better from these (%s of their variation) than from %s (%s)", kept, share(more), other, share(less))
}

func (c *ValuesChoice) document() *document.ValuesChoice {
	if c == nil {
		return nil
	}
	return &document.ValuesChoice{
		Differences: c.Differences, PredictedValues: document.Finite(c.PredictedValues), PredictedDifferences: document.Finite(c.PredictedDifferences),
	}
}

// valuesVertices is the most vertices for which values and differences are compared.
const valuesVertices = 1000

// chooseValues replaces a preparation by that of differences if hidden vertices are
// predicted better from these, where it is open which to learn from.
func (p *pipeline) chooseValues(ctx context.Context, s *Signals, prepared *Preparation) (*Preparation, error) {
	rule := commonModeOf(p.options, s)
	n, _ := s.Y.Dims()
	at := slices.IndexFunc(prepared.Warnings, func(w prepare.Warning) bool { return w.Kind == prepare.Autocorrelated })
	if p.options.Prepare.Difference == Yes || p.options.Prepare.Difference == No || at < 0 || rule == keepForOrder || s.Whole != nil || n > valuesVertices {
		return prepared, nil
	}
	changes := prepared.Options
	changes.Difference = Yes
	limited, cancel := p.budget.forChoosing(ctx)
	defer cancel()
	other, err := prepareValues(limited, prepared.values, changes, rule, prepared.Report.Again)
	if err != nil {
		return p.withValues(ctx, limited, prepared)
	}
	choice := &ValuesChoice{}
	for _, c := range []struct {
		p     *Preparation
		share *float64
	}{{prepared, &choice.PredictedValues}, {other, &choice.PredictedDifferences}} {
		if *c.share, err = assess.HiddenShare(limited, c.p.Y); err != nil {
			return p.withValues(ctx, limited, prepared)
		}
	}
	if choice.Differences = choice.PredictedDifferences > choice.PredictedValues; choice.Differences {
		other.SensorFindings, other.hurried = prepared.SensorFindings, prepared.hurried
		if prepared.hurried { // what was not looked for was not looked for here either
			other.Report.Season.Sentence, other.Report.Detrend.Sentence = prepared.Report.Season.Sentence, prepared.Report.Detrend.Sentence
		}
		other.Warnings = append(other.Warnings, slices.DeleteFunc(slices.Clone(prepared.Warnings), func(w prepare.Warning) bool {
			return !slices.Contains([]prepare.WarningKind{BadSensors, BadSensorsKept, OutOfScale, OutOfScaleKept, OutOfTime}, w.Kind)
		})...)
		other.Report.Difference.Sentence = choice.String()
		prepared = other
	} else {
		prepared.Warnings = slices.Clone(prepared.Warnings)
		prepared.Warnings[at].Kind = prepare.StillAutocorrelated
		prepared.Warnings[at].Advice = "" // differences have been tried
		prepared.Report.Difference.Sentence = choice.String()
	}
	prepared.Values = choice
	return prepared, nil
}

// withValues is the preparation where values and differences could not be compared, be it
// because time was up; the cause if ctx has ended.
func (*pipeline) withValues(ctx, limited context.Context, prepared *Preparation) (*Preparation, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if outOfTime(limited) {
		prepared.hurried = true
		prepared.warn(OutOfTime, "the time limit left no time to compare values with differences")
	}
	return prepared, nil
}
