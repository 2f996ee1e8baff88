package intake

import (
	"context"
	"slices"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// valuesVertices is the most vertices for which values and differences are compared.
const valuesVertices = 1000

// chooseValues replaces prepared values by differences if hidden vertices are predicted
// better from these, where it is open which to learn from.
func chooseValues(ctx context.Context, s *signals.Set, r Request, prepared *prepare.Prepared) (*prepare.Prepared, error) {
	n, _ := s.Y.Dims()
	at := slices.IndexFunc(prepared.Warnings, func(w prepare.Warning) bool { return w.Kind == prepare.Autocorrelated })
	asked := r.Prepare.Difference
	if asked == prepare.Yes || asked == prepare.No || at < 0 || r.CommonMode == method.OrderedCommonMode || s.Whole != nil || n > valuesVertices {
		return prepared, nil
	}
	limited, cancel := r.Budget.ForChoosing(ctx)
	defer cancel()
	y, report, err := prepared.Report.Differences(limited, prepared.Given)
	if err != nil {
		return notCompared(ctx, limited, prepared)
	}
	r.Prepare = prepared.Options
	r.Prepare.Difference = prepare.Yes
	other := newPrepared(y, report, r)
	choice := &prepare.ValuesChoice{}
	for _, c := range []struct {
		p     *prepare.Prepared
		share *float64
	}{{prepared, &choice.PredictedValues}, {other, &choice.PredictedDifferences}} {
		if *c.share, err = assess.HiddenShare(limited, c.p.Y); err != nil {
			return notCompared(ctx, limited, prepared)
		}
	}
	if choice.Differences = choice.PredictedDifferences > choice.PredictedValues; choice.Differences {
		other.SensorFindings, other.Given, other.CutShort = prepared.SensorFindings, prepared.Given, prepared.CutShort
		other.Warnings = append(other.Warnings, slices.DeleteFunc(slices.Clone(prepared.Warnings), func(w prepare.Warning) bool {
			return !slices.Contains([]prepare.WarningKind{prepare.BadSensors, prepare.BadSensorsKept, prepare.OutOfScale, prepare.OutOfScaleKept, prepare.OutOfTime}, w.Kind)
		})...)
		prepared = other
	} else {
		prepared.Warnings = slices.Clone(prepared.Warnings)
		prepared.Warnings[at].Kind = prepare.StillAutocorrelated
		prepared.Warnings[at].Advice = "" // differences have been tried
	}
	prepared.Values, prepared.Report.Difference.Sentence = choice, choice.String()
	return prepared, nil
}

// notCompared returns the values if they could not be compared with differences, even if
// that is because time was up; the cause if ctx has ended.
func notCompared(ctx, limited context.Context, prepared *prepare.Prepared) (*prepare.Prepared, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if run.OutOfTime(limited) {
		prepared.CutShort = true
		warn(prepared, prepare.OutOfTime, "the time limit left no time to compare values with differences")
	}
	return prepared, nil
}
