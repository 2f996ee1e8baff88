package local

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
)

// randomRows returns standardised rows that share something.
func randomRows(n, m int, draw *rand.Rand) linalg.Dense {
	x := linalg.NewDense(n, m)
	shared := make([]float64, m)
	for k := range shared {
		shared[k] = draw.NormFloat64()
	}
	for i := range n {
		row := linalg.Row(x, i)
		loading := draw.NormFloat64()
		for k := range row {
			row[k] = draw.NormFloat64() + loading*shared[k]
		}
		mean, variance := portable.PopMeanVariance(row)
		for k, v := range row {
			row[k] = (v - mean) / math.Sqrt(variance)
		}
	}
	return x
}

// A solution meets the conditions of the minimum, which is unique: the slope of a coefficient that is not
// zero is the penalty, and that of the others is less.
func TestLassoMeetsItsConditions(t *testing.T) {
	for seed := range 30 {
		draw := rng.Stream(1, "lasso", seed)
		k := 1 + draw.IntN(12)
		x := randomRows(k+1, 60, draw)
		on := make([]int32, k)
		for j := range on {
			on[j] = int32(j + 1)
		}
		var w worker
		w.signed = seed%2 == 1
		w.take(signalsOf(x), 0, on)
		penalty := 0.4 * draw.Float64()
		if seed%3 == 0 {
			penalty, _ = w.solveScaled(penalty)
		} else {
			w.solve(penalty)
		}
		w.slopes()
		for j, b := range w.beta {
			slope := w.slope[j]
			switch {
			case b < 0 && !w.signed:
				t.Fatalf("seed %d: a negative coefficient", seed)
			case b != 0 && math.Abs(slope-math.Copysign(penalty, b)) > 1e-7:
				t.Fatalf("seed %d: coefficient %g has the slope %g, want ±%g", seed, b, slope, penalty)
			case b == 0 && (slope > penalty+1e-7 || w.signed && slope < -penalty-1e-7):
				t.Fatalf("seed %d: no coefficient, and a slope of %g above %g", seed, slope, penalty)
			}
		}
	}
}

// A penalty that follows the residual is λ times its size.
func TestScaledPenaltyFollowsTheResidual(t *testing.T) {
	draw := rng.Stream(1, "scaled")
	x := randomRows(9, 80, draw)
	var w worker
	w.signed = true
	w.take(signalsOf(x), 0, []int32{1, 2, 3, 4, 5, 6, 7, 8})
	penalty, variance := w.solveScaled(0.2)
	if math.Abs(penalty/math.Sqrt(variance)-0.2) > 1e-5 {
		t.Errorf("got %g for a residual of size %g", penalty, math.Sqrt(variance))
	}
	residual := append([]float64(nil), linalg.Row(x, 0)...)
	for j, b := range w.beta {
		linalg.Axpy(-b, linalg.Row(x, j+1), residual)
	}
	if got := portable.Dot(residual, residual) / 80; math.Abs(got-variance) > 1e-10 {
		t.Errorf("variance %g, want %g", variance, got)
	}
}

// Two vertices that are the same do not stop a regression.
func TestLassoOfEqualVertices(t *testing.T) {
	draw := rng.Stream(1, "equal")
	x := randomRows(4, 50, draw)
	copy(linalg.Row(x, 2), linalg.Row(x, 1))
	copy(linalg.Row(x, 0), linalg.Row(x, 1))
	var w worker
	w.take(signalsOf(x), 0, []int32{1, 2, 3})
	if _, variance := w.solveScaled(0.1); !(variance < 0.02) {
		t.Errorf("a variance of %g is left", variance)
	}
}

// Without penalties, on all others, debiased products are the partial correlations of the inverse covariance.
func TestPartialCorrelationsAreThoseOfTheInverse(t *testing.T) {
	draw := rng.Stream(1, "inverse")
	of := gridField(t, 3, 0.3, draw)
	x := of.signals(200, draw)
	var all []Edge
	for i := range of.n {
		for j := i + 1; j < of.n; j++ {
			all = append(all, Edge{I: i, J: j})
		}
	}
	l := &learner{x: x, models: make([]model, of.n), residuals: linalg.NewDense(of.n, x.Cols), Options: Options{Threads: 1, Observations: 200}}
	l.refit(t.Context(), all)
	inverse := inverseMoments(t, x)
	for _, e := range all {
		want := -inverse.At(e.I, e.J) / math.Sqrt(inverse.At(e.I, e.I)*inverse.At(e.J, e.J))
		if math.Abs(e.Partial-want) > 1e-7 {
			t.Errorf("pair %d–%d: got %.9f, want %.9f", e.I, e.J, e.Partial, want)
		}
	}
}
