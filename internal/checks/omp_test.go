package checks

import (
	"flag"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
)

var seed = flag.Uint64("seed", 1, "seed of the random cases; every seed must pass")

// On orthogonal atoms the pursuit has a closed form: the largest inner products
// with unit atoms, divided by the lengths of the atoms.
func TestLiteralOMPPicksTheLargestOfOrthogonalAtoms(t *testing.T) {
	const n, sparsity = 9, 4
	r := rng.Stream(*seed, "orthogonal")
	square := mat.NewDense(n, n, nil)
	square.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, square)
	var qr mat.QR
	qr.Factorize(square)
	var d mat.Dense
	qr.QTo(&d)
	want := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for j := range n {
		length := math.Exp(r.NormFloat64())
		product := float64(j+1) * math.Copysign(1, r.NormFloat64()) // with the unit atom
		column := mat.Col(nil, j, &d)
		for i, v := range column {
			y.Set(i, 0, y.At(i, 0)+product*v)
			d.Set(i, j, length*v)
		}
		if j >= n-sparsity {
			want.Set(j, 0, product/length)
		}
	}
	if got := LiteralOMP(&d, y, sparsity).Dense(); !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("got %v, want %v", mat.Formatted(got.T()), mat.Formatted(want.T()))
	}
}
