package nervure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

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

// Who names the method that would be chosen gets the same graph, verdict, warnings and
// findings, but for the sentence that says who chose.
func TestNamingTheChosenMethodChangesNothing(t *testing.T) {
	patterns, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: 2}, learn.PaperModel().Kernels,
		synth.SignalSpec{Count: 100, Sparsity: 3, Noise: 0.3, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	shared := checks.Chain(1, 12, 150)
	shared.Apply(func(_, k int, v float64) float64 { return v + 3*math.Sin(float64(k*k)) }, shared)
	for name, y := range map[string]*mat.Dense{"patterns": patterns.Signals, "a field": checks.Chain(1, 12, 150), "a common mode": shared, "noise": white(12, 150).Y} {
		chosen, err := Learn(t.Context(), &Signals{Y: y}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		method, _ := MethodByName(chosen.Choice.Method)
		named, err := Learn(t.Context(), &Signals{Y: y}, Options{Method: method.Default})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(named.Graph.Edges(), chosen.Graph.Edges()) || !slices.Equal(named.Graph.Confidence(), chosen.Graph.Confidence()) {
			t.Errorf("%s: another graph", name)
		}
		if !slices.Equal(named.Verdict.Reasons(), chosen.Verdict.Reasons()) || named.Verdict.Grade != chosen.Verdict.Grade || named.Verdict.Grade == NotChecked {
			t.Errorf("%s: %s %q, and %s %q if it is chosen", name, named.Verdict.Grade, named.Verdict.Reasons(), chosen.Verdict.Grade, chosen.Verdict.Reasons())
		}
		if !slices.Equal(named.Warnings(), chosen.Warnings()) || !slices.Equal(named.Findings(), chosen.Findings()[1:]) {
			t.Errorf("%s: other warnings or findings:\n%q %q\n%q %q", name, named.Warnings(), named.Findings(), chosen.Warnings(), chosen.Findings())
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
	if a.doubt == nil || !strings.Contains(strings.Join(a.Findings(), "\n"), "capped at the Gaussian model's confidence") {
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
