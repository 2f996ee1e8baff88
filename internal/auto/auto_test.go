package auto_test

import (
	"testing"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/auto"
)

// Codes are clear if they gain much more than chance and than edges, not if edges
// gain nearly as much or nothing is sure.
func TestCodesAreClearOnlyBeyondDoubt(t *testing.T) {
	estimate := func(mean, err float64) assess.Estimate { return assess.Estimate{Mean: mean, StdErr: err} }
	for name, c := range map[string]struct {
		choice auto.Choice
		want   bool
	}{
		"patterns":           {auto.Choice{Codes: estimate(30, 2), Edges: estimate(-3, 1), Difference: estimate(33, 2)}, true},
		"few signals":        {auto.Choice{Codes: estimate(7, 2.6), Edges: estimate(-2, 1), Difference: estimate(9, 3)}, false},
		"edges gain as much": {auto.Choice{Codes: estimate(142, 10), Edges: estimate(104, 11), Difference: estimate(38, 4)}, false},
		"a field":            {auto.Choice{Codes: estimate(20, 1), Edges: estimate(40, 1), Difference: estimate(-20, 1)}, false},
	} {
		if got := c.choice.CodesAreClear(); got != c.want {
			t.Errorf("%s: got %t, want %t", name, got, c.want)
		}
	}
}

func TestAChoiceSaysWhatItMeans(t *testing.T) {
	edge := assess.Estimate{Mean: 10, StdErr: 1}
	for want, c := range map[string]auto.Choice{
		"method: field (Gaussian field on the graph): a simple Gaussian graph predicts 69% of hidden values, the sparse model 41%": {
			Method: "field", Edges: edge, Predicted: 0.69, PredictedByCodes: 0.41, Difference: assess.Estimate{Mean: -8, StdErr: 1},
		},
		"method: field (Gaussian field on the graph): held-out signals are likelier under it than under the sparse model (by 8 nats per signal)": {
			Method: "field", Edges: edge, Predicted: 0.3, PredictedByCodes: 0.41, Difference: assess.Estimate{Mean: -8, StdErr: 1},
		},
		"method: sparse (sums of a few local patterns): it predicts 88% of hidden values, a simple Gaussian graph 0%": {
			Method: "sparse", Codes: edge, Difference: edge, Predicted: -0.1, PredictedByCodes: 0.88,
		},
		"method: sparse (sums of a few local patterns): edges alone do not predict held-out signals": {Method: "sparse"},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWhatCannotLearnGivesWayToTheNextBest(t *testing.T) {
	c, fault := &auto.Choice{Method: "sparse"}, &input.Error{Msg: "too few"}
	for _, want := range []string{"field", "tree"} {
		if !c.Instead(fault) || c.Method != want || c.Taken().Name() != want || c.Other() != "" {
			t.Errorf("got %s and %q, want %s", c.Method, c.Other(), want)
		}
	}
	if c.Instead(fault) || (*auto.Choice)(nil).Instead(fault) || (&auto.Choice{Method: "sparse"}).Instead(nil) {
		t.Error("there is a method after the last, where none was chosen, or without a fault")
	}
}
