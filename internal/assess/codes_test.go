package assess

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/must"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// The bound is the density of the Gaussian of the coding set, with the covariance
// written out, less what it takes to name the set.
func TestCodeDensityIsThatOfItsSet(t *testing.T) {
	const n, sparsity = 6, 2
	r := rng.Stream(*rankSeed, "codes")
	y, tree := treeSignals(r, n, 40)
	kernels := learn.PaperModel().Kernels
	m := must.Get(newCodeModel(y, tree, kernels, sparsity, 1))
	model := must.Get(CodeModel(y, tree, kernels, sparsity, 1))
	got := must.Get(model.LogDensity(y))
	_, atoms := m.d.Dims()
	_, code, err := m.code(y)
	if err != nil {
		t.Fatal(err)
	}
	for k := range got {
		atom, _ := code.Column(k)
		cov := mat.NewDense(n, n, nil)
		for i := range n {
			cov.Set(i, i, m.noise)
			for j := range n {
				for _, a := range atom {
					cov.Set(i, j, cov.At(i, j)+m.strength*m.d.At(i, int(a))*m.d.At(j, int(a)))
				}
			}
		}
		var inverse mat.Dense
		if err := inverse.Inverse(cov); err != nil {
			t.Fatal(err)
		}
		sets := 1.0
		for q := range atom {
			sets *= float64(atoms-q) / float64(q+1)
		}
		want := -(math.Log(mat.Det(cov))+mat.Inner(y.ColView(k), &inverse, y.ColView(k)))/2 - math.Log(sets*(sparsity+1))
		if math.Abs(got[k]-want) > 1e-6*(1+math.Abs(want)) {
			t.Fatalf("signal %d: got %g, want %g", k, got[k], want)
		}
	}
}
