package field

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
	"gonum.org/v1/gonum/stat"

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
		m.Scales = append(m.Scales, 0.3*draw.NormFloat64())
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
	for i := range n {
		for j := i; j < n; j++ {
			sigma.SetSym(i, j, sigma.At(i, j)*math.Exp(-m.Scales[i]-m.Scales[j]))
		}
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
		e := newEvaluation(moments, 1000, 1)
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
		m.ridge = 0.01
		f := newFit(newEvaluation(moments, 1000, 1), m)
		f.scales = true
		for i := range f.begin {
			f.begin[i] = 0.1 // so that scales cost
		}
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
		e := newEvaluation(moments, 1000, 1)
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

// signals returns rows whose second moments are those given.
func signals(moments *mat.SymDense) linalg.Dense {
	n := moments.SymmetricDim()
	var factor mat.Cholesky
	if !factor.Factorize(moments) {
		panic("not positive definite")
	}
	var l mat.TriDense
	factor.LTo(&l)
	y := linalg.NewDense(n, n)
	for i := range n {
		for j := range i + 1 {
			y.Data[j*n+i] = l.At(i, j) * math.Sqrt(float64(n))
		}
	}
	return y
}

// If signals are a field, those of the root have the inverse of Θ as their moments: of diffusion
// that of Θ plus a multiple of the identity.
func TestRootIsAFieldOfOrderOne(t *testing.T) {
	const n = 9
	for _, k := range kernels {
		m, _ := drawn(n, k)
		m.Noise = 0
		y := signals(dense(m))
		f := &Fitted{Model: *m, e: newEvaluation(momentsOf(y, 1), 1000, 1)}
		turn, err := f.Root()
		if err != nil {
			t.Fatal(err)
		}
		rooted := linalg.NewDense(n, n)
		linalg.Mul(rooted, y, turn)
		got := momentsOf(rooted, 1)
		var inverse mat.Dense
		if err := inverse.Inverse(mat.NewDense(n, n, got.Data)); err != nil {
			t.Fatal(err)
		}
		theta := linalg.NewDense(n, n)
		m.theta(theta)
		shift := 0.0
		if k == Heat {
			shift = inverse.At(0, 0) - theta.Data[0]
		}
		for i := range n {
			for j := range n {
				want := theta.Data[i*n+j]
				if i == j {
					want += shift
				}
				if math.Abs(inverse.At(i, j)-want) > 1e-7 {
					t.Errorf("%v (%d, %d): got %g, want %g", k, i, j, inverse.At(i, j), want)
				}
			}
		}
	}
}

// Injections of different size into a network in equilibrium are scales of the signals.
func TestExcitationsOfDifferentSizeAreFound(t *testing.T) {
	const n, count = 30, 6000
	draw := rng.Stream(2, "excitations")
	m := &Model{Diagonal: slices.Repeat([]float64{0.1}, n)}
	for i := range n {
		for _, step := range []int{1, 2} {
			j := (i + step) % n
			m.Pairs, m.Weights = append(m.Pairs, Pair{min(i, j), max(i, j)}), append(m.Weights, 0.5+draw.Float64())
		}
	}
	theta := linalg.NewDense(n, n)
	m.theta(theta)
	var inverse mat.Dense
	if err := inverse.Inverse(mat.NewDense(n, n, theta.Data)); err != nil {
		t.Fatal(err)
	}
	size := make([]float64, n)
	for i := range size {
		size[i] = math.Exp(0.5 * draw.NormFloat64())
	}
	y := linalg.NewDense(count, n)
	for k := range count {
		z := mat.NewVecDense(n, nil)
		for i := range n {
			z.SetVec(i, size[i]*draw.NormFloat64())
		}
		var v mat.VecDense
		v.MulVec(&inverse, z)
		copy(linalg.Row(y, k), v.RawVector().Data)
	}
	f, err := Fit(t.Context(), y, Kernel{2}, nil, count, 1)
	if err != nil {
		t.Fatal(err)
	}
	if f.Misfit > GoodFit {
		t.Errorf("the misfit is %g", f.Misfit)
	}
	for i := range size {
		size[i] = math.Log(size[i])
	}
	// A factor that changes little from one vertex to the next may as well be one of the weights.
	local := func(x []float64) []float64 {
		d := make([]float64, n)
		for i := range d {
			d[i] = x[i] - (x[(i+n-2)%n]+x[(i+n-1)%n]+x[(i+1)%n]+x[(i+2)%n])/4
		}
		return d
	}
	if same := stat.Correlation(local(f.Scales), local(size), nil); same < 0.9 {
		t.Errorf("scales %.3g of sizes %.3g: correlation %.3g", f.Scales, size, same)
	}
}

func TestAModelWithoutASpectrumIsLeftAlone(t *testing.T) {
	for _, k := range kernels {
		m, moments := drawn(6, k)
		m.Weights[2] = math.Inf(1)
		before := m.clone()
		newEvaluation(moments, 30, 1).calibrate(m)
		if !slices.Equal(m.Diagonal, before.Diagonal) || !slices.Equal(m.Weights, before.Weights) || m.Noise != before.Noise {
			t.Errorf("%s: got %+v, want %+v", k, m, before)
		}
	}
}
