package baseline

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/solver"
)

// degrees sets d = S·w, the sum of the weights at each vertex.
func degrees(d, w []float64) {
	clear(d)
	eachPair(len(d), func(e, i, j int) {
		d[i] += w[e]
		d[j] += w[e]
	})
}

func learnSmooth(t *testing.T, m Method, y *mat.Dense, params Params) *Result {
	t.Helper()
	r, err := m.Learn(t.Context(), Problem{Y: y}, params)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != solver.Converged {
		t.Fatalf("%s: %s after %d iterations", m.Name, r.Status, r.Iterations)
	}
	return r
}

func eachSmooth(t *testing.T, law func(t *testing.T, m Method)) {
	for _, m := range smoothMethods() {
		t.Run(m.Name, func(t *testing.T) { law(t, m) })
	}
}

func sameWeights(t *testing.T, what string, a, b *graph.Graph) {
	t.Helper()
	if x, y := pairWeights(a), pairWeights(b); !floats.EqualApprox(x, y, 1e-6) {
		t.Errorf("%s: the weights are apart by %g", what, floats.Distance(x, y, math.Inf(1)))
	}
}

func TestSmoothMethodsCommuteWithRelabelling(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		r := rng.Stream(1, "relabel")
		y := randomSignals(r, 20, 10)
		order := r.Perm(20)
		moved := mat.NewDense(20, 10, nil)
		for k, i := range order {
			moved.SetRow(k, y.RawRowView(i))
		}
		want, err := learnSmooth(t, m, y, nil).Graph.Permuted(order)
		if err != nil {
			t.Fatal(err)
		}
		sameWeights(t, "relabelled", learnSmooth(t, m, moved, nil).Graph, want)
	})
}

func TestSmoothMethodsIgnoreSignalOrder(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		r := rng.Stream(2, "order")
		y := randomSignals(r, 20, 10)
		order := r.Perm(10)
		moved := mat.NewDense(20, 10, nil)
		moved.Apply(func(i, s int, _ float64) float64 { return y.At(i, order[s]) }, moved)
		sameWeights(t, "reordered", learnSmooth(t, m, y, nil).Graph, learnSmooth(t, m, moved, nil).Graph)
	})
}

func TestSmoothMethodsIgnoreScaleSignAndRepetition(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		y := randomSignals(rng.Stream(3, "scale"), 20, 10)
		want := learnSmooth(t, m, y, nil)
		for _, factor := range []float64{1e-150, 1e-6, -3, 1e6, 1e200} {
			var scaled mat.Dense
			scaled.Scale(factor, y)
			got := learnSmooth(t, m, &scaled, nil)
			sameWeights(t, "scaled", got.Graph, want.Graph)
			if got.Graph.EdgeCount() != want.Graph.EdgeCount() {
				t.Errorf("times %g: %d edges, want %d", factor, got.Graph.EdgeCount(), want.Graph.EdgeCount())
			}
		}
		var twice mat.Dense
		twice.Augment(y, y)
		sameWeights(t, "every signal twice", learnSmooth(t, m, &twice, nil).Graph, want.Graph)
	})
}

func TestSmoothMethodsRepeatThemselvesWithTheParametersTheyReport(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		y := randomSignals(rng.Stream(4, "repeat"), 20, 10)
		a := learnSmooth(t, m, y, nil)
		for name, v := range a.Params {
			if !(v > 0) || !slices.ContainsFunc(m.Params, func(p Param) bool { return p.Name == name }) {
				t.Errorf("reports %q = %g", name, v)
			}
		}
		b := learnSmooth(t, m, y, a.Params)
		if !slices.Equal(a.Weights.Edges(), b.Weights.Edges()) || !slices.Equal(a.Graph.Edges(), b.Graph.Edges()) {
			t.Errorf("two runs differ: parameters %v and %v", a.Params, b.Params)
		}
	})
}

func TestSmoothMethodsNeverTouchTheSignals(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		y := randomSignals(rng.Stream(5, "touch"), 10, 5)
		before := mat.DenseCopyOf(y)
		learnSmooth(t, m, y, nil)
		if !mat.Equal(y, before) {
			t.Error("the signals have changed")
		}
	})
}

// countdown is a context that ends after some calls of Err.
type countdown struct {
	context.Context
	calls int
	stop  context.CancelCauseFunc
}

var errEnough = errors.New("enough")

func (c *countdown) Err() error {
	if c.calls--; c.calls == 0 {
		c.stop(errEnough)
	}
	return c.Context.Err()
}

func TestSmoothMethodsReturnWhatTheyHaveWithTheCause(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		y := randomSignals(rng.Stream(6, "cancel"), 20, 10)
		for _, calls := range []int{1, 2, 10} {
			ctx, stop := context.WithCancelCause(t.Context())
			r, err := m.Learn(&countdown{ctx, calls, stop}, Problem{Y: y}, nil)
			if !errors.Is(err, errEnough) || r == nil || r.Status != solver.Interrupted {
				t.Fatalf("after %d calls: got %v and %v", calls, r, err)
			}
			if r.Weights.EdgeCount() == 0 {
				t.Errorf("after %d calls: no weights", calls)
			}
		}
	})
}

func TestSmoothMethodsCutAsTold(t *testing.T) {
	eachSmooth(t, func(t *testing.T, m Method) {
		y := randomSignals(rng.Stream(7, "cut"), 20, 10)
		r, err := m.Learn(t.Context(), Problem{Y: y, Cut: graph.Cut{Rule: graph.CutEdges, Edges: 9}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Graph.EdgeCount() != 9 || r.Weights.EdgeCount() <= 9 {
			t.Errorf("kept %d of %d edges, want 9", r.Graph.EdgeCount(), r.Weights.EdgeCount())
		}
	})
}

func TestOwnCutDropsWeightsBelowAShareOfTheMean(t *testing.T) {
	g := mustGraph(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: 0.99e-4}})
	if got := cutVanishing(graph.Cut{}, g); got.EdgeCount() != 2 {
		t.Errorf("kept %d edges, want 2: the third is below 1e-4 of the mean", got.EdgeCount())
	}
	h := mustGraph(graph.DefaultNames(3), []graph.Edge{{I: 0, J: 1, Weight: 2}, {I: 0, J: 2, Weight: 1}, {I: 1, J: 2, Weight: 1.01e-4}})
	if got := cutVanishing(graph.Cut{}, h); got.EdgeCount() != 3 {
		t.Errorf("kept %d edges, want 3", got.EdgeCount())
	}
}

func TestSmoothFunctionsRefuse(t *testing.T) {
	y := randomSignals(rng.Stream(8, "refuse"), 5, 3)
	broken := mat.DenseCopyOf(y)
	broken.Set(2, 1, math.NaN())
	for name, c := range map[string]struct {
		learn func() (*Result, error)
		field string
	}{
		"no signals":        {func() (*Result, error) { return SigRep(t.Context(), &mat.Dense{}, SigRepOptions{}) }, "signals"},
		"a NaN":             {func() (*Result, error) { return SmoothLog(t.Context(), broken, SmoothLogOptions{}) }, "signals"},
		"a negative weight": {func() (*Result, error) { return SigRep(t.Context(), y, SigRepOptions{Smoothness: -1}) }, "smoothness"},
		"a weight of 1e300": {func() (*Result, error) { return SmoothL2(t.Context(), y, SmoothL2Options{Spread: 1e300}) }, "spread"},
		"half a neighbour":  {func() (*Result, error) { return SmoothLog(t.Context(), y, SmoothLogOptions{Degree: 0.5}) }, "degree"},
		"too many edges kept": {func() (*Result, error) {
			return SmoothL2(t.Context(), y, SmoothL2Options{Cut: graph.Cut{Rule: graph.CutEdges, Edges: 11}})
		}, "edges"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := c.learn()
			var fault *input.Error
			if r != nil || !errors.As(err, &fault) || string(fault.Field) != c.field {
				t.Errorf("got %v and %v, want a fault of %s", r, err, c.field)
			}
		})
	}
}
