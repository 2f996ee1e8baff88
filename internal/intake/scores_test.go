package intake_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/signals"
)

// Skewed values call for normal scores, which make logarithms needless; normal ones do not.
func TestSkewedValuesGetScores(t *testing.T) {
	r := rng.Stream(1, "scores")
	normal, skewed := mat.NewDense(8, 200, nil), mat.NewDense(8, 200, nil)
	normal.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, normal)
	skewed.Apply(func(i, k int, _ float64) float64 { return math.Exp(normal.At(i, k)) }, skewed)
	skewed.Set(3, 5, math.NaN())
	advises := func(p *prepare.Prepared) bool {
		return slices.ContainsFunc(p.Warnings, func(w prepare.Warning) bool { return w.Kind == prepare.Skewed })
	}
	for name, c := range map[string]struct {
		y       *mat.Dense
		asked   prepare.Choice
		field   bool
		scores  bool
		advised bool
	}{
		"skewed, for a field":         {skewed, "", true, true, false},
		"skewed, for another method":  {skewed, "", false, false, true},
		"skewed, but not wanted":      {skewed, prepare.No, true, false, true},
		"normal":                      {normal, "", true, false, false},
		"normal, but wanted":          {normal, prepare.Yes, true, true, false},
		"skewed, as asked for by all": {skewed, prepare.Yes, false, true, false},
	} {
		all, err := intake.ForComparison(t.Context(), &signals.Set{Y: c.y}, intake.Request{Prepare: prepare.Options{Scores: c.asked}, Scores: c.field})
		if err != nil {
			t.Fatal(err)
		}
		p := all.Prepared
		if (p.Scores != nil) != c.scores || p.Report.Scores.Done != c.scores || advises(p) != c.advised {
			t.Errorf("%s: scores %t, %q, warnings %q", name, p.Scores != nil, p.Report.Scores.Sentence, p.Sentences())
		}
		if c.scores && c.y == skewed {
			given := p.AsGiven()
			if !math.IsNaN(given.Scores.At(3, 5)) || !math.IsNaN(given.Y.At(3, 5)) || math.IsNaN(given.Scores.At(3, 6)) {
				t.Errorf("%s: gaps have moved", name)
			}
			if why := p.Report.Scores.Sentence; c.asked == "" && !strings.Contains(why, "100% of the vertices are far from normal") {
				t.Errorf("%s: %q", name, why)
			}
			all.WithoutScores()
			if all.Scores != nil || p.Scores != nil || p.Report.Scores.Done || !advises(p) {
				t.Errorf("%s: scores are still there, or nothing is said of logarithms", name)
			}
			if said := p.Report.Scores.Sentence; (said != "") != (c.asked == prepare.Yes) {
				t.Errorf("%s: without scores the report says %q", name, said)
			}
		}
	}
}

// Who asks for scores and for a method that cannot use them has to say which of the two it is to be.
func TestScoresForAMethodOfValuesAreRefused(t *testing.T) {
	s := &signals.Set{Y: mat.NewDense(4, 50, nil)}
	s.Y.Apply(func(i, k int, _ float64) float64 { return math.Sin(float64((i + 2) * k * k)) }, s.Y)
	for asked, refused := range map[prepare.Choice]bool{"": false, prepare.Auto: false, prepare.No: false, prepare.Yes: true} {
		_, err := intake.ForLearning(t.Context(), s, intake.Request{Method: "sparse", Prepare: prepare.Options{Scores: asked}})
		if fault := input.Find(err); refused != (fault != nil && fault.Field == input.Scores && strings.Contains(fault.Msg, "the method sparse learns from values")) || !refused && err != nil {
			t.Errorf("%q: got %v", asked, err)
		}
	}
}
