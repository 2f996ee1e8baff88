package fitting

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/document"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/synth"
)

// freeFit returns signals of free kernels and a fit at other kernels that has
// the true codes.
func freeFit(truth [][]float64, bounds Bounds) (DenseView, *DenseKernelMover) {
	free := Polynomials{Bounds: bounds}
	var kernels []kernel.Kernel
	for _, c := range truth {
		k := must(kernel.FromSeries("truth", c))
		kernels = append(kernels, k)
	}
	drawn := must(synth.Generate(synth.GraphSpec{Family: synth.FamilyER, Vertices: 20, Seed: *seed}, kernels,
		synth.SignalSpec{Count: 80, Sparsity: 3, Seed: *seed}))
	start := must(free.Start(len(truth), 1, *seed))
	data := AsGiven(drawn.Signals)
	f := must(OnGraph(drawn.Graph, data, Model{Kernels: start, Sparsity: 3}, 1, nil))
	for m := range f.M {
		atom, coef := drawn.Codes.Column(m)
		f.Code.SetColumn(m, atom, coef)
		_, own := f.Code.Column(m)
		floats.Scale(1/data.Unit, own)
	}
	return f, NewKernelMover(f.Fit, free)
}

// fixedCodes returns the series of smallest residual for the codes as they are.
func fixedCodes(f DenseView, bounds Bounds) (found [][]float64, form *mat.SymDense, grad []float64) {
	free, kernels := Polynomials{Bounds: bounds}, f.Engine.Kernels()
	size := len(kernels) * (free.Degree + 1)
	hess := make([]float64, size*size)
	grad = make([]float64, size)
	f.Engine.Fit(f.Code)
	f.Engine.KernelNormalEquations(hess, grad, free.Directions(kernels, f.Engine.Eigenvalues()), f.Code, nil, false)
	var series [][]float64
	for _, k := range kernels {
		series = append(series, k.Series())
	}
	form = mat.NewSymDense(size, hess)
	found = must(free.CoefficientStep(series, form, grad))
	return found, form, grad
}

func TestCoefficientStepFindsKernelsOfKnownCodes(t *testing.T) {
	const degree = 4
	truth := [][]float64{{0.5, -0.4, 0.1, 0, 0.05}, {0.6, 0.3, -0.1, 0.05, 0}}
	bounds := NewBounds(degree, 0, 0)
	f, _ := freeFit(truth, bounds)
	found, _, _ := fixedCodes(f, bounds)
	for s := range truth {
		if !floats.EqualApprox(found[s], truth[s], 1e-9) {
			t.Errorf("kernel %d: %v, want %v", s, found[s], truth[s])
		}
	}
}

// Where the truth leaves the bounds the answer keeps them, and no feasible series
// near it is better.
func TestCoefficientStepKeepsBounds(t *testing.T) {
	const degree = 3
	truth := [][]float64{{0.2, -0.5, 0.2, 0}, {0.5, 0.5, 0.3, 0}}
	for _, bounds := range []Bounds{NewBounds(degree, 0, 0), NewBounds(degree, 1, 0.05)} {
		f, _ := freeFit(truth, bounds)
		found, form, grad := fixedCodes(f, bounds)
		feasible := func(series [][]float64) bool {
			for _, p := range bounds.Grid {
				sum := 0.0
				for _, c := range series {
					v := floats.Dot(p, c)
					sum += v
					if v < -1e-10 || bounds.Sum > 0 && v > bounds.Sum+1e-10 {
						return false
					}
				}
				if bounds.Sum > 0 && math.Abs(sum-bounds.Sum) > bounds.Slack+1e-10 {
					return false
				}
			}
			return true
		}
		if !feasible(found) {
			t.Errorf("sum %g: %v is outside the bounds", bounds.Sum, found)
		}
		value := func(series [][]float64) float64 {
			var theta []float64
			for s, c := range series {
				d := make([]float64, len(c))
				floats.SubTo(d, c, f.Engine.Kernels()[s].Series())
				theta = append(theta, d...)
			}
			v := mat.NewVecDense(len(theta), theta)
			return floats.Dot(grad, theta) + mat.Inner(v, form, v)/2
		}
		best, r, tried := value(found), rng.Stream(*seed, "feasible"), 0
		for k := range 3000 {
			near := make([][]float64, len(found))
			size := math.Pow(10, -1-3*float64(k)/3000)
			for s, c := range found {
				for _, v := range c {
					near[s] = append(near[s], v+size*r.NormFloat64())
				}
			}
			if feasible(near) {
				tried++
				if v := value(near); v < best-1e-9*math.Abs(best) {
					t.Fatalf("sum %g: %v is better than %v", bounds.Sum, near, found)
				}
			}
		}
		if tried < 5 {
			t.Errorf("sum %g: only %d feasible series were tried", bounds.Sum, tried)
		}
	}
}

func TestKernelStepsNeverRaiseTheLoss(t *testing.T) {
	f, update := freeFit([][]float64{{0.5, -0.4, 0.1, 0, 0.05}, {0.6, 0.3, -0.1, 0.05, 0}}, NewBounds(4, 0, 0))
	f.Engine.PlaceHere()
	loss := NewRobustLoss(f)
	last := loss.Smooth(f.Improve(CoderSetting{Method: sparse.OMP, Width: 0}, f.EverySignal()))
	for range 10 {
		value, residuals := update.Minimise(t.Context(), loss, 1)
		if again := loss.Of(f.Refit()); value > last || math.Abs(again-value) > 1e-12*value || loss.Of(residuals) != again {
			t.Fatalf("%g after %g, recomputed %g", value, last, again)
		}
		last = value
	}
}

func TestScoresOfCounts(t *testing.T) {
	const n, sparsity = 10, 2
	scores := ScoreCounts([][]float64{{0.5, 0.3}, {0.1, 0.1}, {0.1, 0.1}}, n, sparsity)
	cost := func(v float64, count int) float64 { return 5*math.Log(v+1e-4) + 2*math.Log(float64(count)) }
	a, b := cost(0.5, 1)-cost(0.1, 2), cost(0.3, 1)-cost(0.1, 2)
	score := func(count int, residual, cost, standardError float64) document.KernelCount {
		return document.KernelCount{Kernels: count, Residual: residual, Cost: cost, StandardError: standardError}
	}
	want := []document.KernelCount{
		score(1, 0.4, (cost(0.5, 1)+cost(0.3, 1))/2, math.Abs(a-b)/2), // of two numbers
		score(2, 0.1, cost(0.1, 2), 0),
		score(3, 0.1, cost(0.1, 3), 0),
	}
	for k, s := range scores {
		w := want[k]
		if s.Kernels != w.Kernels || math.Abs(s.Residual-w.Residual)+math.Abs(s.Cost-w.Cost)+math.Abs(s.StandardError-w.StandardError) > 1e-12 {
			t.Errorf("got %+v, want %+v", s, w)
		}
	}
	if got := ChooseByScore(scores); got != 2 {
		t.Errorf("chose %d, want 2", got)
	}
	if got := ChooseByScore([]document.KernelCount{score(1, 0, -9.5, 1), score(2, 0, -10, 0)}); got != 1 {
		t.Errorf("chose %d, but one kernel is within a standard error", got)
	}
}

// A polynomial within bounds on the grid leaves them by less than 0.25 % of their
// distance between its points: the worst case is one that oscillates.
func TestGridHoldsPolynomialsBetweenItsPoints(t *testing.T) {
	for degree := 1; degree <= 12; degree++ {
		b := NewBounds(degree, 0, 0)
		r := rng.Stream(*seed, "polynomials", degree)
		for range 8 {
			c := make([]float64, degree+1)
			for k := range c {
				c[k] = r.NormFloat64()
			}
			low, high := math.Inf(1), math.Inf(-1)
			for _, p := range b.Grid {
				v := floats.Dot(p, c)
				low, high = min(low, v), max(high, v)
			}
			for l := 0.0; l <= 2; l += 0.001 {
				if v := floats.Dot(Chebyshev(l, degree), c); max(v-high, low-v) > 0.0025*(high-low) {
					t.Errorf("degree %d: %g at %g, between %g and %g on the grid", degree, v, l, low, high)
				}
			}
		}
	}
}
