package dictionary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/sparse"
)

// lose makes that many entries of every signal missing, not the same in all.
func (in instance) lose(count int) {
	n, m := in.y.Dims()
	for s := range m {
		for k := range count {
			in.y.Set((s+3*k)%n, s, math.NaN())
		}
	}
}

// seen returns the given columns of d and column m of y on the rows where y has values.
func seen(d, y *mat.Dense, atom []int32, m int) (*mat.Dense, *mat.VecDense) {
	var rows []int
	for i := range y.RawMatrix().Rows {
		if !math.IsNaN(y.At(i, m)) {
			rows = append(rows, i)
		}
	}
	sub, column := mat.NewDense(len(rows), len(atom), nil), mat.NewVecDense(len(rows), nil)
	for k, i := range rows {
		column.SetVec(k, y.At(i, m))
		for q, j := range atom {
			sub.Set(k, q, d.At(i, int(j)))
		}
	}
	return sub, column
}

func TestRefitIsLeastSquaresOnTheObservedEntries(t *testing.T) {
	for _, lost := range []int{0, 3} {
		checkRefit(t, lost)
	}
}

func checkRefit(t *testing.T, lost int) {
	t.Helper()
	in := newInstance(t, 10, 20, "partial refit")
	in.lose(lost)
	e := newSpectral(in.y, in.kernels, 2)
	done(e.At(in.w))
	e.Refit(in.x)
	d := literal(in.graph().Laplacian(), in.kernels)
	for m, got := range e.Residuals() {
		atom, coef := in.x.Column(m)
		sub, y := seen(d, in.y, atom, m)
		var c, r mat.VecDense
		done(c.SolveVec(sub, y))
		if !mat.EqualApprox(&c, mat.NewVecDense(len(coef), coef), 1e-7*mat.Norm(&c, 2)) {
			t.Errorf("signal %d: coefficients %v, want %v", m, coef, c.RawVector().Data)
		}
		r.MulVec(sub, &c)
		r.SubVec(&r, y)
		if want := math.Pow(mat.Norm(&r, 2), 2); math.Abs(got-want) > 1e-9*(want+1) {
			t.Errorf("signal %d: residual %g, want %g", m, got, want)
		}
		if want := math.Pow(mat.Norm(y, 2), 2); math.Abs(e.SignalEnergy(m)-want) > 1e-12*want {
			t.Errorf("signal %d: energy %g, want %g", m, e.SignalEnergy(m), want)
		}
	}
}

func TestProblemMatchesDense(t *testing.T) {
	for _, lost := range []int{0, 2} {
		checkProblem(t, lost)
	}
}

func checkProblem(t *testing.T, lost int) {
	t.Helper()
	in := newInstance(t, 8, 6, "partial problem")
	in.lose(lost)
	e := newSpectral(in.y, in.kernels, 1)
	done(e.At(in.w))
	e.problem()
	got := e.problem() // memory is used again
	want := must(sparse.NewProblem(literal(in.graph().Laplacian(), in.kernels), in.y))
	compared := map[string][2][]float64{
		"Gram": {got.Gram, want.Gram}, "correlations": {got.Corr, want.Corr}, "norms": {got.Norm, want.Norm}, "energies": {got.Energy, want.Energy},
	}
	if lost > 0 {
		compared["atoms"] = [2][]float64{got.Dictionary.RawMatrix().Data, want.Dictionary.RawMatrix().Data}
	}
	for name, p := range compared {
		if relative(p[0], p[1]) > 1e-10 {
			t.Errorf("%s differ by %g", name, relative(p[0], p[1]))
		}
	}
	for m, rows := range want.Missing {
		if len(rows) != lost || len(got.Missing[m]) != lost {
			t.Errorf("signal %d: %v and %v are missing, want as many", m, got.Missing[m], rows)
		}
	}
}
