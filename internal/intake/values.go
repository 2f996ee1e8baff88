package intake

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

const (
	// valuesVertices is the most vertices by which values and innovations are compared. Of more, some
	// stand for all: groupVertices each that are most alike, for what is far apart tells nothing.
	valuesVertices = 1000
	groupVertices  = 20
)

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
	asked := r.Prepare.Difference
	if asked == prepare.Yes || asked == prepare.No || prepared.Rows.Rows != prepare.RowsTime ||
		r.CommonMode == method.OrderedCommonMode || s.Whole != nil {
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
	choice, compared := &prepare.ValuesChoice{}, comparedVertices(prepared.Y)
	for _, c := range []struct {
		p         *prepare.Prepared
		agreement *float64
	}{{prepared, &choice.AgreementOfValues}, {other, &choice.AgreementOfInnovations}} {
		if *c.agreement, err = assess.Agreement(limited, rowsOf(c.p.Y, compared)); err != nil {
			return notCompared(ctx, limited, prepared)
		}
	}
	_, m := prepared.Y.Dims()
	choice.Independent = prepare.EffectiveObservations(prepared.Y)
	choice.Innovations = innovationsTellMore(choice, len(compared), m)
	if choice.Innovations {
		other.SensorFindings, other.Rows, other.Given, other.CutShort = prepared.SensorFindings, prepared.Rows, prepared.Given, prepared.CutShort
		other.Warnings = append(other.Warnings, slices.DeleteFunc(slices.Clone(prepared.Warnings), func(w prepare.Warning) bool {
			return !slices.Contains([]prepare.WarningKind{
				prepare.BadSensors, prepare.BadSensorsKept, prepare.EqualVertices,
				prepare.OutOfScale, prepare.OutOfScaleKept, prepare.OutOfTime,
			}, w.Kind)
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

// comparedVertices returns the vertices that values and innovations are compared by, in order: all, or some
// at equal distances and those whose values are most alike.
func comparedVertices(y *mat.Dense) []int {
	n, m := y.Dims()
	if n <= valuesVertices {
		return matrix.Span(0, n)
	}
	rows := linalg.NewDense(n, m)
	for i, of := range matrix.DescribeRows(y) {
		row := linalg.Row(rows, i)
		matrix.Standardise(row, y.RawRowView(i), of.Mean, of.SD)
		for k, v := range row {
			if math.IsNaN(v) {
				row[k] = 0
			}
		}
	}
	taken := make([]bool, n)
	for k := range valuesVertices / groupVertices {
		seed := k * n * groupVertices / valuesVertices
		likeness := make([]float64, n)
		for i := range n {
			likeness[i] = math.Abs(portable.Dot(linalg.Row(rows, seed), linalg.Row(rows, i)))
		}
		for _, i := range matrix.Sorted(n, func(a, b int) int { return cmp.Compare(likeness[b], likeness[a]) })[:groupVertices] {
			taken[i] = true
		}
	}
	return matrix.Where(taken, func(_ int, is bool) bool { return is })
}

// rowsOf returns some rows; the matrix itself if these are all.
func rowsOf(y *mat.Dense, rows []int) *mat.Dense {
	if n, _ := y.Dims(); len(rows) == n {
		return y
	}
	return matrix.Rows(y, rows)
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
