package nervure

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/baseline"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/intake"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/synth"
)

// unprepared returns signals that are learned from as they are.
func unprepared(y *mat.Dense) *intake.Signals {
	return &intake.Signals{Given: &Signals{Y: y}, Prepared: &Preparation{Y: y}, Shape: &intake.Shape{}, Values: y}
}

// planted draws signals on a random graph.
func planted(t *testing.T, vertices, count int, noise float64) *synth.Truth {
	t.Helper()
	truth, err := synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: vertices, Seed: 1},
		learn.PaperModel().Kernels, synth.SignalSpec{Count: count, Sparsity: 4, Noise: noise, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// Signals of the model have codes on the graph learned from others of their kind; noise has not.
func TestHeldOutErrorTellsTheModelFromNoise(t *testing.T) {
	truth := planted(t, 15, 203, 0)
	n, m := truth.Signals.Dims()
	noise := mat.NewDense(n, m, nil)
	noise.Apply(func(i, s int, _ float64) float64 { return math.Sin(float64(i*i*7919 + s*s*104729)) }, noise)

	sparse := learn.Sparse{Model: learn.PaperModel(), Options: learn.Options{Rounds: 20}}
	heldOut := func(ctx context.Context, y *mat.Dense) (*float64, int, error) {
		c := &comparisonRun{options: CompareOptions{Seed: 1}, signals: unprepared(y)}
		w := methodRun{comparisonRun: c, threads: 1, tell: func(CompareStep) {}}
		return w.heldOutError(ctx, sparse)
	}
	for name, c := range map[string]struct {
		y     *mat.Dense
		exact bool
	}{"the model": {truth.Signals, true}, "noise": {noise, false}} {
		share, held, err := heldOut(t.Context(), c.y)
		if err != nil || share == nil || held != 40 {
			t.Fatalf("%s: %v, %d held out, %v", name, share, held, err)
		}
		if exact := *share < 1e-15; exact != c.exact || !(*share >= 0 && *share <= 1) {
			t.Errorf("%s: %g", name, *share)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if share, _, err := heldOut(ctx, truth.Signals); share != nil || err != nil {
		t.Errorf("interrupted: %v, %v", share, err)
	}
	if share, _, err := heldOut(t.Context(), mat.DenseCopyOf(truth.Signals.Slice(0, n, 0, 4))); share != nil || err != nil {
		t.Errorf("four signals: %v, %v", share, err)
	}
}

// An empty graph is not the best so far of a method that was stopped: it would
// replace a better one.
func TestStoppedMethodsHaveNoEmptyGraph(t *testing.T) {
	truth := planted(t, 15, 50, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, e := range Methods() {
		r, err := runMethod(ctx, e.Default, method.Problem{Y: truth.Signals, Kernels: learn.PaperModel().Kernels})
		if r != nil && (r.Graph.EdgeCount() == 0 || err != nil) {
			t.Errorf("%s: a graph without edges, error %v", e.Name(), err)
		}
	}
}

// The recommendation is made without the truth, and the graph that proves itself
// is recommended before all others.
func TestTheExactGraphIsRecommended(t *testing.T) {
	truth := planted(t, 12, 150, 0)
	var chosen []method.Method
	for _, name := range []string{"sparse", "correlation", "tree"} {
		e, ok := MethodByName(name)
		if !ok {
			t.Fatalf("there is no method %s", name)
		}
		chosen = append(chosen, e.Default)
	}
	for _, known := range []bool{false, true} {
		o := CompareOptions{Methods: chosen}
		if known {
			o.Truth = truth.Graph
		}
		c, err := Compare(t.Context(), &Signals{Y: truth.Signals}, o)
		if err != nil {
			t.Fatal(err)
		}
		best := c.Recommended()
		if best == nil || best.Name != "sparse" {
			t.Fatalf("recommended: %+v", best)
		}
		if known != (best.Score != nil) || known && best.Score.F1() != 1 {
			t.Errorf("truth known: %t, score %+v", known, best.Score)
		}
	}
}

// A tuned is a method that chooses something from the signals it is given.
type tuned struct {
	Chosen bool
	calls  *[]bool // whether each call came with the choice made
}

func (tuned) Name() string { return "tuned" }

func (m tuned) Learn(_ context.Context, p method.Problem) (*method.Result, error) {
	*m.calls = append(*m.calls, m.Chosen)
	n, _ := p.Y.Dims()
	g, err := graph.New(graph.DefaultNames(n), []graph.Edge{{I: 0, J: 1, Weight: 1}})
	m.Chosen = true
	return &method.Result{Method: m, Graph: g, Weights: g, Status: method.Converged}, err
}

// What a rival chose from all signals is not kept in the folds: held-out signals
// would have a part in it.
func TestRivalsChooseAgainInEveryFold(t *testing.T) {
	var calls []bool
	truth := planted(t, 8, 60, 0.1)
	if _, err := Compare(t.Context(), &Signals{Y: truth.Signals}, CompareOptions{Methods: []method.Method{tuned{calls: &calls}}, Folds: 3}); err != nil {
		t.Fatal(err)
	}
	if want := []bool{false, false, false, false}; !slices.Equal(calls, want) {
		t.Errorf("called with its choice made: %v, want %v", calls, want)
	}
}

// untimed runs a test in which work takes no time: clocks advance only while everybody
// waits. On one processor, loops start goroutines of their own and do not use the pool,
// whose goroutines outlive a test.
func untimed(t *testing.T, test func(*testing.T)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, test)
}

// A method that never ends is cut off at the limit, with a row that says so, and is
// not ranked. Others are as they are without it.
func TestSlowMethodsAreCutOff(t *testing.T) { untimed(t, testSlowMethodsAreCutOff) }

func testSlowMethodsAreCutOff(t *testing.T) {
	s := &Signals{Y: checks.Chain(1, 10, 60)}
	o := CompareOptions{Prepare: prepare.None(), Methods: []method.Method{endless{}, baseline.Tree{}}, TimeLimit: 50 * time.Millisecond, Threads: 2}
	c, err := Compare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Methods) != 2 || !c.Methods[0].CutOff || c.Methods[0].Result != nil || c.Methods[0].Err == nil || c.Interrupted {
		t.Errorf("the endless method: %+v", c.Methods)
	}
	if tree := c.Methods[1]; tree.CutOff || tree.Place == nil || c.Recommended() == nil {
		t.Errorf("the other one: %+v", tree)
	}
	if left := c.Document().Recommendation.LeftOut; !slices.Equal(left, []string{"endless"}) {
		t.Errorf("left out: %q", left)
	}
}

// Methods that would take minutes are left out unless they are named, and a warning says so.
func TestSlowMethodsAreNotTriedOfManyVertices(t *testing.T) {
	s := &Signals{Y: checks.Chain(1, 2001, 12)}
	o := CompareOptions{Prepare: prepare.None(), Methods: []method.Method{baseline.GGL{}, baseline.Tree{}}, Timely: true, Threads: 2}
	c, err := Compare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Methods) != 1 || c.Methods[0].Name != "tree" || c.Methods[0].Place == nil || !slices.Equal(c.NotTried, []string{"ggl"}) {
		t.Errorf("%+v, and %q were not tried", c.Methods, c.NotTried)
	}
	if said := c.Warnings(); len(said) != 1 || !strings.Contains(said[0], "only if they are named: ggl") {
		t.Errorf("warnings %q", said)
	}
	o.Methods = o.Methods[:1]
	if c, err := Compare(t.Context(), s, o); c != nil || input.Find(err) == nil {
		t.Errorf("none is left: got %+v, %v", c, err)
	}
	for _, e := range comparedMethods() {
		if few := e.MostCompared; few > 0 && few < 2000 || e.Name() == "field" && few > 0 {
			t.Errorf("%s is compared up to %d vertices", e.Name(), few)
		}
	}
}

// A method whose graph is there before its time is up, but whose folds are not done,
// is told apart from one without a graph.
func TestAGraphWithoutJudgementIsNamed(t *testing.T) {
	untimed(t, testAGraphWithoutJudgementIsNamed)
}

func testAGraphWithoutJudgementIsNamed(t *testing.T) {
	s := &Signals{Y: checks.Chain(1, 10, 60)}
	o := CompareOptions{Prepare: prepare.None(), Methods: []method.Method{quickOnce{signals: 60}, endless{}, baseline.Tree{}}, TimeLimit: time.Second, Threads: 3}
	c, err := Compare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if row := c.Methods[0]; !row.CutOff || row.Result == nil || row.Result.Status == method.Interrupted || row.HeldOut != nil || row.Place != nil {
		t.Errorf("the method that was not judged: %+v", row)
	}
	if want := []string{"quick once", "endless"}; !slices.Equal(c.LeftOut, want) || !slices.Equal(c.Unjudged, want[:1]) {
		t.Errorf("left out %q, not judged %q", c.LeftOut, c.Unjudged)
	}
	if r := c.Document().Recommendation; r.Method != "tree" || !slices.Equal(r.Unjudged, c.Unjudged) {
		t.Errorf("recommended: %+v", r)
	}
}

// quickOnce learns a tree from that many signals, and never ends with others.
type quickOnce struct{ signals int }

func (quickOnce) Name() string { return "quick once" }

func (q quickOnce) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	if _, m := p.Y.Dims(); m != q.signals {
		return endless{}.Learn(ctx, p)
	}
	return baseline.Tree{}.Learn(ctx, p)
}

// The larger the signals, the fewer folds, and each method has the same.
func TestFoldsGoBySize(t *testing.T) {
	for _, c := range []struct{ n, m, asked, want int }{
		{50, 1000, 0, 5},
		{256, 3000, 0, 2},
		{576, 3000, 0, 1},
		{576, 3000, 3, 3},
		{50, 9, 0, 0},
		{10000, 4, 0, 1},
		{10000, 3, 0, 0},
	} {
		w := comparisonRun{options: CompareOptions{Folds: c.asked}, signals: unprepared(mat.NewDense(c.n, c.m, nil))}
		if got := w.chooseFolds(); got != c.want {
			t.Errorf("%d vertices, %d signals, %d asked for: %d folds, want %d", c.n, c.m, c.asked, got, c.want)
		}
		w.options.Unranked = true
		if got := w.chooseFolds(); got != 0 {
			t.Errorf("%d vertices, %d signals, no ranking asked for: %d folds", c.n, c.m, got)
		}
	}
}

// endless is a method that ends with its context.
type endless struct{}

func (endless) Name() string { return "endless" }

func (endless) Learn(ctx context.Context, _ method.Problem) (*method.Result, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

func TestEachWarningOfMethodsIsListedOnce(t *testing.T) {
	graph := &method.Result{}
	c := &Comparison{Methods: []Compared{
		{Name: "a", Result: graph, Warnings: []string{"all", "some"}},
		{Name: "b", Result: graph, Warnings: []string{"all", "one"}},
		{Name: "failed"},
		{Name: "c", Result: graph, Warnings: []string{"some", "all"}},
	}}
	want := []MethodWarning{
		{"all", []string{"a", "b", "c"}, true},
		{"some", []string{"a", "c"}, false},
		{"one", []string{"b"}, false},
	}
	same := func(a, b MethodWarning) bool {
		return a.Sentence == b.Sentence && slices.Equal(a.Methods, b.Methods) && a.All == b.All
	}
	if got := c.MethodWarnings(); !slices.EqualFunc(got, want, same) {
		t.Errorf("got %v, want %v", got, want)
	}
	c.Methods = c.Methods[1:2]
	if got := c.MethodWarnings(); len(got) != 2 || got[0].All {
		t.Errorf("a method by itself: got %v", got)
	}
}

func TestAllFailedSaysWhetherTheSignalsAreAtFault(t *testing.T) {
	refused, broken := input.Errorf("knn", input.Signals, "got 1, want 2"), errors.New("out of luck")
	for name, c := range map[string]struct {
		methods []Compared
		failed  bool
		input   bool
	}{
		"none is done":        {nil, false, false},
		"one has a graph":     {[]Compared{{Name: "a", Err: broken}, {Name: "b", Result: &method.Result{}}}, false, false},
		"all refuse signals":  {[]Compared{{Name: "a", Err: refused}, {Name: "b", Err: refused}}, true, true},
		"one fails by itself": {[]Compared{{Name: "a", Err: refused}, {Name: "b", Err: broken}}, true, false},
	} {
		err := (&Comparison{Methods: c.methods}).AllFailed()
		if got := input.Find(err) != nil; got != c.input || (err != nil) != c.failed || c.failed && !strings.Contains(err.Error(), "a: signals: got 1, want 2") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
