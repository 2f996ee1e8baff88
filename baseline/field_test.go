package baseline

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/metrics"
	"github.com/nervure/nervure/synth"
)

// The kernel that a field was drawn by is found, and its graph with it, where ggl sees
// edges that skip a vertex or loses some.
func TestFieldFindsKernelAndGraph(t *testing.T) {
	for _, c := range []struct {
		spec synth.FieldSpec
		want string
	}{
		{synth.FieldSpec{Order: 1}, "matern:1"},
		{synth.FieldSpec{Order: 2}, "matern:2"},
		{synth.FieldSpec{Order: 2, FieldFaults: synth.FieldFaults{Noise: 0.1}}, "matern:2"},
		{synth.FieldSpec{Order: 3}, "matern:3"},
		{synth.FieldSpec{Order: 4}, "matern:4"},
		{synth.FieldSpec{Law: synth.DiffusionField, Tau: 2}, "heat"},
	} {
		var scores []float64
		for seed := range uint64(3) {
			drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 36, Weights: synth.UniformWeights, Seed: seed + 1})
			if err != nil {
				t.Fatal(err)
			}
			c.spec.Count, c.spec.Seed = 720, seed+1
			truth, err := synth.Field(drawn.Graph, c.spec)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Field{}.Learn(t.Context(), method.Problem{Y: truth.Signals})
			if err != nil {
				t.Fatal(err)
			}
			fit := FieldFitOf(r)
			noisy := c.spec.Noise > 0 && fit.Kernel == "matern:1.5" // a lower order looks much like noise
			if fit.Kernel != c.want && !noisy {
				t.Errorf("%+v: the kernel is %s, want %s (%v)", c.spec, fit.Kernel, c.want, fit.Trials)
			}
			f1, err := metrics.EdgeF1(r.Graph, truth.Graph)
			if err != nil {
				t.Fatal(err)
			}
			scores = append(scores, f1)
		}
		if least := slices.Min(scores); least < 0.9 {
			t.Errorf("%+v: F1 %.3g", c.spec, scores)
		}
	}
}

// Many signals show that neither two nor four is their order, and three describes them.
func TestFieldOfOrderThreeIsNoMisfit(t *testing.T) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 36, Weights: synth.UniformWeights, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: 20000, Order: 3, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	fit := FieldFitOf(learned(t, Field{}, truth.Signals))
	if fit.Kernel != "matern:3" || fit.Misfit {
		t.Errorf("the kernel is %s, a misfit: %t (%v)", fit.Kernel, fit.Misfit, fit.Trials)
	}
}

// With too few signals it is ggl, and says why; a kernel that is named is taken.
func TestFieldSaysWhyItIsOfOrderOne(t *testing.T) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 25, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: 60, Order: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := method.Problem{Y: truth.Signals}
	r, err := Field{}.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	ggl, err := GGL{}.Learn(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.Graph.Edges(), ggl.Graph.Edges()) {
		t.Error("the graph is not that of ggl")
	}
	if said := FieldFitOf(r).Findings(r); !strings.Contains(said[0], "60 signals are fewer than 3 for each of 25 vertices") {
		t.Errorf("it says %q", said)
	}
	if r, err = (Field{Order: 1}).Learn(t.Context(), p); err != nil || !slices.Equal(r.Weights.Edges(), ggl.Weights.Edges()) {
		t.Errorf("order one is not ggl (%v)", err)
	}
	if r, err = (Field{Order: 2}).Learn(t.Context(), p); err != nil || FieldFitOf(r).Kernel != "matern:2" {
		t.Errorf("got %v, %v", r, err)
	}
	if _, err := (Field{Order: 2, Heat: true}).Learn(t.Context(), p); err == nil {
		t.Error("two kernels at once were taken")
	}
}

// Signals whose range is no number of its own are learned from as in any other unit.
func TestFieldIsTheSameAtTheEndOfTheNumbers(t *testing.T) {
	drawn, err := synth.Graph(synth.GraphSpec{Family: synth.FamilyGrid, Vertices: 16, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	truth, err := synth.Field(drawn.Graph, synth.FieldSpec{Count: 200, Order: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	huge := mat.DenseCopyOf(truth.Signals)
	_, exponent := math.Frexp(max(mat.Max(huge), -mat.Min(huge)))
	huge.Apply(func(_, _ int, v float64) float64 { return math.Ldexp(v, 1024-exponent) }, huge)
	if !math.IsInf(mat.Max(huge)-mat.Min(huge), 1) {
		t.Fatal("their range is a number")
	}
	if !slices.Equal(rowsOf(huge).Data, rowsOf(truth.Signals).Data) {
		t.Error("rows are not those in another unit")
	}
	want, got := learned(t, Field{}, truth.Signals), learned(t, Field{}, huge)
	if w, g := FieldFitOf(want), FieldFitOf(got); g.Kernel != w.Kernel || g.OnlyOrderOne != "" || !slices.Equal(g.Trials, w.Trials) {
		t.Errorf("got %+v, want %+v", g, w)
	}
	if !slices.Equal(got.Graph.Edges(), want.Graph.Edges()) {
		t.Errorf("got %v, want %v", got.Graph.Edges(), want.Graph.Edges())
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
