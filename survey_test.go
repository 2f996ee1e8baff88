package nervure

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// A survey is answers from 1 to 5 of 500 people to 25 questions, which are a Gaussian field on a
// known graph behind them.
type survey struct {
	family synth.Family
	seed   uint64
}

func (s survey) draw(t *testing.T) (answers *mat.Dense, truth *graph.Graph) {
	t.Helper()
	drawn, err := synth.Graph(synth.GraphSpec{Family: s.family, Vertices: 25, EdgeFactor: 2, Seed: s.seed})
	if err != nil {
		t.Fatal(err)
	}
	field, err := synth.Field(drawn.Graph, synth.FieldSpec{Order: 1, Count: 500, Seed: s.seed})
	if err != nil {
		t.Fatal(err)
	}
	answers = mat.DenseCopyOf(field.Signals)
	n, m := answers.Dims()
	for i := range n {
		row := answers.RawRowView(i)
		deviation := mat.Norm(answers.RowView(i), 2) / math.Sqrt(float64(m))
		for k, v := range row {
			level := 1.0
			// Questions differ in how many agree.
			for _, cut := range []float64{-1.4, -0.5, 0.3, 1.1} {
				if v/deviation > cut+0.3*float64(i%5-2)/2 {
					level++
				}
			}
			row[k] = level
		}
	}
	return answers, drawn.Graph
}

// Survey answers are learned without anything said, about as well as by polychoric correlations and
// EBICglasso: F1 on the same answers by R 4.2.2, qgraph 1.9.3, lavaan 0.6-14 for cor_auto.
func TestSurveyAnswers(t *testing.T) {
	for _, c := range []struct {
		survey
		ebicglasso float64
	}{{survey{synth.FamilyER, 1}, 0.634}, {survey{synth.FamilyRBF, 1}, 0.779}} {
		y, truth := c.draw(t)
		a, err := Learn(t.Context(), &Signals{Y: y}, Options{Structure: No, Confidence: No})
		if err != nil {
			t.Fatal(err)
		}
		if a.Result.Method.Name() != "field" || !a.Preparation.Report.Scores.Done || len(a.Warnings()) > 0 {
			t.Errorf("%s: %q, %q", c.family, a.Findings(), a.Warnings())
		}
		if f1, err := metrics.EdgeF1(a.Graph, truth); err != nil || f1 < c.ebicglasso-0.03 {
			t.Errorf("%s: F1 %.3f, EBICglasso has %.3f, %v", c.family, f1, c.ebicglasso, err)
		}
	}
}
