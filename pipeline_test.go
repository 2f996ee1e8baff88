package nervure

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// paper is a method that has no choices to make, so that it is quick.
var paper = learn.Sparse{Model: learn.PaperModel()}

// Whoever leaves the pipeline at some stage sees no later one.
func TestEveryStageCanBeTheLast(t *testing.T) {
	truth := planted(t, 10, 60, 0.2)
	for _, stage := range []Stage{Preparing, Learning, TestingStructure, AssessingEdges} {
		var last Stage
		for step, err := range Steps(t.Context(), &Signals{Y: truth.Signals}, Options{Method: paper}) {
			if err != nil {
				t.Fatal(err)
			}
			if last = step.Stage; last == stage {
				break
			}
		}
		if last != stage {
			t.Errorf("there is no stage %s", stage)
		}
	}
}

// A run that ends early has its best graph, says so, and claims nothing about it.
func TestInterruptedRunsKeepTheirBestGraph(t *testing.T) {
	truth := planted(t, 10, 60, 0.2)
	for _, stage := range []Stage{Learning, TestingStructure, AssessingEdges} {
		ctx, cancel := context.WithCancel(t.Context())
		var last *Analysis
		var cause error
		for step, err := range Steps(ctx, &Signals{Y: truth.Signals}, Options{Method: paper}) {
			if step.Stage == stage && (stage != Learning || step.Method.Round > 1) {
				cancel()
			}
			last, cause = step.Analysis, err
		}
		cancel()
		if last == nil || last.Status != method.Interrupted || !errors.Is(cause, context.Canceled) {
			t.Fatalf("%s: analysis %+v, cause %v", stage, last, cause)
		}
		if last.Graph.EdgeCount() == 0 || last.Confidence != nil {
			t.Errorf("%s: %d edges, confidence %v", stage, last.Graph.EdgeCount(), last.Confidence)
		}
		if checked := last.Verdict.Grade != NotChecked; checked != (stage == AssessingEdges) {
			t.Errorf("%s: verdict %s", stage, last.Verdict)
		}
	}
}

// Signals and options that cannot be used are refused before the work, with the
// one error type.
func TestWhatCannotBeUsedIsRefused(t *testing.T) {
	truth := planted(t, 10, 60, 0.1)
	good := &Signals{Y: truth.Signals}
	for name, c := range map[string]struct {
		s *Signals
		o Options
	}{
		"no signals":             {nil, Options{}},
		"no matrix":              {&Signals{}, Options{}},
		"one signal":             {&Signals{Y: mat.NewDense(3, 1, []float64{1, 2, 3})}, Options{}},
		"nothing varies":         {&Signals{Y: mat.NewDense(3, 4, nil)}, Options{}},
		"a choice that is none":  {good, Options{Confidence: "maybe"}},
		"a negative block":       {good, Options{Block: -3}},
		"a negative time limit":  {good, Options{TimeLimit: -1}},
		"a prior of other names": {&Signals{Y: truth.Signals, Names: truth.Graph.Names()}, Options{Method: learn.Sparse{Options: learn.Options{Prior: mustGraph(t, "x", "y")}}}},
	} {
		if a, err := Learn(t.Context(), c.s, c.o); a != nil || input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
	for name, o := range map[string]CompareOptions{
		"a truth of other names": {Truth: mustGraph(t, "x", "y")}, "no edges to keep": {Cut: graph.Cut{Rule: graph.CutEdges}},
	} {
		if c, err := Compare(t.Context(), good, o); c != nil || input.Find(err) == nil {
			t.Errorf("%s: got %v, want an input.Error", name, err)
		}
	}
}

func mustGraph(t *testing.T, names ...string) *graph.Graph {
	t.Helper()
	g, err := graph.New(names, []graph.Edge{{I: 0, J: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// timeless is all that the summary says of an analysis, times aside.
func timeless(t *testing.T, a *Analysis) string {
	t.Helper()
	s := a.Summary()
	s.Seconds = 0
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Whoever leaves the pipeline, at any step of any stage, can go on: it comes to the same.
func TestRunsThatWereLeftGoOn(t *testing.T) {
	vertices, count := 12, 60
	if testing.Short() {
		vertices, count = 8, 30
	}
	for name, c := range map[string]struct {
		signals *Signals
		options Options
	}{
		"patterns": {&Signals{Y: planted(t, vertices, count, 0.2).Signals}, Options{Confidence: Yes, Threads: 3}},
		"a field":  {&Signals{Y: checks.Chain(1, vertices, 100)}, Options{Confidence: Yes, Threads: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := Learn(t.Context(), c.signals, c.options)
			if err != nil {
				t.Fatal(err)
			}
			store := &checkpoint.Memory{}
			lives := 0
			var got *Analysis
			for stride := 1; got == nil; stride = stride*3/2 + 1 {
				lives++
				steps := 0
				for step, err := range Steps(checkpoint.With(t.Context(), store), c.signals, c.options) {
					if err != nil {
						t.Fatal(err)
					}
					got = step.Analysis
					if steps++; steps == stride {
						break
					}
				}
			}
			if timeless(t, got) != timeless(t, want) {
				t.Errorf("after %d lives the summary is another one", lives)
			}
			again, err := Learn(checkpoint.With(t.Context(), store), c.signals, c.options)
			if err != nil || timeless(t, again) != timeless(t, want) {
				t.Errorf("with all pieces known the summary is another one, or %v", err)
			}
			t.Logf("%d lives", lives)
		})
	}
}

func kernelsOf(t *testing.T, specs ...string) []kernel.Kernel {
	t.Helper()
	var kernels []kernel.Kernel
	for _, spec := range specs {
		k, err := kernel.Parse(spec, 15, kernel.Chebyshev)
		if err != nil {
			t.Fatal(err)
		}
		kernels = append(kernels, k)
	}
	return kernels
}

// Signals with a common mode lose it without being asked for low-pass kernels
// only; an explicit choice always counts.
func TestWhatBecomesOfACommonMode(t *testing.T) {
	r := rng.Stream(1, "common mode")
	y := mat.NewDense(40, 200, nil)
	y.Apply(func(_, k int, _ float64) float64 { return r.NormFloat64() + 2*math.Sin(float64(k*k)) }, y)
	set := &Signals{Y: y}
	lowPass := learn.Sparse{Model: learn.Model{Kernels: kernelsOf(t, "heat:1")}}
	highPass := learn.Sparse{Model: learn.Model{Kernels: kernelsOf(t, "heat:2", "highpass:1")}}
	for name, c := range map[string]struct {
		mode    prepare.Choice
		method  method.Method
		removed bool
		warning prepare.WarningKind
	}{
		"low-pass kernels that were given": {prepare.Auto, lowPass, true, ""},
		"a high-pass kernel":               {prepare.Auto, highPass, false, prepare.CommonModeKeptForHighPass},
		"other methods":                    {prepare.Auto, baseline.Correlation{}, false, prepare.CommonModeKept},
		"removed on request":               {prepare.Yes, highPass, true, ""},
		"kept on request":                  {prepare.No, lowPass, false, ""},
	} {
		p, err := intake.Prepare(t.Context(), set, intake.Request{Prepare: prepare.Options{CommonMode: c.mode}, CommonMode: method.CommonModeOf(c.method, set.Y, nil)})
		if err != nil {
			t.Fatal(err)
		}
		var warned prepare.WarningKind
		for _, w := range p.Warnings {
			warned = w.Kind
		}
		if p.Report.CommonMode.Done != c.removed || warned != c.warning {
			t.Errorf("%s: removed %t, warnings %q", name, p.Report.CommonMode.Done, strings.Join(p.Sentences(), "; "))
		}
		if mat.Equal(p.AsGiven().Y, y) == c.removed {
			t.Errorf("%s: the signals are not as reported", name)
		}
	}
}

// stuck are signals with a vertex that reads 12.5 all the time, and one that rises by
// one half each time.
func stuck() *Signals {
	draw := rng.Stream(1, "stuck")
	y := mat.NewDense(8, 60, nil)
	for i := range 8 {
		for k := range 60 {
			y.Set(i, k, 20+draw.NormFloat64())
		}
	}
	for k := range 60 {
		y.Set(3, k, 12.5)
		y.Set(5, k, float64(k)/2)
	}
	return &Signals{Y: y, Names: []string{"a", "b", "c", "S24", "e", "ramp", "g", "h"}}
}

func TestAConstantVertexHasTheValueOfTheFile(t *testing.T) {
	for _, c := range []struct {
		difference prepare.Choice
		want       []string
	}{
		{prepare.No, []string{`vertex "S24" is constant (12.5 in every signal) and was left without edges`}},
		{prepare.Yes, []string{
			`vertex "S24" is constant (12.5 in every signal) and was left without edges`,
			`vertex "ramp" is constant after preprocessing and was left without edges`,
		}},
	} {
		o := prepare.Options{Center: prepare.Yes, Difference: c.difference}
		a, err := Learn(t.Context(), stuck(), Options{Method: baseline.KNN{}, Prepare: o})
		if err != nil {
			t.Fatal(err)
		}
		compared, err := Compare(t.Context(), stuck(), CompareOptions{Methods: []method.Method{baseline.KNN{}}, Prepare: o})
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range map[string][]string{"Learn": a.Warnings(), "Compare": compared.Methods[0].Warnings} {
			constant := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !strings.Contains(s, "constant") })
			if !slices.Equal(constant, c.want) {
				t.Errorf("%s warns %q, want %q", name, constant, c.want)
			}
		}
	}
}

// A copy of a vertex, a constant one and one without values change nothing between the others; the
// copy joins its twin and has its edges.
func TestColumnsThatSayNothingNewChangeNothing(t *testing.T) {
	const n, m = 8, 240
	for _, order := range []float64{1, 2} {
		chain := checks.Chain(3, n, m)
		y := mat.NewDense(n+3, m, nil)
		y.Slice(0, n, 0, m).(*mat.Dense).Copy(chain)
		y.SetRow(n, chain.RawRowView(2))
		for k := range m {
			y.Set(n+2, k, math.NaN())
		}
		o := Options{Method: baseline.Field{Order: order}, Confidence: No, Structure: No}
		want, err := Learn(t.Context(), &Signals{Y: chain}, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Learn(t.Context(), &Signals{Y: y}, o)
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b graph.Edge) bool { return a.I == b.I && a.J == b.J && math.Abs(a.Weight-b.Weight) < 1e-9 }
		if part := got.Graph.Part(matrix.Span(0, n)); !slices.EqualFunc(part.Edges(), want.Graph.Edges(), same) {
			t.Errorf("order %g: got %v, want %v", order, part.Edges(), want.Graph.Edges())
		}
		if !got.Graph.HasEdge(2, n) || len(got.Result.Aside) != 2 {
			t.Errorf("order %g: the copy is alone, or %v were set aside", order, got.Result.Aside)
		}
		for _, e := range want.Graph.Edges() {
			if (e.I == 2 || e.J == 2) && !got.Graph.HasEdge(e.I+e.J-2, n) {
				t.Errorf("order %g: the copy has no edge to %d", order, e.I+e.J-2)
			}
		}
	}
}
