package margins

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// elliptical draws signals of a chain with a size of their own each: √(ν/χ²ν).
func elliptical(seed uint64, n, m int, nu float64) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 3))
	z := mat.NewDense(n, m, nil)
	for k := range m {
		size := 1.0
		if !math.IsInf(nu, 1) {
			s := 0.0
			for range int(nu) {
				s += math.Pow(r.NormFloat64(), 2)
			}
			size = math.Sqrt(nu / s)
		}
		before := 0.0
		for i := range n {
			before = 0.7*before + r.NormFloat64()
			z.Set(i, k, size*before)
		}
	}
	return z
}

// At the end of the iteration the weights are those of Σ and ν, Σ is the mean of the weighed
// products, and no other ν is likelier: the equations of the maximum.
func TestStudentIsAtTheMaximum(t *testing.T) {
	for _, nu := range []float64{2, 4, math.Inf(1)} {
		z := elliptical(1, 12, 900, nu)
		s := FitStudent(z)
		if math.IsInf(nu, 1) != math.IsInf(s.Freedom, 1) || !math.IsInf(nu, 1) && (s.Freedom < 0.7*nu || s.Freedom > 1.5*nu) {
			t.Errorf("ν = %g: got %g", nu, s.Freedom)
		}
		if math.IsInf(nu, 1) {
			continue
		}
		forms, logDet, ok := s.forms(z)
		if !ok {
			t.Fatal("singular")
		}
		for k, q := range forms {
			if want := (s.Freedom + 12) / (s.Freedom + q); math.Abs(s.Weights[k]-want) > 1e-3 {
				t.Fatalf("ν = %g: weight %g, want %g", nu, s.Weights[k], want)
			}
		}
		for _, other := range freedoms {
			if studentLikelihood(forms, logDet, 12, other) > studentLikelihood(forms, logDet, 12, s.Freedom) {
				t.Errorf("ν = %g is likelier than %g", other, s.Freedom)
			}
		}
	}
}

// In one dimension with one degree of freedom it is Cauchy's density, 1/(π(1 + x²)), and with very many
// it is a Gaussian.
func TestStudentDensityInClosedForm(t *testing.T) {
	for _, x := range []float64{0, 0.5, 3} {
		got := StudentDensity(1, 1)(x*x) - math.Log(2*math.Pi)/2
		if want := -math.Log(math.Pi * (1 + x*x)); math.Abs(got-want) > 1e-12 {
			t.Errorf("x = %g: got %g, want %g", x, got, want)
		}
		if a, b := StudentDensity(3, 1e9)(x), StudentDensity(3, math.Inf(1))(x); math.Abs(a-b) > 1e-6 {
			t.Errorf("got %g, want %g", a, b)
		}
	}
}

// A few wild signals are brought in, and only these; many are not outliers.
func TestOutliersAreBroughtIn(t *testing.T) {
	z := elliptical(2, 10, 400, math.Inf(1))
	for _, k := range []int{17, 90, 251} {
		for i := range 10 {
			z.Set(i, k, 12*float64(1-2*(i%2)))
		}
	}
	s := FitStudent(z)
	if s.Outliers != 3 || !math.IsInf(s.Freedom, 1) {
		t.Errorf("got %d outliers, ν = %g", s.Outliers, s.Freedom)
	}
	for k, w := range s.Weights {
		if is := k == 17 || k == 90 || k == 251; (w < 1) != is {
			t.Errorf("signal %d has weight %g", k, w)
		}
	}
	if s := FitStudent(elliptical(2, 10, 19, 2)); !math.IsInf(s.Freedom, 1) {
		t.Errorf("too few signals: ν = %g", s.Freedom)
	}
}
