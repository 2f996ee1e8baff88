package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/must"
)

// fieldSignals returns signals of the covariance AAᵀ, with A = noise(n, n, "root").
func fieldSignals(n, m int) *mat.Dense {
	a, z, y := noise(n, n, "root"), noise(n, m, "full"), mat.NewDense(n, m, nil)
	y.Mul(a, z)
	return y
}

// What each signal is worth by all others is the density of the model that is fitted to
// these, without one in the sums.
func TestLeavingOneOutIsFittingWithoutIt(t *testing.T) {
	const n, m, a = 5, 12, 0.03
	y := fieldSignals(n, m)
	sums := linalg.NewDense(n, n)
	z := linalg.Dense{Rows: n, Cols: m, Stride: m, Data: y.RawMatrix().Data}
	linalg.MulTransB(sums, z, z)
	got, ok := leaveOneOut(sums, z, a)
	want := 0.0
	for k := range m {
		rest := matrix.Columns(y, without1(m, k))
		var s mat.Dense
		s.Mul(rest, rest.T())
		s.Scale((1-a)/float64(m-1), &s)
		for i := range n {
			s.Set(i, i, s.At(i, i)+a)
		}
		var inverse mat.Dense
		if err := inverse.Inverse(&s); err != nil {
			t.Fatal(err)
		}
		want -= (math.Log(mat.Det(&s)) + mat.Inner(y.ColView(k), &inverse, y.ColView(k))) / 2
	}
	if !ok || math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("got %.12g, %v, want %.12g", got, ok, want)
	}
}

func without1(m, k int) []int {
	all := matrix.Span(0, m)
	return append(all[:k:k], all[k+1:]...)
}

// The density is in the units of the signals: that of signals twice as large is smaller by
// log 2 for each vertex. It comes near that of the true model, which no signals were
// needed for.
func TestAFullGaussianIsInTheUnitsOfSignals(t *testing.T) {
	const n, m = 6, 4000
	y := fieldSignals(n, m)
	density := func(y *mat.Dense) float64 {
		model := must.Get(FullGaussian(y))
		d := must.Get(model.LogDensity(y))
		sum := 0.0
		for _, v := range d {
			sum += v / m
		}
		return sum
	}
	var twice, a, c mat.Dense
	twice.Scale(2, y)
	one := density(y)
	if got, want := density(&twice), one-n*math.Ln2; math.Abs(got-want) > 1e-9 {
		t.Errorf("twice as large: %g, want %g", got, want)
	}
	a.CloneFrom(noise(n, n, "root"))
	c.Mul(&a, a.T())
	if want := -(math.Log(mat.Det(&c)) + n) / 2; math.Abs(one-want) > 0.1 {
		t.Errorf("%g nats per signal, and %g by the true model", one, want)
	}
}

func TestAFullGaussianNeedsSignals(t *testing.T) {
	if _, err := FullGaussian(mat.NewDense(3, 1, nil)); err == nil {
		t.Error("one signal is enough")
	}
	if _, err := FullGaussian(fieldSignals(8, 3)); err != nil { // fewer signals than vertices will do
		t.Error(err)
	}
}
