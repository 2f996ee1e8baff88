package fitting

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// relativeLossOf returns the loss of random signals, each multiplied by its factor,
// smoothed at weights that come with it.
func relativeLossOf(factor func(m int) float64) (*RelativeLoss, []float64) {
	const n, m = 8, 15
	random := rand.New(rand.NewPCG(5, 6))
	y := mat.NewDense(n, m, nil)
	y.Apply(func(_, k int, _ float64) float64 { return factor(k) * random.NormFloat64() }, y)
	model := Model{Kernels: kernel.Paper(), Sparsity: 4}
	model.Sparsity = 2
	data := AsGiven(y)
	v := New(data, model, NewDense(data, model, 1, nil), new(int)).OverPairs(dictionary.AllPairs(n))
	w := make([]float64, v.Pairs.Len())
	for e := range w {
		w[e] = 0.1 + random.Float64()
	}
	residuals := must(v.Recode(w, CoderSetting{sparse.OMP, 0}))
	loss := NewRelativeLoss(v)
	loss.Smooth(residuals)
	return loss, w
}

func TestRelativeLossMatchesFiniteDifference(t *testing.T) {
	loss, w := relativeLossOf(func(m int) float64 { return float64(m) }) // the first is zero
	grad := make([]float64, len(w))
	loss.Evaluate(w, grad)
	value := func(w []float64) float64 { return loss.Evaluate(w, make([]float64, len(w))) }
	if err := checks.GradientError(value, w, grad, 1e-5); err > 1e-6 {
		t.Errorf("relative error %g", err)
	}
}

// The size of a signal does not matter. Powers of two leave all digits as they are.
func TestRelativeLossDoesNotSeeTheSizeOfSignals(t *testing.T) {
	one, w := relativeLossOf(func(int) float64 { return 1 })
	other, _ := relativeLossOf(func(m int) float64 { return float64(int(1) << m) })
	grad := make([]float64, len(w))
	if got, want := other.Evaluate(w, grad), one.Evaluate(w, grad); got != want {
		t.Errorf("got %g, want %g", got, want)
	}
}
