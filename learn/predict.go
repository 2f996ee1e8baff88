package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/canonical"
	"github.com/nervure/nervure/learn/internal/fitting"
)

// Predict returns y with its missing entries, NaN, replaced by what the model
// says they are on the graph g, whose vertices are the rows of y: each signal is
// coded by the entries it has, and the codes tell the others. The model must have
// kernels and a sparsity.
func Predict(g *graph.Graph, m Model, y *mat.Dense, threads int) (*mat.Dense, error) {
	_, explained, err := Encode(g, m, y, threads)
	if err != nil {
		return nil, err
	}
	filled := mat.DenseCopyOf(y)
	filled.Apply(func(i, s int, v float64) float64 {
		if math.IsNaN(v) {
			return explained.At(i, s)
		}
		return v
	}, filled)
	return filled, nil
}

// coded codes signals by a model on a graph, each with no more atoms than it takes until
// the energy of its residual is at the floor.
func coded(g *graph.Graph, m Model, data canonical.Signals, floor float64, threads int) (*fitting.DenseEngine, *sparse.Code, error) {
	e := fitting.NewDense(data, fitting.Model(m), cores(threads), nil)
	pairs, w := dictionary.EdgesOf(g)
	if err := e.Place(pairs, w); err != nil {
		return nil, nil, err
	}
	code := sparse.NewCode(e.AtomCount, data.Count(), m.Sparsity)
	coder := e.Coder(fitting.CoderSetting{Method: sparse.Beam})
	if floor > 0 {
		coder = e.NoiseCoder(m.Sparsity, floor)
	}
	e.EncodeWith(coder, code, nil)
	e.Refit(code)
	return e, code, nil
}
