package dictionary

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
)

// weightedFit is Σ weight_m ‖r_m‖² from the dictionary itself.
func weightedFit(in instance, ks []kernel.Kernel, weight []float64) float64 {
	d := must(Dense(in.graph().Laplacian(), ks))
	var r mat.Dense
	r.Mul(d, in.x.Dense())
	r.Sub(&r, in.y)
	_, m := in.y.Dims()
	var f float64
	for s := range m {
		f += weight[s] * math.Pow(mat.Norm(r.ColView(s), 2), 2)
	}
	return f
}

// placed returns an evaluator at the instance's weights, and weights for the signals.
func placed(in instance, threads int) (*Spectral, []float64) {
	e := newSpectral(in.y, in.kernels, threads)
	done(e.At(in.w))
	_, m := in.y.Dims()
	r, weight := rng.Stream(*seed, "weights of signals"), make([]float64, m)
	for s := range weight {
		weight[s] = 0.1 + r.Float64()
	}
	return e, weight
}

func withScales(t *testing.T, ks []kernel.Kernel, scales []float64) []kernel.Kernel {
	t.Helper()
	moved := append([]kernel.Kernel{}, ks...)
	for s, k := range ks {
		if k.Family() != "" {
			var err error
			if moved[s], err = k.WithScale(scales[s]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return moved
}

func TestScaleGradientMatchesFiniteDifference(t *testing.T) {
	in := newInstance(t, 9, 40, "scale gradient")
	e, weight := placed(in, 2)
	scales, grad := []float64{2, 1}, make([]float64, 3)
	for _, c := range []struct {
		name string
		f    func(scales []float64) float64
		make func()
	}{
		{"the code as it is", func(scales []float64) float64 { return weightedFit(in, withScales(t, in.kernels, scales), weight) }, func() { e.Fit(in.x) }},
		{"the coefficients eliminated", func(scales []float64) float64 {
			e.SetKernels(withScales(t, in.kernels, scales))
			e.Refit(in.x)
			return floats.Dot(weight, e.Residuals())
		}, func() { e.Refit(in.x) }},
	} {
		c.make()
		e.ScaleGradient(grad, in.x, weight)
		if err := checks.GradientError(c.f, scales, grad[:2], 1e-5); !(err < 1e-6) {
			t.Errorf("%s: off by %g", c.name, err)
		}
		if grad[2] != 0 {
			t.Errorf("a polynomial has derivative %g by its scale", grad[2])
		}
	}
}

// series returns directions that are Chebyshev polynomials, for each kernel.
func series(lambda []float64, kernels, degree int) [][][]float64 {
	basis := make([][]float64, degree+1)
	for k := range basis {
		for _, l := range lambda {
			basis[k] = append(basis[k], math.Cos(float64(k)*math.Acos(max(-1, min(1, l-1)))))
		}
	}
	directions := make([][][]float64, kernels)
	for s := range directions {
		directions[s] = basis
	}
	return directions
}

// moved adds θ, Chebyshev coefficients kernel by kernel, to the kernels.
func moved(t *testing.T, ks []kernel.Kernel, theta []float64, degree int) []kernel.Kernel {
	t.Helper()
	out := make([]kernel.Kernel, len(ks))
	for s, k := range ks {
		c := k.Series()
		for len(c) <= degree {
			c = append(c, 0)
		}
		floats.Add(c[:degree+1], theta[s*(degree+1):(s+1)*(degree+1)])
		var err error
		if out[s], err = kernel.FromSeries("moved", c); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestKernelNormalIsTheFitAsAQuadraticForm(t *testing.T) {
	const degree = 3
	in := newInstance(t, 8, 70, "kernel normal")
	e, weight := placed(in, 2)
	e.Fit(in.x)
	size := len(in.kernels) * (degree + 1)
	hess, grad := make([]float64, size*size), make([]float64, size)
	e.KernelNormalEquations(hess, grad, series(e.Eigenvalues(), len(in.kernels), degree), in.x, weight, false)

	r, theta := rng.Stream(*seed, "theta"), make([]float64, size)
	for k := range theta {
		theta[k] = r.NormFloat64()
	}
	th := mat.NewVecDense(size, theta)
	want := weightedFit(in, moved(t, in.kernels, theta, degree), weight)
	got := weightedFit(in, in.kernels, weight) + 2*floats.Dot(grad, theta) + mat.Inner(th, mat.NewDense(size, size, hess), th)
	if math.Abs(got-want) > 1e-10*want {
		t.Errorf("the form says %g, the fit is %g", got, want)
	}
}

// With the coefficients eliminated the gradient is exact, and so is the second
// derivative where the residual is zero.
func TestEliminatedKernelNormalEquations(t *testing.T) {
	const degree, h = 2, 1e-5
	in := newInstance(t, 8, 30, "eliminated normal")
	n, m := in.y.Dims()
	size := len(in.kernels) * (degree + 1)
	hess, grad := make([]float64, size*size), make([]float64, size)

	e, weight := placed(in, 1)
	eliminated := func(e *Spectral) func(theta []float64) float64 {
		return func(theta []float64) float64 {
			e.SetKernels(moved(t, in.kernels, theta, degree))
			e.Refit(in.x)
			return floats.Dot(weight, e.Residuals())
		}
	}
	e.Refit(in.x)
	directions := series(e.Eigenvalues(), len(in.kernels), degree)
	e.KernelNormalEquations(hess, grad, directions, in.x, weight, true)
	floats.Scale(2, grad)
	if err := checks.GradientError(eliminated(e), make([]float64, size), grad, h); !(err < 1e-6) {
		t.Errorf("gradient off by %g", err)
	}

	d := must(Dense(in.graph().Laplacian(), in.kernels))
	in.y = mat.NewDense(n, m, nil)
	in.y.Mul(d, in.x.Dense())
	e, weight = placed(in, 1)
	e.Refit(in.x)
	e.KernelNormalEquations(hess, grad, directions, in.x, weight, true)
	f, theta := eliminated(e), make([]float64, size)
	for k := range theta {
		theta[k] = h
		up := f(theta)
		theta[k] = -h
		if got, want := hess[k*size+k], (up+f(theta))/(2*h*h); math.Abs(got-want) > 1e-3*(want+1) {
			t.Errorf("second derivative %d: %g, want %g", k, got, want)
		}
		theta[k] = 0
	}
}

func TestThreadsDoNotChangeABit(t *testing.T) {
	in := newInstance(t, 9, 70, "threads")
	var first []float64
	for _, threads := range []int{1, 3, 16} {
		e, weight := placed(in, threads)
		x, grad := in.x.Clone(), make([]float64, in.pairs.Len())
		f := e.Refit(x)
		e.Gradient(grad, x, weight)
		hess, slope := make([]float64, 81), make([]float64, 9)
		e.KernelNormalEquations(hess, slope, series(e.Eigenvalues(), 3, 2), x, weight, true)
		if all := slices.Concat([]float64{f}, grad, hess, slope); first == nil {
			first = all
		} else if !slices.Equal(all, first) {
			t.Errorf("%d threads give other bits", threads)
		}
	}
}
