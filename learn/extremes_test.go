package learn_test

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn"
)

// A number of atoms that was left to choose goes by the vertices that vary: constant ones
// change nothing.
func TestFewVaryingVerticesNeedNoSparsity(t *testing.T) {
	const n, m, varying = 20, 60, 3
	random := rng.Stream(1, "few varying vertices")
	alone, among := mat.NewDense(varying, m, nil), mat.NewDense(n, m, nil)
	for i := range n {
		for s := range m {
			among.Set(i, s, 7)
			if i < varying {
				v := random.NormFloat64()
				alone.Set(i, s, v)
				among.Set(i, s, v)
			}
		}
	}
	a := must(learn.Fit(context.Background(), alone, learn.Model{}, learn.Options{}))
	b := must(learn.Fit(context.Background(), among, learn.Model{}, learn.Options{}))
	if !slices.Equal(a.Graph.Edges(), b.Graph.Edges()) || a.Model.Sparsity != b.Model.Sparsity {
		t.Errorf("alone: %v by %d atoms, among constant ones: %v by %d", a.Graph.Edges(), a.Model.Sparsity, b.Graph.Edges(), b.Model.Sparsity)
	}
}
