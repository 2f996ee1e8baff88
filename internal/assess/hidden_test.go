package assess

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Of two vertices with correlation ρ, one predicts ρ² of the variance of the other; the
// least ridge takes little of that, and others nothing to speak of is left of noise.
func TestHiddenShareOfTwoVertices(t *testing.T) {
	const m = 20000
	r := rand.New(rand.NewPCG(5, 1))
	for _, rho := range []float64{0, 0.5, 0.9} {
		y := mat.NewDense(2, m, nil)
		for k := range m {
			a := r.NormFloat64()
			y.Set(0, k, a)
			y.Set(1, k, 7+3*(rho*a+math.Sqrt(1-rho*rho)*r.NormFloat64()))
		}
		got, err := HiddenShare(t.Context(), y)
		if err != nil {
			t.Fatal(err)
		}
		// With a ridge β = ρ/(1 + 0.3) and the error is 1 − 2βρ + β².
		beta := rho / 1.3
		if want := 2*beta*rho - beta*beta; math.Abs(got-want) > 0.02 {
			t.Errorf("ρ = %g: got %g, want %g", rho, got, want)
		}
	}
}

// The errors of the regression are those of solving for each row in turn.
func TestRidgeErrorsAreThoseOfRegressions(t *testing.T) {
	const n, m, ridge = 5, 40, 0.7
	r := rand.New(rand.NewPCG(5, 2))
	y := mat.NewDense(n, m, nil)
	for i := range n {
		for k := range m {
			y.Set(i, k, r.NormFloat64()+0.5*y.At(max(i-1, 0), k))
		}
	}
	z := standardisedPart(y, 0, m)
	c := momentsOf(z)
	var eigen mat.EigenSym
	eigen.Factorize(c, true)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	got := ridgeErrors(&vectors, eigen.Values(nil), ridge, z)

	want := 0.0
	for i := range n {
		var others []int
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		a, b := mat.NewDense(n-1, n-1, nil), mat.NewVecDense(n-1, nil)
		for p, j := range others {
			for q, l := range others {
				a.Set(p, q, c.At(j, l))
			}
			a.Set(p, p, a.At(p, p)+ridge)
			b.SetVec(p, c.At(j, i))
		}
		var beta mat.VecDense
		if err := beta.SolveVec(a, b); err != nil {
			t.Fatal(err)
		}
		for k := range m {
			e := z.Data[i*m+k]
			for p, j := range others {
				e -= beta.AtVec(p) * z.Data[j*m+k]
			}
			want += e * e
		}
	}
	if math.Abs(got/want-1) > 1e-10 {
		t.Errorf("got %g, want %g", got, want)
	}
}
