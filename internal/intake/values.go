package intake

import (
	"context"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// valuesVertices is the most vertices for which values and innovations are compared.
const valuesVertices = 1000

const (
	// innovationsGain is how many times as much innovations must tell, and chanceGain what is added
	// to it for each standard error of an agreement by chance. Noise of measurement is a larger part
	// of innovations: values are kept in case of doubt.
	innovationsGain, chanceGain = 1.1, 2
	// enoughValues is the share of the values, as independent ones count, from which on they
	// count in full. Where it is less, what values tell counts for less, by that share: methods
	// hold values out by blocks and count them as few, and so find less than is there.
	enoughValues = 0.25
)

// chooseValues replaces prepared values by innovations, what is new in each observation, where it
// is open which to learn from: if the two halves of the recording clearly agree better on what
// these say, or agree on what values say by no more than chance. A filter in time that is the same
// at all vertices leaves the graph as it is, and independent signals tell more about it; but where
// measurements are noisy, noise is what is new.
func chooseValues(ctx context.Context, s *signals.Set, r Request, prepared *prepare.Prepared) (*prepare.Prepared, error) {
	n, _ := s.Y.Dims()
	asked := r.Prepare.Difference
	if asked == prepare.Yes || asked == prepare.No || prepared.Rows.Rows != prepare.RowsTime ||
		r.CommonMode == method.OrderedCommonMode || s.Whole != nil || n > valuesVertices {
		return prepared, nil
	}
	limited, cancel := r.Budget.ForChoosing(ctx)
	defer cancel()
	y, report, err := prepared.Report.Innovations(limited, prepared.Given)
	switch {
	case err != nil:
		return notCompared(ctx, limited, prepared)
	case report == nil: // they depend on nothing before
		return prepared, nil
	}
	r.Prepare = prepared.Options
	other := newPrepared(y, report, r)
	choice := &prepare.ValuesChoice{}
	for _, c := range []struct {
		p         *prepare.Prepared
		agreement *float64
	}{{prepared, &choice.AgreementOfValues}, {other, &choice.AgreementOfInnovations}} {
		if *c.agreement, err = assess.Agreement(limited, c.p.Y); err != nil {
			return notCompared(ctx, limited, prepared)
		}
	}
	_, m := prepared.Y.Dims()
	choice.Independent = prepare.EffectiveObservations(prepared.Y)
	choice.Innovations = innovationsTellMore(choice, n, m)
	if choice.Innovations {
		other.SensorFindings, other.Rows, other.Given, other.CutShort = prepared.SensorFindings, prepared.Rows, prepared.Given, prepared.CutShort
		other.Warnings = append(other.Warnings, slices.DeleteFunc(slices.Clone(prepared.Warnings), func(w prepare.Warning) bool {
			return !slices.Contains([]prepare.WarningKind{prepare.BadSensors, prepare.BadSensorsKept, prepare.EqualVertices, prepare.OutOfScale, prepare.OutOfScaleKept, prepare.OutOfTime}, w.Kind)
		})...)
		prepared = other
	} else if at := slices.IndexFunc(prepared.Warnings, func(w prepare.Warning) bool { return w.Kind == prepare.Autocorrelated }); at >= 0 {
		prepared.Warnings = slices.Clone(prepared.Warnings)
		prepared.Warnings[at].Kind = prepare.StillAutocorrelated
		prepared.Warnings[at].Advice = "" // innovations have been tried
	}
	prepared.Values, prepared.Report.Autoregression.Sentence = choice, choice.String()
	return prepared, nil
}

// innovationsTellMore decides by the agreement of the halves on n vertices, of m values each. An
// agreement r is the share of the truth in what a half says, and r/(1 − r), truth to error, grows
// as the number of independent signals does: unlike r itself, it does not level off where both
// agree well.
func innovationsTellMore(c *prepare.ValuesChoice, n, m int) bool {
	chance := 1 / math.Sqrt(float64(n*(n-1))/2) // what unrelated vertices agree by
	told := func(r float64) float64 { return max(r, 0) / (1 - r) }
	gain := (innovationsGain + chanceGain*chance) * min(c.Independent/float64(m)/enoughValues, 1)
	return told(c.AgreementOfInnovations) > gain*told(c.AgreementOfValues) || c.AgreementOfValues < chance
}

// notCompared returns the values if they could not be compared with innovations, even if
// that is because time was up; the cause if ctx has ended.
func notCompared(ctx, limited context.Context, prepared *prepare.Prepared) (*prepare.Prepared, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if run.OutOfTime(limited) {
		prepared.CutShort = true
		warn(prepared, prepare.OutOfTime, "the time limit left no time to compare values with innovations")
	}
	return prepared, nil
}
