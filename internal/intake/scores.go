package intake

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/margins"
	"github.com/nervure/nervure/internal/words"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// UsesScores reports whether a method learns from normal scores where there are any: those for
// Gaussian fields do, and if they were asked for all others but such that see patterns in the
// values or an order in time.
func UsesScores(m method.Method, asked prepare.Choice) bool {
	return method.Has(m, method.TakesScores) || asked == prepare.Yes && !method.Has(m, method.HasCodes) &&
		!method.Has(m, method.UsesOrder)
}

// addScores adds normal scores to prepared signals if they are asked for, or if the values call for
// them. Then logarithms would not change what is learned, and are not advised.
func addScores(ctx context.Context, p *prepare.Prepared, r Request) error {
	asked := r.Prepare.Scores
	if asked == prepare.No || !r.Scores && asked != prepare.Yes {
		return nil
	}
	inspected := margins.Inspect(p.Y)
	if !inspected.CallsForScores() && asked != prepare.Yes {
		return nil
	}
	z, found, err := inspected.Field(func(z *mat.Dense) (*mat.Dense, error) {
		filled, _, err := signals.FillMissing(ctx, z)
		return filled, err
	})
	if err != nil {
		return err
	}
	why := "as requested"
	switch {
	case asked == prepare.Yes:
	case found.NotNormal > 0:
		why = fmt.Sprintf("the values of %s of the vertices are far from normal", words.Percent(found.NotNormal))
	default:
		why = "values have only a few levels"
	}
	p.Scores = z
	p.Report.Scores = prepare.Step{Done: true, Sentence: fmt.Sprintf("learned from %s: %s", found, why)}
	p.Warnings = slices.DeleteFunc(slices.Clone(p.Warnings), isOfSkew)
	return nil
}

// WithoutScores takes normal scores away from signals for a method that was chosen and does not use
// them, and gives the advice that they had made needless. If they were asked for, the report says so.
func (s *Signals) WithoutScores() {
	if s.Scores == nil {
		return
	}
	p := s.Prepared
	s.Scores, p.Scores, p.Report.Scores = nil, nil, prepare.Step{}
	if p.Options.Scores == prepare.Yes {
		p.Report.Scores.Sentence = "normal scores were requested and not used: the method that was chosen learns from values"
	}
	p.Warnings = slices.Concat(slices.DeleteFunc(slices.Clone(p.Report.Warnings),
		func(w prepare.Warning) bool { return !isOfSkew(w) }), p.Warnings)
}

func isOfSkew(w prepare.Warning) bool {
	return w.Kind == prepare.Skewed || w.Kind == prepare.SkewedFromZero
}
