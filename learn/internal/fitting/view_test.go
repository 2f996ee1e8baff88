package fitting

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// randomFit returns codes of random signals, a view on all pairs and weights there.
func randomFit(t *testing.T, n, m int) (DenseView, []float64) {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 6))
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, y)
	model := Model{Kernels: kernel.Paper(), Sparsity: 2}
	data := AsGiven(y)
	v := New(data, model, NewDense(data, model, 1, nil), new(int)).OverPairs(dictionary.AllPairs(n))
	w := make([]float64, v.Pairs.Len())
	for e := range w {
		w[e] = 0.1 + random.Float64()
	}
	if _, err := v.Recode(w, CoderSetting{sparse.OMP, 0}); err != nil {
		t.Fatal(err)
	}
	return v, w
}

// A view on some edges leaves nothing behind for another to put back.
func TestViewsDoNotDisturbEachOther(t *testing.T) {
	v, w := randomFit(t, 8, 12)
	loss := NewTrimmedLoss(v, v.EverySignal())
	want, got := make([]float64, len(w)), make([]float64, len(w))
	before := loss.Evaluate(w, want)
	some, few := v.OnEdges(randomGraph(rand.New(rand.NewPCG(7, 8)), 8))
	if _, err := some.RefitAt(few); err != nil {
		t.Fatal(err)
	}
	if after := loss.Evaluate(w, got); after != before || !slices.Equal(got, want) {
		t.Errorf("%g and then %g, gradients %v and %v", before, after, want, got)
	}
}

// Losses over one fit have weights of their own.
func TestLossesOwnTheirWeights(t *testing.T) {
	v, w := randomFit(t, 8, 12)
	robust, trimmed := NewRobustLoss(v), NewTrimmedLoss(v, []int{0, 3, 4})
	grad := make([]float64, len(w))
	before := trimmed.Evaluate(w, grad)
	robust.Smooth(v.Refit())
	robust.Evaluate(w, grad)
	if after := trimmed.Evaluate(w, grad); after != before {
		t.Errorf("the trimmed loss is %g, and %g beside a robust one", before, after)
	}
}

// Trimming keeps the given share, and signals at rounding level in any case.
func TestTrimLeavesOutTheWorstSignals(t *testing.T) {
	v, _ := randomFit(t, 8, 10)
	loss := NewTrimmedLoss(v, nil)
	residuals := Residuals{9, 1, 2, 8, 3, 4, 7, 5, 6, 10}
	v.rounding[9] = 20 // signal 9 counts as explained, whatever its residual
	loss.Trim(residuals, 0.5, true)
	for m, r := range residuals {
		if kept := loss.Weight[m] > 0; kept != (r <= 5 || m == 9) {
			t.Errorf("signal %d with residual %g is kept: %v", m, r, kept)
		}
	}
}

// must returns a value that nothing can be wrong with.
func must[T any](value T, err error) T {
	done(err)
	return value
}

// done goes on unless something is wrong that cannot be.
func done(err error) {
	if err != nil {
		panic(err)
	}
}
