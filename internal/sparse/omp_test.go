package sparse_test

import (
	"flag"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/checks"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
)

// Atoms of very different lengths, and signals that are not sparse in them.
func TestBatchOMPIsLiteralOMP(t *testing.T) {
	const n, atoms, signals, sparsity = 12, 30, 40, 5
	r := rng.Stream(flag.Lookup("seed").Value.(flag.Getter).Get().(uint64), "literal")
	normal := func(_, _ int, scale float64) float64 { return scale * r.NormFloat64() }
	d, y := mat.NewDense(n, atoms, nil), mat.NewDense(n, signals, nil)
	for j := range atoms {
		scale := math.Exp(r.NormFloat64())
		for i := range n {
			d.Set(i, j, scale)
		}
	}
	d.Apply(normal, d)
	y.Apply(func(i, j int, _ float64) float64 { return normal(i, j, 1) }, y)

	p, err := sparse.NewProblem(d, y)
	if err != nil {
		t.Fatal(err)
	}
	coder, err := sparse.NewCoder(atoms, sparse.Options{Method: sparse.OMP, Sparsity: sparsity})
	if err != nil {
		t.Fatal(err)
	}
	got := sparse.NewCode(atoms, signals, sparsity)
	coder.Encode(p, got)
	if want := checks.LiteralOMP(d, y, sparsity); !mat.EqualApprox(got.Dense(), want.Dense(), 1e-9) {
		t.Error("Batch-OMP and OMP by residuals and QR differ")
	}
}
