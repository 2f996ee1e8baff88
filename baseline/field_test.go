package baseline

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// The kernel that a field was drawn by is found, and its graph with it; one between those that are compared first, too.
func TestFieldFindsKernelAndGraph(t *testing.T) {
	for want, spec := range map[string]synth.FieldSpec{
		"matern:2": {Order: 2}, "matern:3": {Order: 3}, "heat": {Law: synth.DiffusionField, Tau: 2},
	} {
		spec.Count, spec.Seed = 720, 1
		truth := drawnField(t, 36, spec)
		r := learned(t, Field{}, truth.Signals)
		if fit := FieldFitOf(r); fit.Kernel != want || fit.Misfit {
			t.Errorf("the kernel is %s, want %s (%+v)", fit.Kernel, want, fit)
		}
		if f1, err := metrics.EdgeF1(r.Graph, truth.Graph); err != nil || f1 < 0.9 {
			t.Errorf("%s: F1 %.3g, %v", want, f1, err)
		}
	}
}

// drawnField draws signals on a grid.
func drawnField(t *testing.T, vertices int, spec synth.FieldSpec) *synth.FieldTruth {
	t.Helper()
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: vertices, Weights: synth.UniformWeights, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Field(drawn.Graph, spec)
	if err != nil {
		t.Fatal(err)
	}
	return truth
}

// With too few signals it is ggl, and says why; a kernel that is named is taken.
func TestFieldSaysWhyItIsOfOrderOne(t *testing.T) {
	y := drawnField(t, 25, synth.FieldSpec{Count: 60, Order: 2, Seed: 1}).Signals
	ggl := learned(t, GGL{}, y)
	for _, f := range []Field{{}, {Order: 1}} {
		r := learned(t, f, y)
		if !slices.Equal(r.Graph.Edges(), ggl.Graph.Edges()) || (FieldFitOf(r).OnlyOrderOne != "") != (f.Order == 0) {
			t.Errorf("%+v: not the graph of ggl, or no reason for it: %+v", f, FieldFitOf(r))
		}
	}
	if fit := FieldFitOf(learned(t, Field{Order: 2}, y)); fit.Kernel != "matern:2" {
		t.Errorf("got %+v", fit)
	}
}

// Signals whose range is no number of its own have the rows of any other unit.
func TestFieldIsTheSameAtTheEndOfTheNumbers(t *testing.T) {
	y := drawnField(t, 16, synth.FieldSpec{Count: 20, Order: 2, Seed: 1}).Signals
	huge := mat.DenseCopyOf(y)
	_, exponent := math.Frexp(max(mat.Max(huge), -mat.Min(huge)))
	huge.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, 1024-exponent) }, huge)
	if !math.IsInf(mat.Max(huge)-mat.Min(huge), 1) || !slices.Equal(rowsOf(huge).Data, rowsOf(y).Data) {
		t.Error("rows are not those in another unit")
	}
}

// Signals of order one are as many as the signals that they were made of, whatever was set aside.
func TestSignalsOfOrderOneHaveTheVerticesOfTheirSignals(t *testing.T) {
	chain := checks.Chain(2, 8, 200)
	y := mat.NewDense(10, 200, nil)
	y.Slice(1, 9, 0, 200).(*mat.Dense).Copy(chain) // the first vertex and the last are constant
	whole, err := Field{Order: 2}.Learn(t.Context(), method.Problem{Y: chain})
	if err != nil {
		t.Fatal(err)
	}
	part, err := Field{Order: 2}.Learn(t.Context(), method.Problem{Y: y})
	if err != nil {
		t.Fatal(err)
	}
	want, got := whole.Own.(method.Rooted).OrderOne(chain), part.Own.(method.Rooted).OrderOne(y)
	if n, m := got.Dims(); n != 10 || m != 200 || !mat.Equal(got.Slice(1, 9, 0, 200), want) || got.At(0, 5) != 0 {
		t.Errorf("got signals of %d vertices and %d rows, or others than without constant vertices", n, m)
	}
}
