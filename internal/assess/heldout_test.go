package assess

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
)

func always(g *graph.Graph) Learner {
	return func(context.Context, *mat.Dense) (*graph.Graph, SignalModel, error) { return g, nil, nil }
}

func heldOut(t *testing.T, y *mat.Dense, learn Learner) *HeldOut {
	t.Helper()
	return must.Get(HoldOut(t.Context(), y, learn, HeldOutOptions{Seed: *rankSeed}))
}

// Every signal is held out once, in order, and no learner sees what it is asked about.
func TestHoldOutHoldsOut(t *testing.T) {
	const n, m = 4, 23
	y := mat.NewDense(n, m, nil)
	y.Apply(func(i, k int, _ float64) float64 { return float64((k+3)*(i+1)) + math.Sin(float64(k*i)) }, y)
	var missing []float64
	h := heldOut(t, y, func(_ context.Context, train *mat.Dense) (*graph.Graph, SignalModel, error) {
		for _, v := range y.RawRowView(0) {
			if !slices.Contains(train.RawRowView(0), v) {
				missing = append(missing, v)
			}
		}
		return drawn(n), nil, nil
	})
	if !slices.Equal(missing, y.RawRowView(0)) {
		t.Errorf("held out %v, want all in order", missing)
	}
	if len(h.Gain) != m || len(h.Error) != m || len(h.Energy) != m || h.ModelGain != nil {
		t.Errorf("%d gains, %d errors, %d energies", len(h.Gain), len(h.Error), len(h.Energy))
	}
	// A graph without edges gains nothing and predicts the mean.
	if g := h.MeanGain(); g.Mean != 0 || h.Explained() != 0 {
		t.Errorf("without edges the gain is %v, and %g is explained", g, h.Explained())
	}
	if _, err := HoldOut(t.Context(), mat.NewDense(3, 2, nil), always(drawn(3)), HeldOutOptions{}); err == nil {
		t.Error("two signals were enough")
	}
}

// With one fold the second half is held out, as the second of two folds is.
func TestOneFoldIsTheSecondHalf(t *testing.T) {
	for _, m := range []int{4, 60, 61} {
		y, tree := treeSignals(rng.Stream(*rankSeed, "half"), 6, m)
		learns := 0
		counted := func(_ context.Context, train *mat.Dense) (*graph.Graph, SignalModel, error) {
			if _, used := train.Dims(); learns == 0 && used != m/2 {
				t.Errorf("learned from %d of %d signals", used, m)
			}
			learns++
			return tree, nil, nil
		}
		one := must.Get(HoldOut(t.Context(), y, counted, HeldOutOptions{Folds: 1, Seed: *rankSeed}))
		if learns != 1 || len(one.Gain) != m-m/2 || one.Edges != float64(tree.EdgeCount()) {
			t.Errorf("learned %d times, %d gains of %d signals, %g edges", learns, len(one.Gain), m, one.Edges)
		}
		two := must.Get(HoldOut(t.Context(), y, always(tree), HeldOutOptions{Folds: 2, Seed: *rankSeed}))
		if !slices.Equal(one.Gain, two.Gain[m/2:]) || !slices.Equal(one.Error, two.Error[m/2:]) {
			t.Error("the second half is not the second of two folds")
		}
	}
	if _, err := HoldOut(t.Context(), mat.NewDense(3, 3, nil), always(drawn(3)), HeldOutOptions{Folds: 1}); err == nil {
		t.Error("three signals were enough")
	}
}

// The true tree gains what its likelihood says, and nothing where each vertex is
// turned round by itself.
func TestGainIsThereOnlyWithTheDependence(t *testing.T) {
	y, tree := treeSignals(rng.Stream(*rankSeed, "gain"), 15, 400)
	want := 0.0
	for _, e := range tree.Edges() {
		r := correlation(y, e.I, e.J)
		want -= math.Log1p(-r*r) / 2
	}
	g := heldOut(t, y, always(tree)).MeanGain()
	if math.Abs(g.Mean-want) > 4*g.StdErr {
		t.Errorf("the gain is %g ± %g, want about %g", g.Mean, g.StdErr, want)
	}
	moved := shifted(y, *rankSeed)
	if g := heldOut(t, moved, always(tree)).MeanGain(); g.Mean > 3*g.StdErr {
		t.Errorf("shifted signals gain %g ± %g", g.Mean, g.StdErr)
	}
	for i := range 15 {
		a, b := slices.Sorted(slices.Values(y.RawRowView(i))), slices.Sorted(slices.Values(moved.RawRowView(i)))
		if !slices.Equal(a, b) {
			t.Errorf("vertex %d has other values", i)
		}
	}
}

// The standard error of independent values is the textbook's.
func TestEstimateHasTheErrorOfTheMean(t *testing.T) {
	const count = 20_000
	r := rng.Stream(*rankSeed, "estimate")
	values := make([]float64, count)
	for k := range values {
		values[k] = 5 + 3*r.NormFloat64()
	}
	e := estimate(values)
	if want := 3 / math.Sqrt(count); math.Abs(e.Mean-5) > 5*want || e.StdErr < want/2.5 || e.StdErr > 2*want {
		t.Errorf("got %g ± %g, want 5 ± about %g", e.Mean, e.StdErr, want)
	}
	if e := estimate([]float64{1}); !math.IsInf(e.StdErr, 1) {
		t.Errorf("one value has an error of %g", e.StdErr)
	}
}

// Signals that an own model rules out count as without edges, at the price of an
// exception; others keep what they gain, but for the price of not being one.
func TestOwnModelsMayFailOnAFew(t *testing.T) {
	for gain, want := range map[float64]float64{
		math.Inf(-1): math.Log(0.02), -1e6: math.Log(0.02), 0: 0, 1e6: 1e6 + math.Log(0.98),
		2: math.Log(0.98*math.Exp(2) + 0.02),
	} {
		if got := mixedGain(gain); math.Abs(got-want) > 1e-9 {
			t.Errorf("a gain of %g is mixed to %g, want %g", gain, got, want)
		}
	}
}

// shifted returns y with every row turned round by its own random number of signals.
// Each vertex keeps its values and, but for one seam, how they follow each other;
// what vertices have in common is gone. A graph learned from it shows what a method
// finds where there is nothing to find.
func shifted(y *mat.Dense, seed uint64) *mat.Dense {
	n, m := y.Dims()
	shifted := mat.NewDense(n, m, nil)
	r := rng.Stream(seed, "shifted signals")
	for i := range n {
		from, to := y.RawRowView(i), shifted.RawRowView(i)
		by := r.IntN(m)
		copy(to, from[by:])
		copy(to[m-by:], from[:by])
	}
	return shifted
}
