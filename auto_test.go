package nervure

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// white draws independent noise.
func white(vertices, count int) *Signals {
	draw := rng.Stream(1, "white noise")
	y := mat.NewDense(vertices, count, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return draw.NormFloat64() }, y)
	return &Signals{Y: y}
}

// Auto takes the sparse method for sums of few patterns, even under much noise, and
// edges for a field.
func TestAutoTakesTheMethodThatFits(t *testing.T) {
	patterns, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 30, Seed: 2}, learn.PaperModel().Kernels,
		synth.SignalSpec{Count: 150, Sparsity: 4, Noise: 0.3, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		signals *Signals
		method  string
		grade   Grade
	}{
		"patterns": {&Signals{Y: patterns.Signals}, learn.Sparse{}.Name(), Supported},
		"a field":  {&Signals{Y: checks.Chain(1, 20, 200)}, baseline.GGL{}.Name(), Supported},
		"noise":    {white(20, 200), learn.Sparse{}.Name(), NoStructure},
		"too few":  {&Signals{Y: checks.Chain(1, 8, 9)}, learn.Sparse{}.Name(), NotChecked},
	} {
		a, err := Learn(t.Context(), c.signals, Options{Method: AutoMethod{}, Prepare: prepare.None(), Confidence: No})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if a.Choice == nil || a.Choice.Method != c.method || a.Result.Method.Name() != c.method || a.Verdict.Grade != c.grade {
			t.Errorf("%s: got %s and %q, because %s; want %s and %s", name, a.Result.Method.Name(), a.Verdict, a.Choice.Because(), c.method, c.grade)
		}
	}
}

// The edges of a field get a confidence without being asked for, and most of a chain
// are sure.
func TestEdgesOfAFieldGetAConfidence(t *testing.T) {
	const n = 20
	a, err := Learn(t.Context(), &Signals{Y: checks.Chain(1, n, 200)}, Options{Prepare: prepare.None()})
	if err != nil {
		t.Fatal(err)
	}
	right, sure := sureOfChain(a)
	if a.Confidence == nil || sure < (n-1)*4/5 || right < sure-1 {
		t.Errorf("got %d sure edges, %d of them true, want most of %d", sure, right, n-1)
	}
}

// Asked for, ggl is not tested for structure, and the verdict points to the confidence.
func TestVerdictOfAnotherMethodPointsToTheConfidence(t *testing.T) {
	for choice, want := range map[Choice]string{
		Auto: "not checked: for the method ggl there is no structure test, only the confidence of each edge",
		No:   "not checked: the method ggl gives no evidence of how far its edges can be trusted",
	} {
		a, err := Learn(t.Context(), &Signals{Y: checks.Chain(1, 10, 100)}, Options{Method: baseline.GGL{}, Prepare: prepare.None(), Confidence: choice})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Verdict.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Codes are clear if they gain much more than chance and than edges, not if edges
// gain nearly as much or nothing is sure.
func TestCodesAreClearOnlyBeyondDoubt(t *testing.T) {
	estimate := func(mean, err float64) assess.Estimate { return assess.Estimate{Mean: mean, StdErr: err} }
	for name, c := range map[string]struct {
		choice MethodChoice
		want   bool
	}{
		"patterns":           {MethodChoice{Codes: estimate(30, 2), Edges: estimate(-3, 1), Difference: estimate(33, 2)}, true},
		"few signals":        {MethodChoice{Codes: estimate(7, 2.6), Edges: estimate(-2, 1), Difference: estimate(9, 3)}, false},
		"edges gain as much": {MethodChoice{Codes: estimate(142, 10), Edges: estimate(104, 11), Difference: estimate(38, 4)}, false},
		"a field":            {MethodChoice{Codes: estimate(20, 1), Edges: estimate(40, 1), Difference: estimate(-20, 1)}, false},
	} {
		if got := c.choice.codesAreClear(); got != c.want {
			t.Errorf("%s: got %t, want %t", name, got, c.want)
		}
	}
}

// A graph that the sparse method learns from a field on request is no surer than
// what the signals say of a field, and the findings say so.
func TestSparseGraphsOfFieldsDoNotOverclaim(t *testing.T) {
	a, err := Learn(t.Context(), &Signals{Y: checks.Chain(1, 20, 200)}, Options{Method: learn.Sparse{}, Prepare: prepare.None(), Confidence: Yes})
	if err != nil {
		t.Fatal(err)
	}
	if right, sure := sureOfChain(a); right < sure-1 {
		t.Errorf("of %d sure edges %d are true", sure, right)
	}
	if a.doubt == nil || !strings.Contains(strings.Join(a.Findings(), "\n"), "it is bounded by that of a field") {
		t.Errorf("got the findings %q", a.Findings())
	}
}

// sureOfChain counts the edges that are sure, and those of them that are in the chain.
func sureOfChain(a *Analysis) (right, sure int) {
	for k, e := range a.Graph.Edges() {
		if a.Confidence != nil && a.Graph.Confidence()[k] >= SureLevel {
			sure++
			if e.J == e.I+1 {
				right++
			}
		}
	}
	return right, sure
}
