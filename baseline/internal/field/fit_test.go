package field

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

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
	m := &Model{Kernel: Kernel{2}, Pairs: []Pair{{0, 1}, {0, 2}, {1, 2}}, Weights: make([]float64, 3), Diagonal: make([]float64, 3)}
	near := &Model{Kernel: Kernel{4}, Pairs: []Pair{{1, 2}, {0, 1}}, Weights: []float64{3, 6}, Diagonal: []float64{0.1, 0.2, 0.3}, Noise: 0.5}
	m.take(near, 50)
	if !slices.Equal(m.Weights, []float64{6, 0, 3}) || !slices.Equal(m.Diagonal, near.Diagonal) || m.Noise != 0.5 || m.Kernel != (Kernel{2}) {
		t.Errorf("got %+v", m)
	}
	// The usual weight is 2·9/(3·4) = 1.5.
	if want := 0.1 / (50 * 1.5 * 1.5); math.Abs(m.ridge-want) > 1e-15 {
		t.Errorf("a weight costs %g, want %g", m.ridge, want)
	}
}
