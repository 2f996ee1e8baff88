package nervure

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/must"
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
		"no signals":            {nil, Options{}},
		"no matrix":             {&Signals{}, Options{}},
		"one signal":            {&Signals{Y: mat.NewDense(3, 1, []float64{1, 2, 3})}, Options{}},
		"nothing varies":        {&Signals{Y: mat.NewDense(3, 4, nil)}, Options{}},
		"a choice that is none": {good, Options{Confidence: "maybe"}},
		"a negative block":      {good, Options{Block: -3}},
		"a negative time limit": {good, Options{TimeLimit: -1}},
		"a prior of other names": {
			&Signals{Y: truth.Signals, Names: truth.Graph.Names()},
			Options{Method: learn.Sparse{Options: learn.Options{Prior: mustGraph(t, "x", "y")}}},
		},
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
	return must.Get(graph.New(names, []graph.Edge{{I: 0, J: 1, Weight: 1}}))
}

// timeless is all that the summary says of an analysis, times aside.
func timeless(t *testing.T, a *Analysis) string {
	t.Helper()
	s := a.Summary()
	s.Seconds = 0
	b := must.Get(json.Marshal(s))
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
			want := must.Get(Learn(t.Context(), c.signals, c.options))
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
		k := must.Get(kernel.Parse(spec, 15, kernel.Chebyshev))
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
		p := must.Get(intake.Prepare(t.Context(), set,
			intake.Request{Prepare: prepare.Options{CommonMode: c.mode}, CommonMode: method.CommonModeOf(c.method, set.Y, nil)}))
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
		a := must.Get(Learn(t.Context(), stuck(), Options{Method: baseline.KNN{}, Prepare: o}))
		compared := must.Get(Compare(t.Context(), stuck(), CompareOptions{Methods: []method.Method{baseline.KNN{}}, Prepare: o}))
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
		want := must.Get(Learn(t.Context(), &Signals{Y: chain}, o))
		got := must.Get(Learn(t.Context(), &Signals{Y: y}, o))
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

// A clock that a test sets.
type fakeClock struct{ now time.Duration }

func (c *fakeClock) read() time.Duration { return c.now }

// timeline is a run of the sparse method with one search of ten rounds, a path and
// half-samples that take as long as the model of the time says, times a speed.
func timeline(speed float64) (steps []Step, at []float64) {
	y := mat.NewDense(100, 300, nil)
	now := 0.0
	add := func(took float64, s Step) {
		now += took * speed
		steps, at = append(steps, s), append(at, now)
	}
	add(0.01, Step{Stage: Preparing, Preparation: &Preparation{Y: y}})
	add(0, Step{Stage: Learning})
	for round := range 10 {
		add(0.05, Step{Stage: Learning, Method: method.Step{Phase: learn.Coding, Start: 1, Round: round + 1}})
		add(0.05, Step{Stage: Learning, Method: method.Step{Phase: learn.GraphUpdate, Start: 1, Round: round + 1}})
	}
	for edges := 800.0; edges > 50; edges *= 0.92 {
		add(0.25, Step{Stage: Learning, Method: method.Step{Phase: learn.Pruning, Start: 1, Round: 10, Edges: int(edges)}})
	}
	add(0.2, Step{Stage: TestingStructure})
	add(0.7, Step{Stage: AssessingEdges})
	for k := range 32 {
		add(0.5, Step{Stage: AssessingEdges, Done: k + 1, Of: 32})
	}
	return steps, at
}

// From a third of a run on, the estimate is right to within a factor of two, however fast
// the machine is; stages are counted in their order.
func TestTimeLeftIsRightToAFactorOfTwo(t *testing.T) {
	given := learn.Sparse{Model: learn.Model{Kernels: kernel.Paper()}, Options: learn.Options{Kernels: learn.KernelsGiven}}
	for _, speed := range []float64{0.01, 1, 300} {
		clock := &fakeClock{}
		e := newEstimator(Options{Method: given}, clock.read)
		steps, at := timeline(speed)
		whole, last := at[len(at)-1], 0
		for k, s := range steps {
			clock.now = time.Duration(at[k] * float64(time.Second))
			p := e.Follow(s)
			if p.Index < last || p.Of != 4 {
				t.Fatalf("stage %d of %d after %d, want 4 stages in order", p.Index, p.Of, last)
			}
			last = p.Index
			left := whole - at[k]
			if at[k] < whole/3 || left < whole/100 {
				continue
			}
			if ratio := p.Left.Seconds() / left; ratio < 0.5 || ratio > 2 {
				t.Errorf("speed %g, %s, at %.2f of the run: %.3g s left, estimated %s", speed, p.Stage, at[k]/whole, left, p.Left)
			}
		}
		if last != 4 {
			t.Errorf("the last stage is %d of 4", last)
		}
	}
}

// What ggl has still to do is told from its first path.
func TestTimeLeftOfFields(t *testing.T) {
	clock := &fakeClock{}
	e := newEstimator(Options{Method: baseline.GGL{}, Threads: 1}, clock.read)
	for _, s := range []struct {
		at   float64
		step Step
		left float64 // of 10 s
	}{
		{0, Step{Stage: Preparing, Preparation: &Preparation{Y: mat.NewDense(50, 100, nil)}}, -1},
		{0, Step{Stage: Learning}, -1},
		{0.5, Step{Stage: Learning, Method: method.Step{Phase: baseline.WeightsLearned}}, 9.5},
		{1.2, Step{Stage: Learning, Method: method.Step{Phase: baseline.PathFollowed}}, 8.8},
		{7, Step{Stage: AssessingEdges}, 3},
		{8.5, Step{Stage: AssessingEdges, Done: 9, Of: 18}, 1.5},
	} {
		clock.now = time.Duration(s.at * float64(time.Second))
		p := e.Follow(s.step)
		switch {
		case s.left < 0 && p.Left >= 0:
			t.Errorf("at %g s: %s left, want no estimate", s.at, p.Left)
		case s.left >= 0 && (p.Left.Seconds() < s.left/2 || p.Left.Seconds() > 2*s.left):
			t.Errorf("at %g s: %s left, want about %g s", s.at, p.Left, s.left)
		}
	}
}

// While a method is chosen, the time left is told once half of the trials are done, and is
// right to within a factor of two if edges win; before that there is none.
func TestTimeLeftIsToldWhileAMethodIsChosen(t *testing.T) {
	for _, speed := range []float64{0.01, 1, 300} {
		clock := &fakeClock{}
		e := newEstimator(Options{}, clock.read)
		at := func(now float64, s Step) Progress {
			clock.now = time.Duration(now * speed * float64(time.Second))
			return e.Follow(s)
		}
		// The times of a field on 150 vertices, of 1.85 in all.
		at(0.09, Step{Stage: Preparing, Preparation: &Preparation{Y: mat.NewDense(150, 500, nil)}})
		if p := at(0.09, Step{Stage: ChoosingMethod}); p.Left >= 0 || p.Stage != ChoosingMethod || p.Index != 1 {
			t.Errorf("speed %g: before anything was tried: %+v", speed, p)
		}
		for done, now := range []float64{0.45, 0.83} {
			p := at(now, Step{Stage: ChoosingMethod, Done: done + 1, Of: 2})
			if ratio := p.Left.Seconds() / ((1.85 - now) * speed); p.Stage != ChoosingMethod || p.Index != 1 || ratio < 0.5 ||
				ratio > 2 {
				t.Errorf("speed %g at %g: %+v, which is ×%.2f", speed, now, p, ratio)
			}
		}
		at(0.87, Step{Stage: Learning, Choice: &MethodChoice{Method: "field"}})
		// What was done of the choice is not taken for half-samples.
		p := at(1.42, Step{Stage: AssessingEdges})
		if ratio := p.Left.Seconds() / (0.43 * speed); ratio < 0.5 || ratio > 2 {
			t.Errorf("speed %g: %+v before the first half-sample, which is ×%.2f", speed, p, ratio)
		}
	}
}

// A field of many vertices is learned while the method is chosen: how far it has come is how far the run has,
// in the shares that tests and confidence have of its time.
func TestTimeLeftIsToldWhileALargeFieldIsLearned(t *testing.T) {
	clock := &fakeClock{}
	e := newEstimator(Options{}, clock.read)
	at := func(now float64, s Step) Progress {
		clock.now = time.Duration(now * float64(time.Second))
		return e.Follow(s)
	}
	of := func(p method.Phase, share float64) Step {
		return Step{Stage: ChoosingMethod, Method: method.Step{Phase: p, Share: share}}
	}
	at(1, Step{Stage: Preparing, Preparation: &Preparation{Y: mat.NewDense(3000, 2, nil)}})
	if p := at(1, Step{Stage: ChoosingMethod}); p.Left >= 0 {
		t.Errorf("%s left before anything was done", p.Left)
	}
	before := time.Hour
	for _, s := range []struct {
		at   float64
		step Step
	}{{2, of("candidates", 0.5)}, {3, of("regressions", 0)}, {5, of("regressions", 0.5)}, {7, of("certificate", 0)}} {
		p := at(s.at, s.step)
		if p.Stage != ChoosingMethod || p.Left <= 0 || p.Left >= before {
			t.Errorf("at %g s: %+v, after %s", s.at, p, before)
		}
		before = p.Left
	}
	// The sparse method may be taken after all.
	if at(12, Step{Stage: Learning, Choice: &MethodChoice{Method: "sparse"}}); !e.isCoded() {
		t.Error("the method is the field")
	}
}
