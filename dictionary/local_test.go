package dictionary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/sparse"
)

// localCase is a small problem: sparse random weights over candidate pairs.
func localCase(t *testing.T, n, m int, seed uint64) (Pairs, []float64, *mat.Dense, *sparse.Code, []kernel.Kernel) {
	t.Helper()
	r := rng.Stream(seed, "local")
	p := Pairs{N: n}
	var w []float64
	for i := range n {
		for j := i + 1; j < n; j++ {
			if r.Float64() < 8/float64(n) {
				p.I, p.J = append(p.I, int32(i)), append(p.J, int32(j))
				w = append(w, max(0, r.Float64()-0.2))
			}
		}
	}
	low, err := kernel.Heat(2, 15, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	high, err := kernel.HighPass(1, 15, kernel.Taylor)
	if err != nil {
		t.Fatal(err)
	}
	y := mat.NewDense(n, m, nil)
	for i := range n {
		for k := range m {
			y.Set(i, k, r.NormFloat64())
		}
	}
	x := sparse.NewCode(2*n, m, 3)
	for k := range m {
		a := r.IntN(2 * n)
		x.SetColumn(k, []int32{int32(a), int32((a + 7) % (2 * n)), int32((a + n) % (2 * n))},
			[]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	return p, w, y, x, []kernel.Kernel{low, high}
}

func TestLocalAgreesWithSpectral(t *testing.T) {
	pairs, w, y, x, kernels := localCase(t, 40, 30, 1)
	spectral := NewSpectral(y, kernels, 1)
	spectral.SetPairs(pairs)
	local := NewLocal(y, kernels, LocalOptions{Threads: 2})
	local.SetPairs(pairs)
	if err := spectral.At(w); err != nil {
		t.Fatal(err)
	}
	if err := local.Place(w); err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, 30)
	for k := range weight {
		weight[k] = float64(k%5) / 3
	}
	for _, refit := range []bool{false, true} {
		a, b := x.Clone(), x.Clone()
		fa, fb := spectral.fit(a, refit), local.fit(b, refit)
		if math.Abs(fa-fb) > 1e-10*fa {
			t.Errorf("refit %v: fit %v, spectral %v", refit, fb, fa)
		}
		ga, gb := make([]float64, len(w)), make([]float64, len(w))
		spectral.Gradient(ga, a, weight)
		local.Gradient(gb, b, weight)
		var scale float64
		for _, v := range ga {
			scale = max(scale, math.Abs(v))
		}
		for k := range ga {
			if math.Abs(ga[k]-gb[k]) > 1e-9*scale {
				t.Fatalf("refit %v: derivative %d is %v, spectral %v", refit, k, gb[k], ga[k])
			}
		}
	}
}
