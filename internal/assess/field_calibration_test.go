package assess

import (
	"math"
	"testing"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/evidence"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/simulate"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// The edges of one field of each kind that are called sure are true. 85 percent, because those
// of a field are right or wrong together.
func TestFieldCalibration(t *testing.T) {
	slow(t)
	var sure, right, all int
	for _, kind := range simulate.FieldKinds() {
		truth := must.Get(kind.Draw(*seed))
		y, _, err := prepare.Signals(t.Context(), truth.Signals, prepare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := must.Get(baseline.GGL{}.Learn(t.Context(), method.Problem{Y: y}))
		c, err := FieldConfidence(t.Context(), y, r.Weights, r.Graph, evidenceOf(t, y, r.Weights, r.Graph),
			StabilityOptions{Block: BlockLength(y), Seed: *seed})
		if input.Find(err) != nil { // no edge was learned
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range r.Graph.Edges() {
			isTrue := truth.Graph.HasEdge(e.I, e.J)
			if isTrue {
				all++
			}
			if c.Graph.Confidence()[k] >= 0.9 {
				sure++
				if isTrue {
					right++
				}
			}
		}
	}
	t.Logf("%d of %d sure edges are true, of %d true ones", right, sure, all)
	if 100*right < 85*sure || 2*right < all {
		t.Errorf("%d of %d edges at 0.9 or more are true, of %d true ones", right, sure, all)
	}
}

// A calibration finds the coefficients that truth was drawn by.
func TestCalibrationFindsItsCoefficients(t *testing.T) {
	r := rng.Stream(*seed, "calibration")
	want := [fieldRegressors]float64{0.5, 1, -1, 0.3, 0, 0.7, -0.4, 0.2, -0.6}
	var samples [][]JudgedEdge
	for range 400 {
		edges := make([]JudgedEdge, 50)
		for k := range edges {
			x := [fieldRegressors]float64{1}
			z := want[0]
			for c := 1; c < fieldRegressors; c++ {
				x[c] = r.NormFloat64()
				z += want[c] * x[c]
			}
			edges[k] = JudgedEdge{EdgeBasis{x, 1}, r.Float64() < 1/(1+math.Exp(-z))}
		}
		samples = append(samples, edges)
	}
	for k, got := range CalibrateField(samples) {
		if math.Abs(got-want[k]) > 0.1 {
			t.Errorf("%s: got %.3f, want %g", FieldRegressors[k], got, want[k])
		}
	}
}

func TestFieldEvidenceInClosedForm(t *testing.T) {
	e := fieldEvidence{
		agreement: 0.5, observed: 100, partial: 0.3, deviation: 0.1, correlation: 0.9, density: 2,
		Margin: evidence.Margin{Floor: 2, Path: 2},
	}
	closeness := -math.Log(1 - 0.98*0.9)
	want := [fieldRegressors]float64{
		1, 0.5, math.Log(0.32), math.Log(0.32 / 0.12), math.Log(100), closeness, closeness * math.Ln2,
		2, math.Ln2,
	}
	for k, x := range e.regressors() {
		if math.Abs(x-want[k]) > 1e-12 {
			t.Errorf("regressor %d: got %g, want %g", k, x, want[k])
		}
	}
	if e.most() != maxConfidence {
		t.Errorf("at most %g", e.most())
	}
	e.inTree, e.density = true, 0.7
	e.Margin = evidence.Margin{Floor: 9, Path: math.Inf(1), Below: true}
	if x := e.regressors(); x[5] != 0 || x[6] != 0 || x[7] != mostAbove || x[8] != 0 {
		t.Errorf("an edge of the tree, in a graph of few: got %v", x)
	}
	if e.most() != MostUnsure {
		t.Errorf("an unsure edge: at most %g", e.most())
	}
}
