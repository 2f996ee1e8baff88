package field

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

var kernels = []Kernel{{1}, {1.5}, {2}, {4}, Heat}

// drawn returns a model on all pairs of n vertices, a third of them with an edge, and moments
// of signals that have little to do with it.
func drawn(n int, k Kernel) (*Model, linalg.Dense) {
	draw := rng.Stream(1, "field", n)
	m := &Model{Kernel: k, Noise: 0.05}
	for i := range n {
		m.Diagonal = append(m.Diagonal, 0.2+0.3*draw.Float64())
		for j := i + 1; j < n; j++ {
			w := 0.0
			if draw.IntN(3) == 0 {
				w = 0.3 + draw.Float64()
			}
			m.Pairs, m.Weights = append(m.Pairs, Pair{i, j}), append(m.Weights, w)
		}
	}
	y := linalg.NewDense(5*n, n)
	for t := range y.Rows {
		common := draw.NormFloat64()
		for i := range n {
			y.Data[t*n+i] = draw.NormFloat64() + 0.7*common
		}
	}
	return m, momentsOf(y, 1)
}

// dense returns the covariance of a model by other software, entry by entry.
func dense(m *Model) *mat.SymDense {
	n := len(m.Diagonal)
	theta := mat.NewSymDense(n, nil)
	for i, v := range m.Diagonal {
		theta.SetSym(i, i, v)
	}
	for k, p := range m.Pairs {
		theta.SetSym(p.I, p.J, -m.Weights[k])
		theta.SetSym(p.I, p.I, theta.At(p.I, p.I)+m.Weights[k])
		theta.SetSym(p.J, p.J, theta.At(p.J, p.J)+m.Weights[k])
	}
	var eigen mat.EigenSym
	eigen.Factorize(theta, true)
	var v mat.Dense
	eigen.VectorsTo(&v)
	sigma := mat.NewSymDense(n, nil)
	for a, lambda := range eigen.Values(nil) {
		h := math.Exp(-2 * lambda)
		if m.Kernel != Heat {
			h = math.Pow(lambda, -m.Kernel.Order)
		}
		for i := range n {
			for j := i; j < n; j++ {
				sigma.SetSym(i, j, sigma.At(i, j)+h*v.At(i, a)*v.At(j, a))
			}
		}
	}
	for i := range n {
		sigma.SetSym(i, i, sigma.At(i, i)+m.Noise)
	}
	return sigma
}

func TestLikelihoodIsThatOfADenseGaussian(t *testing.T) {
	for _, k := range kernels {
		m, moments := drawn(9, k)
		var factor mat.Cholesky
		if !factor.Factorize(dense(m)) {
			t.Fatal("not positive definite")
		}
		var inverse mat.SymDense
		if err := factor.InverseTo(&inverse); err != nil {
			t.Fatal(err)
		}
		want := factor.LogDet()
		for i := range 9 {
			for j := range 9 {
				want += inverse.At(i, j) * moments.Data[i*9+j]
			}
		}
		e := newEvaluation(moments, 1)
		if !e.decompose(m) {
			t.Fatal("no covariance")
		}
		if got := e.deviance(); math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%v: got %g, want %g", k, got, want)
		}
	}
}

func TestGradientMatchesFiniteDifferences(t *testing.T) {
	for _, k := range kernels {
		m, moments := drawn(8, k)
		f := newFit(newEvaluation(moments, 1), m)
		for v := range len(m.Pairs) {
			f.x[v] += 0.1 // so that none is at the bound
		}
		grad := make([]float64, len(f.x))
		value := func(x []float64) float64 { return f.evaluate(x, make([]float64, len(x))) }
		f.evaluate(f.x, grad)
		if gap := checks.GradientError(value, f.x, grad, 1e-6); gap > 1e-6 {
			t.Errorf("%v: derivatives differ from finite differences by %g", k, gap)
		}
	}
}

// The inverse is the root of order one, and the variance of its entries known.
func TestRootOfOrderOneIsTheInverse(t *testing.T) {
	_, moments := drawn(7, Kernel{1})
	s, err := spectrumOf(moments, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := s.root(Kernel{1}, 1)
	var inverse mat.Dense
	if err := inverse.Inverse(mat.NewDense(7, 7, moments.Data)); err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		for j := range 7 {
			if got, want := r.theta.Data[i*7+j], inverse.At(i, j); math.Abs(got-want) > 1e-10 {
				t.Errorf("entry (%d, %d): got %g, want %g", i, j, got, want)
			}
			if got, want := r.variance.Data[i*7+j], inverse.At(i, i)*inverse.At(j, j); math.Abs(got-want) > 1e-8*want {
				t.Errorf("variance (%d, %d): got %g, want %g", i, j, got, want)
			}
		}
	}
}

// The kernel of the root of a covariance has that covariance.
func TestKernelOfARootIsTheCovariance(t *testing.T) {
	for _, k := range kernels {
		for _, v := range []float64{1e-3, 0.7, 1, 20} {
			if got := k.variance(k.frequency(v)); math.Abs(got-v) > 1e-12*v {
				t.Errorf("%v of %g: got %g", k, v, got)
			}
			const step = 1e-6
			want := (k.frequency(v*(1+step)) - k.frequency(v*(1-step))) / (2 * step * v)
			if got := k.frequencySlope(v, k.frequency(v)); math.Abs(got-want) > 1e-6*math.Abs(want) {
				t.Errorf("%v at %g: slope %g, want %g", k, v, got, want)
			}
		}
	}
}

// A solver that knows nothing of fields comes to the same likelihood, with squares for
// weights so that none is negative.
func TestOptimumIsThatOfASecondSolver(t *testing.T) {
	for _, k := range []Kernel{{1}, {2}, Heat} {
		m, moments := drawn(5, k)
		e := newEvaluation(moments, 1)
		own := m.clone()
		got := newFit(e, own).run(context.Background(), 2000)

		f := newFit(e, m)
		edges := len(m.Pairs)
		inner := func(x []float64) []float64 {
			y := append([]float64(nil), x...)
			for v := range edges {
				y[v] *= x[v]
			}
			return y
		}
		grad := make([]float64, len(f.x))
		problem := optimize.Problem{
			Func: func(x []float64) float64 { return f.evaluate(inner(x), grad) },
			Grad: func(into, x []float64) {
				f.evaluate(inner(x), into)
				for v := range edges {
					into[v] *= 2 * x[v]
				}
			},
		}
		begin := append([]float64(nil), f.x...)
		for v := range edges {
			begin[v] = 0.5
		}
		r, err := optimize.Minimize(problem, begin, &optimize.Settings{GradientThreshold: 1e-8, MajorIterations: 5000}, &optimize.BFGS{})
		if r == nil {
			t.Fatal(err)
		}
		if math.Abs(got-r.F) > 1e-5*math.Abs(r.F) {
			t.Errorf("%v: got %.9g, the other solver %.9g", k, got, r.F)
		}
	}
}
