package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
)

// With three rows, a partial correlation is that of what the third leaves of two, once a ridge is
// added to their variances: a tenth, or three over the number of signals.
func TestPartialCorrelationsOfThreeRows(t *testing.T) {
	for m, ridge := range map[int]float64{200: 0.1, 20: 0.15} {
		draw := rng.Stream(4, "partial")
		y := mat.NewDense(3, m, nil)
		for k := range m {
			c := draw.NormFloat64()
			y.Set(0, k, c+draw.NormFloat64())
			y.Set(1, k, c-draw.NormFloat64())
			y.Set(2, k, c)
		}
		part := standardisedPart(y, 0, m)
		r := func(i, j int) float64 {
			if i == j {
				return 1 + ridge
			}
			return linalg.Dot(linalg.Row(part, i), linalg.Row(part, j)) / float64(m)
		}
		got := partialCorrelations(part)
		for k, p := range [][3]int{{1, 0, 2}, {2, 0, 1}, {2, 1, 0}} {
			i, j, l := p[0], p[1], p[2]
			want := (r(i, j)*r(l, l) - r(i, l)*r(j, l)) / math.Sqrt((r(i, i)*r(l, l)-r(i, l)*r(i, l))*(r(j, j)*r(l, l)-r(j, l)*r(j, l)))
			if math.Abs(got[k]-want) > 1e-12 {
				t.Errorf("%d signals, rows %d and %d: got %g, want %g", m, i, j, got[k], want)
			}
		}
	}
}

// Halves of a chain agree on it, those of noise by no more than chance, and those of a chain
// that is seen through a random walk less than those of its steps.
func TestHalvesAgreeOnWhatIsThere(t *testing.T) {
	const n, m = 20, 600
	draw := rng.Stream(4, "agreement")
	noise, chain, walk := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	for k := range m {
		for i := range n {
			e := draw.NormFloat64()
			noise.Set(i, k, e)
			if i > 0 {
				e = 0.7*chain.At(i-1, k) + 0.7*e
			}
			chain.Set(i, k, e)
			if walk.Set(i, k, e); k > 0 {
				walk.Set(i, k, e+walk.At(i, k-1))
			}
		}
	}
	var got []float64
	for _, y := range []*mat.Dense{noise, chain, walk} {
		a, err := Agreement(t.Context(), y)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a)
	}
	if math.Abs(got[0]) > 3/math.Sqrt(n*(n-1)/2) || got[1] < 0.8 || got[2] > got[1]-0.2 {
		t.Errorf("noise %.2f, chain %.2f, walk %.2f", got[0], got[1], got[2])
	}
}
