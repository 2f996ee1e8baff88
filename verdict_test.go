package nervure

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/assess"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// Every grade says what it means for the edges, and nothing where there are none.
func TestEveryGradeHasAMeaning(t *testing.T) {
	seen := map[string]Grade{}
	for _, grade := range []Grade{Exact, Supported, Weak, NoStructure, NotChecked} {
		meaning := Verdict{Grade: grade, Edges: 3}.Meaning()
		if other, twice := seen[meaning]; meaning == "" || twice {
			t.Errorf("%s and %s both mean %q", grade, other, meaning)
		}
		seen[meaning] = grade
		if got := (Verdict{Grade: grade}).Meaning(); got != "" {
			t.Errorf("%s without edges means %q", grade, got)
		}
	}
}

func TestVerdictSaysHowFarToTrust(t *testing.T) {
	g, err := graph.New([]string{"a", "b", "c"}, []graph.Edge{{I: 0, J: 1, Weight: 1}, {I: 1, J: 2, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	coded := func(t StructureTest) *StructureTest { t.Coded = true; return &t }
	structure := coded(StructureTest{Structure: true, CodeError: 0.09, Shuffled: 0.3})
	predicted := coded(StructureTest{Structure: true, CodeError: 0.09, Shuffled: 0.3, Prediction: 0.4, PredictionScore: 5})
	none := coded(StructureTest{HeldOut: 50, CodeError: 0.31, Shuffled: 0.3})
	little := coded(StructureTest{Structure: true, CodeError: 0.92, Shuffled: 0.95, CodeScore: 7})
	contradicted := coded(StructureTest{Structure: true, CodeError: 0.071, Shuffled: 0.017, Prediction: 0.8, PredictionScore: 9})
	pair := coded(StructureTest{Structure: true, HeldOut: 20, CodeError: 0.31, Shuffled: 0.3, Pair: 0.81})
	trace := &StructureTest{Structure: true, Prediction: 0.04, PredictionScore: 5}
	gain := assess.Estimate{Mean: 2.5, StdErr: 1}
	edges := func(score float64) *StructureTest {
		return &StructureTest{HeldOut: 100, Structure: score > 2, Prediction: 0.69, PredictionScore: score, Gain: gain}
	}
	for want, c := range map[string]struct {
		sparse    *learn.Result
		test      *StructureTest
		unchecked uncheckedReason
	}{
		"exact: 2 edges explain all 200 signals to rounding error":                                                                                                                                         {&learn.Result{Certified: true}, nil, wasChecked},
		"exact: 2 edges explain all 200 signals to rounding error; only the allowed pairs were considered":                                                                                                 {&learn.Result{Certified: true, AllowedPairs: 9}, nil, wasChecked},
		"exact: 2 edges explain all but 3 of 200 signals to rounding error":                                                                                                                                {&learn.Result{Certified: true, Unexplained: 3}, nil, wasChecked},
		"weak: 2 edges explain all 200 signals to rounding error, but other graphs may do so too":                                                                                                          {&learn.Result{}, structure, wasChecked},
		"supported: held-out signals have a residual of 9%, compared with 30% after shuffling their values":                                                                                                {&learn.Result{Residual: 0.0911, Unexplained: 200}, structure, wasChecked},
		"weak: held-out signals have a residual of 92%, only slightly below the 95% after shuffling their values":                                                                                          {&learn.Result{Residual: 0.9, Unexplained: 200}, little, wasChecked},
		"weak: two vertices have a correlation of 0.81, which is beyond chance":                                                                                                                            {&learn.Result{Residual: 0.2, Unexplained: 200}, pair, wasChecked},
		"weak: the other vertices predict 80% of the variation of a vertex":                                                                                                                                {&learn.Result{Residual: 0.07, Unexplained: 200}, contradicted, wasChecked},
		"weak: edges learned from half of the signals predict only 4% of hidden values in the other half":                                                                                                  {nil, trace, wasChecked},
		"no structure: 50 held-out signals are not coded significantly better than the same signals with shuffled values (residual 31% and 30%), and the vertices do not significantly predict each other": {&learn.Result{Residual: 0.2, Unexplained: 200}, none, wasChecked},
		"supported: edges learned from half of the signals predict 69% of hidden values in the other half":                                                                                                 {nil, edges(5), wasChecked},
		"weak: edges learned from half of the signals predict 69% of hidden values in the other half":                                                                                                      {nil, edges(2.5), wasChecked},
		"no structure: edges learned from half of the signals do not make the other half significantly likelier (2.5 ± 1 nats per signal)":                                                                 {nil, edges(1), wasChecked},
		"not checked: there is no structure test for directed graphs such as those of the method correlation":                                                                                              {nil, nil, isDirected},
	} {
		a := &Analysis{
			Graph: g, Preparation: &Preparation{Y: mat.NewDense(3, 200, nil)}, signals: unprepared(mat.NewDense(3, 200, nil)), Structure: c.test, unchecked: c.unchecked,
			Result: &method.Result{Method: named("correlation"), Graph: g, Status: method.Converged},
		}
		if c.sparse != nil {
			a.Result.Own = c.sparse
		}
		a.judge()
		if got := a.Verdict.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, reason := range a.Verdict.Reasons() {
			if strings.HasSuffix(reason, ".") || strings.Contains(reason, "\n") || strings.Contains(reason, "--") {
				t.Errorf("%s: the reason %q is worded for one reader only", want, reason)
			}
		}
	}
	scored := &Analysis{
		Graph: g, Preparation: &Preparation{Y: mat.NewDense(3, 200, nil), Scores: mat.NewDense(3, 200, nil)}, signals: unprepared(mat.NewDense(3, 200, nil)), Structure: edges(5),
		Result: &method.Result{Method: named("field"), Graph: g, Status: method.Converged},
	}
	if scored.judge(); !strings.HasSuffix(scored.Verdict.String(), "predict 69% of hidden normal scores in the other half") {
		t.Errorf("of normal scores: %s", scored.Verdict)
	}
	alone := Verdict{Grade: Supported, Edges: 1, Explanation: &method.Explanation{Residual: 0.2}, Structure: structure}
	if want := "1 edge leaves 20% of the signals' energy unexplained"; !slices.Contains(alone.Reasons(), want) {
		t.Errorf("got reasons %q, want %q among them", alone.Reasons(), want)
	}
	bare := mustGraph(t, "a", "b").Above(2)
	empty := &Analysis{
		Graph: bare, Preparation: &Preparation{Y: mat.NewDense(2, 50, nil)}, signals: unprepared(mat.NewDense(2, 50, nil)), Structure: structure,
		Result: &method.Result{Graph: bare, Method: named("sparse"), Own: &learn.Result{Unexplained: 50}},
	}
	if empty.judge(); empty.Verdict.Grade != Weak {
		t.Errorf("a graph without edges is %s", empty.Verdict)
	}
	v := Verdict{Grade: Supported, Edges: 2, Explanation: &method.Explanation{Residual: 1.2e-9}, Structure: predicted}
	if want := "2 edges leave 1.2e-07% of the signals' energy unexplained"; !slices.Contains(v.Reasons(), want) {
		t.Errorf("got reasons %q, want %q among them", v.Reasons(), want)
	}
	if want := "the other vertices predict 40% of the variation of a vertex"; !slices.Contains(v.Reasons(), want) {
		t.Errorf("got reasons %q, want %q among them", v.Reasons(), want)
	}
}

// The structure test can be switched off. An exact graph and a directed one are not tested
// even if that is asked for.
func TestStructureTestIsAChoice(t *testing.T) {
	arrows, err := graph.NewDirected([]string{"a", "b"}, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	edges := mustGraph(t, "a", "b")
	for name, c := range map[string]struct {
		choice    Choice
		own       any
		graph     *graph.Graph
		want      bool
		unchecked uncheckedReason
	}{
		"codes":                      {Auto, &learn.Result{}, edges, true, wasChecked},
		"edges":                      {Auto, nil, edges, true, wasChecked},
		"edges, switched off":        {No, nil, edges, false, switchedOff},
		"arrows, on request":         {Yes, nil, arrows, false, isDirected},
		"no edges":                   {Auto, nil, edges.Above(2), false, hasNoEdges},
		"an exact graph, on request": {Yes, &learn.Result{Certified: true}, edges, false, wasChecked},
	} {
		a := &Analysis{Graph: c.graph, Result: &method.Result{Own: c.own}, Preparation: &Preparation{Y: mat.NewDense(2, 2, nil)}, Options: Options{Structure: c.choice}}
		if got := a.wantsStructureTest(); got != c.want || a.unchecked != c.unchecked {
			t.Errorf("%s: got %t for reason %d, want %t for %d", name, got, a.unchecked, c.want, c.unchecked)
		}
	}
}

// named is a method that only has a name.
type named string

func (n named) Name() string { return string(n) }

func (named) Learn(context.Context, method.Problem) (*method.Result, error) {
	panic("it only has a name")
}

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
		"a field":  {&Signals{Y: checks.Chain(1, 20, 200)}, baseline.Field{}.Name(), Supported},
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

// A graph of noise has no edges, unless these are asked for.
func TestNoStructureHasNoEdges(t *testing.T) {
	o := Options{Prepare: prepare.None()}
	bare, err := Learn(t.Context(), white(20, 200), o)
	if err != nil {
		t.Fatal(err)
	}
	o.KeepEdges = true
	kept, err := Learn(t.Context(), white(20, 200), o)
	if err != nil {
		t.Fatal(err)
	}
	learned := kept.Graph.EdgeCount()
	if bare.Verdict.Grade != NoStructure || bare.Graph.EdgeCount() != 0 || learned == 0 || bare.Verdict.Withheld != learned || kept.Verdict.Withheld != 0 {
		t.Errorf("got %s with %d edges and %d withheld, and %d edges if they are kept", bare.Verdict.Grade, bare.Graph.EdgeCount(), bare.Verdict.Withheld, learned)
	}
	if !slices.ContainsFunc(bare.Verdict.Reasons(), func(s string) bool { return strings.Contains(s, "left without") }) {
		t.Errorf("the reasons do not say that edges are left out: %q", bare.Verdict.Reasons())
	}
	if s := bare.Summary(); s.Edges != 0 || s.Withheld != learned {
		t.Errorf("the summary has %d edges and %d withheld", s.Edges, s.Withheld)
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
	for name, y := range map[string]*mat.Dense{"patterns": patterns.Signals, "a common mode": shared} {
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
