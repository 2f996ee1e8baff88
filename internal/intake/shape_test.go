package intake

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// mixedSet has vertices a, c and e that vary, a copy d of a, and b and f that say nothing.
func mixedSet() *signals.Set {
	draw := rng.Stream(1, "shape")
	y := mat.NewDense(6, 40, nil)
	for k := range 40 {
		for _, i := range []int{0, 2, 4} {
			y.Set(i, k, draw.NormFloat64())
		}
		y.Set(1, k, 7)
		y.Set(3, k, y.At(0, k))
		y.Set(5, k, math.NaN())
	}
	return &signals.Set{Y: y, Names: []string{"a", "b", "c", "d", "e", "f"}}
}

func TestOnlyVerticesThatVaryByThemselvesAreLearnedFrom(t *testing.T) {
	s, err := ForLearning(t.Context(), mixedSet(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	if n, m := s.Learned().Dims(); n != 3 || m != 40 || !slices.Equal(s.Names(), []string{"a", "c", "e"}) {
		t.Errorf("learned from %d vertices %q and %d signals", n, s.Names(), m)
	}
	known := s.Known(method.Known{Allow: [][2]int{{0, 2}, {1, 2}, {2, 4}}})
	if !slices.Equal(known.Allow, [][2]int{{0, 1}, {1, 2}}) {
		t.Errorf("allowed: %v", known.Allow)
	}
}

func TestAResultIsPutBackAmongAllVertices(t *testing.T) {
	s, err := ForLearning(t.Context(), mixedSet(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(s.Names(), []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 1, J: 2, Weight: 1}})
	if err == nil {
		g, err = g.WithConfidence([]float64{0.5, 0.25})
	}
	if err != nil {
		t.Fatal(err)
	}
	aside := []signals.Aside{{Vertex: 2, Name: "e", Reason: signals.Vanishing}}
	r := s.Result(&method.Result{Graph: g, Weights: g, Aside: aside, Warnings: []string{"its own"}})
	want := []graph.Edge{{I: 0, J: 2, Weight: 2}, {I: 0, J: 3, Weight: 2}, {I: 2, J: 3, Weight: 2}, {I: 2, J: 4, Weight: 1}}
	if !slices.Equal(r.Graph.Edges(), want) || !slices.Equal(r.Graph.Confidence(), []float64{0.5, 1, 0.5, 0.25}) {
		t.Errorf("got %v, %v", r.Graph.Edges(), r.Graph.Confidence())
	}
	var set []int
	for _, a := range r.Aside {
		set = append(set, a.Vertex)
	}
	if !slices.Equal(set, []int{1, 5, 4}) || len(r.Warnings) != 3 || r.Warnings[2] != "its own" {
		t.Errorf("set aside %v, warnings %q", set, r.Warnings)
	}
}

func TestAVertexWhoseValuesWereSetAsideIsNotSaidToHaveHadNone(t *testing.T) {
	few := signals.Aside{Name: "a", Reason: signals.TooFewValues, Signals: 60}
	given := slices.Repeat([]float64{1, 2}, 30)
	if got := asMeasured(few, given); got.Reason != signals.TooFewLeft {
		t.Errorf("got %q", got.Reason)
	}
	if got := asMeasured(few, slices.Repeat([]float64{math.NaN()}, 60)); got.Reason != signals.TooFewValues {
		t.Errorf("without values: got %q", got.Reason)
	}
	constant := signals.Aside{Name: "a", Reason: signals.Constant}
	if got := asMeasured(constant, given); got.Reason != signals.ConstantPrepared {
		t.Errorf("constant after preparation: got %q", got.Reason)
	}
	if got := asMeasured(constant, slices.Repeat([]float64{12.5}, 60)); got.Value != 12.5 {
		t.Errorf("got %g", got.Value)
	}
}

func TestVerticesThatAreAllAtFaultAreToldFromConstantOnes(t *testing.T) {
	draw := rng.Stream(2, "shape")
	y := mat.NewDense(12, 80, nil)
	for k := range 80 {
		v := draw.NormFloat64()
		for i := range 12 {
			y.Set(i, k, float64(2*i-11)*v)
		}
	}
	_, err := ForLearning(t.Context(), &signals.Set{Y: y}, Request{})
	if err == nil || !strings.HasPrefix(input.Sentence(err), "only 1 of 12 vertices left, want at least 2: the others look like copies") {
		t.Errorf("got %v", err)
	}
}
