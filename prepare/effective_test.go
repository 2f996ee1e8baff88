package prepare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nervure/nervure/internal/matrix"

	"gonum.org/v1/gonum/mat"
)

// wander returns rows that follow x_{k+1} = φ x_k + noise, with variance 1.
func wander(n, m int, phi float64, stream uint64) *mat.Dense {
	r := rand.New(rand.NewPCG(*seed, stream))
	y := mat.NewDense(n, m, nil)
	for i := range n {
		x := r.NormFloat64()
		for k := range m {
			y.Set(i, k, x)
			x = phi*x + math.Sqrt(1-phi*phi)*r.NormFloat64()
		}
	}
	return y
}

// The correlation of such a series at lag k is φ^k, so that its m observations
// count as m(1 − φ)/(1 + φ).
func TestEffectiveObservationsOfAnAutoregression(t *testing.T) {
	for _, phi := range []float64{0, 0.5, 0.9} {
		y := wander(41, 4000, phi, 21)
		r := rand.New(rand.NewPCG(*seed, 23))
		holes := apply(y, func(_, _ int, v float64) float64 {
			if r.Float64() < 0.5 {
				return nan
			}
			return v
		})
		want := 4000 * (1 - phi) / (1 + phi)
		if got := EffectiveObservations(y); math.Abs(got/want-1) > 0.15 {
			t.Errorf("φ = %g: got %g, want about %g", phi, got, want)
		}
		// With half of them missing at random, so are three of four pairs at each lag.
		want = 2000 / (1 + 0.5*2*phi/(1-phi))
		if got := EffectiveObservations(holes); math.Abs(got/want-1) > 0.15 {
			t.Errorf("φ = %g, half of it missing: got %g, want about %g", phi, got, want)
		}
	}
}

func TestEffectiveObservationsHaveBounds(t *testing.T) {
	alternating := mat.NewDense(1, 100, nil)
	ramp := mat.NewDense(1, 100, nil)
	for k := range 100 {
		alternating.Set(0, k, float64(1-2*(k%2)))
		ramp.Set(0, k, float64(k))
	}
	if got := EffectiveObservations(alternating); got != 100 {
		t.Errorf("alternating: got %g", got)
	}
	if got := EffectiveObservations(ramp); got < 1 || got > 5 {
		t.Errorf("a ramp: got %g", got)
	}
	if got := EffectiveObservations(mat.NewDense(3, 7, nil)); got != 7 {
		t.Errorf("zeros: got %g", got)
	}
}

func TestAutocorrelationMatchesItsSum(t *testing.T) {
	x := wander(1, 37, 0.7, 22).RawRowView(0)
	gaps := append([]float64{}, x...)
	for k := range gaps {
		if k%4 == 1 {
			gaps[k] = nan
		}
	}
	for _, x := range [][]float64{x, gaps} {
		z, m := standardised(x, matrix.Describe(x)), len(x)
		lag := func(k int) (sum float64) {
			for i := 0; i+k < m; i++ {
				if p := z[i] * z[i+k]; !math.IsNaN(p) {
					sum += p
				}
			}
			return sum
		}
		for k, got := range autocorrelation(x) {
			if want := lag(k) / lag(0); math.Abs(got-want) > 1e-12 {
				t.Errorf("lag %d: got %g, want %g", k, got, want)
			}
		}
	}
}

// Student's law has closed forms for one and two degrees of freedom, and its
// statistic is √(n − 1)·mean/sd with the divisor n in sd.
func TestStudentTailHasItsClosedForms(t *testing.T) {
	two := []float64{3, 4}
	r := matrix.Describe(two)
	if want := 1 - 2/math.Pi*math.Atan(7); math.Abs(studentTail(r, 2)-want) > 1e-12 {
		t.Errorf("got %g, want %g", studentTail(r, 2), want)
	}
	three := []float64{2, 4, 9}
	s := 5 / math.Sqrt(13.0/3) // the mean over √(s²/3), where s² = (9 + 1 + 16)/2
	if got, want := studentTail(matrix.Describe(three), 3), 1-s/math.Sqrt(2+s*s); math.Abs(got-want) > 1e-12 {
		t.Errorf("got %g, want %g", got, want)
	}
}

// Longer rows than a Fourier transform can take are judged by how they start.
func TestEffectiveObservationsOfALongRowScaleWithItsLength(t *testing.T) {
	const phi, length = 0.5, 40000
	x := wander(1, length, phi, 29).RawRowView(0)
	want := length * (1 - phi) / (1 + phi)
	if got := effectiveOf(x, length/4); math.Abs(got/want-1) > 0.25 {
		t.Errorf("got %g, want about %g", got, want)
	}
	clear(x[:length/4])
	if got := effectiveOf(x, length/4); got != length {
		t.Errorf("a start that does not vary says nothing, but got %g of %d", got, length)
	}
}
