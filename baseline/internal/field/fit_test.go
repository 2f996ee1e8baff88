package field

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// traces returns tr((Σ⁻¹ ∂Σ/∂v)²) by weights, diagonal and the logarithm of the noise, with
// differences of the covariance: the expected second derivatives of the deviance.
func traces(t *testing.T, m *Model) []float64 {
	t.Helper()
	const step = 1e-6
	var inverse mat.Dense
	if err := inverse.Inverse(dense(m)); err != nil {
		t.Fatal(err)
	}
	var list []float64
	by := func(move func(m *Model, d float64)) {
		up, down := m.clone(), m.clone()
		move(up, step)
		move(down, -step)
		var d, slope, square mat.Dense
		d.Sub(dense(up), dense(down))
		d.Scale(1/(2*step), &d)
		slope.Mul(&inverse, &d)
		square.Mul(&slope, &slope)
		list = append(list, mat.Trace(&square))
	}
	for k := range m.Weights {
		by(func(m *Model, d float64) { m.Weights[k] += d })
	}
	for i := range m.Diagonal {
		by(func(m *Model, d float64) { m.Diagonal[i] += d })
	}
	by(func(m *Model, d float64) { m.Noise *= math.Exp(d) })
	return list
}

func TestCurvatureIsTheExpectedSecondDerivative(t *testing.T) {
	for _, k := range kernels {
		m, moments := drawn(6, k)
		m.ridge = 0.7
		f := newFit(newEvaluation(moments, 1000, 1), m)
		if !f.decompose(m) {
			t.Fatal("no covariance")
		}
		f.curvature()
		edges, n := len(m.Pairs), len(m.Diagonal)
		got := slices.Concat(f.quasi.Curvature[:edges+n], f.quasi.Curvature[edges+2*n:])
		for v, want := range traces(t, m) {
			if v < edges {
				want += 2 * m.ridge
			}
			if math.Abs(got[v]-want) > 1e-5*want {
				t.Errorf("%v, variable %d: got %g, want %g", k, v, got[v], want)
			}
		}
	}
}

// The deviance is −2s + tr(e^s·S·e^s·Σ⁻¹) by the scales s: its second derivative is the first
// plus 2 + 2·Σ⁻¹_ii·S_ii, and the first is zero on average.
func TestCurvatureOfScalesIsThatOfTheGradient(t *testing.T) {
	const step = 1e-5
	for _, k := range kernels {
		m, moments := drawn(6, k)
		f := newFit(newEvaluation(moments, math.Inf(1), 1), m) // so many signals that scales cost nothing
		f.scales = true
		if !f.decompose(m) {
			t.Fatal("no covariance")
		}
		f.curvature()
		at, up, down := make([]float64, len(f.x)), make([]float64, len(f.x)), make([]float64, len(f.x))
		f.evaluate(f.x, at)
		for i := range m.Scales {
			v := len(m.Pairs) + len(m.Diagonal) + i
			x := slices.Clone(f.x)
			x[v] += step
			f.evaluate(x, up)
			x[v] -= 2 * step
			f.evaluate(x, down)
			want := (up[v]-down[v])/(2*step) - at[v]
			if got := f.quasi.Curvature[v]; math.Abs(got-want) > 1e-6*want {
				t.Errorf("%v, scale %d: got %g, want %g", k, i, got, want)
			}
		}
	}
}

// Next to no curvature must not become a step without end.
func TestCurvatureIsNeverNothing(t *testing.T) {
	m, moments := drawn(6, Kernel{2})
	m.Noise = 1e-12
	f := newFit(newEvaluation(moments, 1000, 1), m)
	if !f.decompose(m) {
		t.Fatal("no covariance")
	}
	f.curvature()
	if least, most := floats.Min(f.quasi.Curvature), floats.Max(f.quasi.Curvature); least != 1e-12*most {
		t.Errorf("got %g to %g", least, most)
	}
}

func TestDensitiesAreThoseOfADenseGaussian(t *testing.T) {
	const n = 7
	for _, k := range kernels {
		m, moments := drawn(n, k)
		draw := rng.Stream(3, "densities")
		wide := linalg.NewDense(4, n+2) // rows need not follow each other
		for i := range wide.Data {
			wide.Data[i] = draw.NormFloat64()
		}
		y := linalg.Dense{Rows: 4, Cols: n, Stride: n + 2, Data: wide.Data}
		var factor mat.Cholesky
		if !factor.Factorize(dense(m)) {
			t.Fatal("not positive definite")
		}
		f := newFit(newEvaluation(moments, 1000, 1), m)
		if !f.renew() {
			t.Fatal("no covariance")
		}
		for row, got := range f.densities(y) {
			x := mat.NewVecDense(n, slices.Clone(linalg.Row(y, row)[:n]))
			var solved mat.VecDense
			if err := factor.SolveVecTo(&solved, x); err != nil {
				t.Fatal(err)
			}
			if want := -(factor.LogDet() + mat.Dot(x, &solved)) / 2; math.Abs(got-want) > 1e-9*math.Abs(want) {
				t.Errorf("%v, row %d: got %g, want %g", k, row, got, want)
			}
		}
	}
}

// Signals are impossible under a model that is none.
func TestDensitiesWithoutAModelAreNone(t *testing.T) {
	m, moments := drawn(5, Kernel{2})
	for i := range m.Diagonal {
		m.Diagonal[i] = -1
	}
	f := newFit(newEvaluation(moments, 1000, 1), m)
	if f.renew() {
		t.Fatal("a matrix that is not positive definite has a power")
	}
	for _, v := range f.densities(linalg.NewDense(3, 5)) {
		if !math.IsInf(v, -1) {
			t.Errorf("got %g", v)
		}
	}
}

// The field sinks below the blurred noise σ²·√(N/M) at that to the power −1/α, or half of its
// negative logarithm for heat, whose frequencies count from their least.
func TestReachIsWhereNoiseTakesOver(t *testing.T) {
	const n, observations = 9, 400
	for _, k := range kernels {
		m, moments := drawn(n, k)
		theta := linalg.NewDense(n, n)
		m.theta(theta)
		matrix := mat.NewDense(n, n, theta.Data)
		edge, mean := 0.05*math.Sqrt(n/float64(observations)), mat.Trace(matrix)/n
		want := math.Pow(edge, -1/k.Order) / mean
		if k == Heat {
			var eigen mat.EigenSym
			eigen.Factorize(mat.NewSymDense(n, theta.Data), false)
			least := slices.Min(eigen.Values(nil))
			want = (-math.Log(edge)/2 - least) / (mean - least)
		}
		if got := newEvaluation(moments, observations, 1).reach(m); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%v: got %g, want %g", k, got, want)
		}
	}
	m, moments := drawn(n, Kernel{2})
	m.Diagonal[0] = math.Inf(1)
	if got := newEvaluation(moments, observations, 1).reach(m); got != 0 {
		t.Errorf("a model that is none reaches %g", got)
	}
}

// A model takes the weights of the pairs that it shares with another, and what is not of pairs.
func TestAModelTakesWhatAnotherHas(t *testing.T) {
	m := &Model{
		Kernel: Kernel{2}, Pairs: []Pair{{0, 1}, {0, 2}, {1, 2}}, Weights: []float64{7, 7, 7},
		Diagonal: []float64{7, 7, 7}, Scales: []float64{0, 0, 0}, Noise: 7,
	}
	near := &Model{
		Kernel: Kernel{4}, Pairs: []Pair{{1, 2}, {0, 1}}, Weights: []float64{3, 6},
		Diagonal: []float64{0.1, 0.2, 0.3}, Scales: []float64{1, 1, 1}, Noise: 0.5,
	}
	m.take(near, 50)
	if !slices.Equal(m.Weights, []float64{6, 0, 3}) || !slices.Equal(m.Diagonal, near.Diagonal) || m.Noise != 0.5 || m.Kernel != (Kernel{2}) {
		t.Errorf("got %+v", m)
	}
	// The usual weight is 2·9/(3·4) = 1.5.
	if want := 0.1 / (50 * 1.5 * 1.5); math.Abs(m.ridge-want) > 1e-15 {
		t.Errorf("a weight costs %g, want %g", m.ridge, want)
	}
	if m.Diagonal[0] = 1; near.Diagonal[0] != 0.1 {
		t.Error("the diagonals are one")
	}
}
