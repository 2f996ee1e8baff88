package method_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// path joins each vertex to the next one, by weights 1, 2, …; its own cut keeps the heaviest.
func path(p method.Problem) *method.Result {
	n, _ := p.Y.Dims()
	var edges []graph.Edge
	for i := range n - 1 {
		edges = append(edges, graph.Edge{I: i, J: i + 1, Weight: float64(i + 1)})
	}
	g, err := graph.New(p.Names, edges)
	if err != nil {
		panic(err)
	}
	return &method.Result{Weights: g, Graph: g.Strongest(1), Status: method.Converged, Warnings: []string{"a path"}}
}

func learnPath(_ context.Context, p method.Problem) (*method.Result, error) { return path(p), nil }

func noise(n, m int) *mat.Dense {
	r := rng.Stream(*seed, "noise", n, m)
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, y)
	return y
}

func setRow(y *mat.Dense, i int, v float64) {
	row := y.RawRowView(i)
	for k := range row {
		row[k] = v
	}
}

func mustRun(t *testing.T, e method.Entry, p method.Problem, learn func(context.Context, method.Problem) (*method.Result, error)) *method.Result {
	t.Helper()
	r, err := e.Run(t.Context(), e.Default, p, learn)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// edgeList writes edges as "a–c 1".
func edgeList(g *graph.Graph) []string {
	names, list := g.Names(), []string{}
	for _, e := range g.Edges() {
		list = append(list, fmt.Sprintf("%s–%s %g", names[e.I], names[e.J], e.Weight))
	}
	return list
}

func TestRunSetsVerticesAsideAndPutsGraphsBack(t *testing.T) {
	y := noise(6, 5)
	setRow(y, 1, 7)
	setRow(y, 4, math.NaN())
	y.Set(4, 2, 3)
	names := []string{"a", "b", "c", "d", "e", "f"}
	r := mustRun(t, dials, method.Problem{Y: y, Names: names}, func(_ context.Context, p method.Problem) (*method.Result, error) {
		if n, m := p.Y.Dims(); n != 4 || m != 5 || !slices.Equal(p.Names, graph.DefaultNames(4)) {
			t.Errorf("learn sees %d×%d values of %q", n, m, p.Names)
		}
		for k, i := range []int{0, 2, 3, 5} {
			if !slices.Equal(p.Y.RawRowView(k), y.RawRowView(i)) {
				t.Errorf("row %d is not that of vertex %s", k, names[i])
			}
		}
		return path(p), nil
	})
	if want := []string{"a–c 1", "c–d 2", "d–f 3"}; !slices.Equal(edgeList(r.Weights), want) {
		t.Errorf("weights %v, want %v", edgeList(r.Weights), want)
	}
	if want := []string{"d–f 3"}; !slices.Equal(edgeList(r.Graph), want) || r.Cut != method.OwnCut {
		t.Errorf("graph %v by rule %q, want %v by the method's own", edgeList(r.Graph), r.Cut, want)
	}
	if !slices.Equal(r.Graph.Names(), names) || !slices.Equal(r.Weights.Names(), names) {
		t.Errorf("names %q and %q", r.Graph.Names(), r.Weights.Names())
	}
	if len(r.Aside) != 2 || r.Aside[0].Reason != signals.Constant || r.Aside[1].Reason != signals.TooFewValues {
		t.Errorf("set aside: %+v", r.Aside)
	}
	want := []string{
		`vertex "b" is constant (7 in every signal) and was left without edges`, `vertex "e" has values in only 1 of 5 signals and was left without edges`,
		"a path", // the missing values are of a vertex that was set aside
	}
	if !slices.Equal(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	if r.Method != dials.Default {
		t.Errorf("method %+v", r.Method)
	}
}

func TestRunNamesVerticesThatHaveNoNames(t *testing.T) {
	r := mustRun(t, dials, method.Problem{Y: noise(3, 4)}, learnPath)
	if want := graph.DefaultNames(3); !slices.Equal(r.Graph.Names(), want) {
		t.Errorf("got %q, want %q", r.Graph.Names(), want)
	}
}

func TestRunFillsMissingValuesUnlessTheMethodTakesThem(t *testing.T) {
	y := noise(3, 6)
	y.Set(1, 2, math.NaN())
	before := mat.DenseCopyOf(y)
	for _, takes := range []bool{false, true} {
		e := dials
		if takes {
			e.Default = able{can: []method.Capability{method.TakesMissing}}
		}
		r := mustRun(t, e, method.Problem{Y: y}, func(_ context.Context, p method.Problem) (*method.Result, error) {
			var mean float64
			for k, v := range before.RawRowView(1) {
				if k != 2 {
					mean += v / 5
				}
			}
			switch got := p.Y.At(1, 2); {
			case takes && !math.IsNaN(got):
				t.Errorf("a method that takes missing values sees %g", got)
			case !takes && !(math.Abs(got-mean) < 1e-14):
				t.Errorf("a method that does not sees %g, want the mean %g", got, mean)
			}
			return path(p), nil
		})
		told := slices.Contains(r.Warnings, "1 missing value was drawn from what the other vertices suggest")
		if (r.Filled == 1) == takes || told == takes {
			t.Errorf("takes missing values: %t, filled %d, warnings %q", takes, r.Filled, r.Warnings)
		}
	}
	if !slices.EqualFunc(y.RawRowView(1), before.RawRowView(1), func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
		t.Error("the signals have changed")
	}
}

func TestOnlyMethodsThatCompareScalesLoseTinyVertices(t *testing.T) {
	y := noise(3, 6)
	for _, i := range []int{0, 2} {
		for k, v := range y.RawRowView(i) {
			y.Set(i, k, 1e-150*v)
		}
	}
	if r := mustRun(t, dials, method.Problem{Y: y}, learnPath); len(r.Aside) != 0 || r.Weights.EdgeCount() != 2 {
		t.Errorf("set aside %+v", r.Aside)
	}
	e := dials
	e.Default = able{can: []method.Capability{method.UsesScales}}
	_, err := e.Run(t.Context(), e.Default, method.Problem{Y: y}, learnPath)
	if fault := input.Find(err); fault == nil || fault.Msg != "only 1 of 3 vertices vary, want at least 2" {
		t.Errorf("got %v", err)
	}
}

func TestRunCutsAsTold(t *testing.T) {
	y := noise(6, 5)
	for _, c := range []struct {
		cut  graph.Cut
		rule graph.CutRule
		want []string
	}{
		{graph.Cut{}, method.OwnCut, []string{"v4–v5 5"}},
		{graph.Cut{Rule: graph.CutEdges, Edges: 2}, graph.CutEdges, []string{"v3–v4 4", "v4–v5 5"}},
		{graph.Cut{Rule: graph.CutThreshold, Threshold: 3}, graph.CutThreshold, []string{"v2–v3 3", "v3–v4 4", "v4–v5 5"}},
	} {
		r := mustRun(t, dials, method.Problem{Y: y, Cut: c.cut}, learnPath)
		if got := edgeList(r.Graph); !slices.Equal(got, c.want) || r.Cut != c.rule {
			t.Errorf("%+v: %v by rule %q, want %v by rule %q", c.cut, got, r.Cut, c.want, c.rule)
		}
	}
	r := mustRun(t, dials, method.Problem{Y: y, Cut: graph.Cut{Rule: graph.CutAuto}}, learnPath)
	if kept, _ := r.Weights.CutAtGap(); !slices.Equal(edgeList(r.Graph), edgeList(kept)) || r.Cut != graph.CutAuto {
		t.Errorf("at the gap: %v by rule %q", edgeList(r.Graph), r.Cut)
	}
	r = mustRun(t, dials, method.Problem{Y: y}, func(_ context.Context, p method.Problem) (*method.Result, error) {
		whole := path(p)
		whole.Graph = nil
		return whole, nil
	})
	if !slices.Equal(edgeList(r.Graph), edgeList(r.Weights)) || r.Cut != method.OwnCut {
		t.Errorf("a method that does not cut: %v by rule %q", edgeList(r.Graph), r.Cut)
	}
}

func TestRunReportsTheMethodAsItWasRun(t *testing.T) {
	chosen := dial{Rate: 3}
	r := mustRun(t, dials, method.Problem{Y: noise(3, 4)}, func(_ context.Context, p method.Problem) (*method.Result, error) {
		r := path(p)
		r.Method = chosen
		return r, nil
	})
	if r.Method != method.Method(chosen) {
		t.Errorf("got %+v, want %+v", r.Method, chosen)
	}
}

func TestRunRefuses(t *testing.T) {
	infinite, stuck, good := noise(4, 5), noise(4, 5), noise(4, 5)
	infinite.Set(2, 3, math.Inf(1))
	for i := range 3 {
		setRow(stuck, i, 1)
	}
	for what, c := range map[string]struct {
		m     dial
		p     method.Problem
		field input.Field
	}{
		"no signals at all":  {dial{}, method.Problem{}, input.Signals},
		"an empty matrix":    {dial{}, method.Problem{Y: &mat.Dense{}}, input.Vertices},
		"one vertex":         {dial{}, method.Problem{Y: noise(1, 5)}, input.Vertices},
		"one signal":         {dial{}, method.Problem{Y: noise(4, 1)}, input.Signals},
		"too many vertices":  {dial{}, method.Problem{Y: noise(11, 2)}, input.Vertices},
		"an infinite value":  {dial{}, method.Problem{Y: infinite}, input.Signals},
		"stuck vertices":     {dial{}, method.Problem{Y: stuck}, input.Signals},
		"a name too few":     {dial{}, method.Problem{Y: good, Names: []string{"a", "b", "c"}}, input.Names},
		"a name given twice": {dial{}, method.Problem{Y: good, Names: []string{"a", "b", "c", "a"}}, input.Names},
		"too many edges":     {dial{}, method.Problem{Y: good, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 7}}, "edges"},
		"no such cut":        {dial{}, method.Problem{Y: good, Cut: graph.Cut{Rule: "sharp"}}, "cut"},
		"no rate":            {dial{Rate: math.NaN()}, method.Problem{Y: good}, "rate"},
		"negative folds":     {dial{Folds: -3}, method.Problem{Y: good}, "folds"},
	} {
		e := method.Entry{Default: dial{}, MostVertices: 10}
		r, err := e.Run(t.Context(), c.m, c.p, func(context.Context, method.Problem) (*method.Result, error) {
			t.Errorf("%s: it was learned from", what)
			return nil, nil
		})
		if fault := input.Find(err); r != nil || fault == nil || fault.Op != "dial" || fault.Field != c.field {
			t.Errorf("%s: got %v, want a fault of %s", what, err, c.field)
		}
	}
}

func TestRunReturnsTheCauseWhenInterrupted(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := dials.Run(ctx, dial{}, method.Problem{Y: noise(4, 5)}, func(_ context.Context, p method.Problem) (*method.Result, error) {
		cancel(enough)
		r := path(p)
		r.Status = method.Interrupted
		return r, nil
	})
	if !errors.Is(err, enough) || r == nil || r.Status != method.Interrupted || r.Weights.EdgeCount() != 3 {
		t.Errorf("got %+v and %v", r, err)
	}
	failure := errors.New("no eigenvectors")
	r, err = dials.Run(t.Context(), dial{}, method.Problem{Y: noise(4, 5)}, func(_ context.Context, p method.Problem) (*method.Result, error) {
		return path(p), failure
	})
	if r != nil || !errors.Is(err, failure) {
		t.Errorf("a method that failed: %+v and %v", r, err)
	}
}
