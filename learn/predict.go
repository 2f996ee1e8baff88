package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/sparse"
)

// Predict returns y with its missing entries, NaN, replaced by what the model
// says they are on the graph g, whose vertices are the rows of y: each signal is
// coded by the entries it has, and the codes tell the others.
func Predict(g *graph.Graph, m Model, y *mat.Dense, threads int) (*mat.Dense, error) {
	n, signals := y.Dims()
	atoms := n * len(m.Kernels)
	coder, err := sparse.NewCoder(atoms, sparse.Options{Method: sparse.Beam, Sparsity: m.Sparsity, Threads: threads})
	if err != nil {
		return nil, err
	}
	spectral := dictionary.NewSpectral(y, m.Kernels, threads)
	pairs, w := dictionary.EdgesOf(g)
	spectral.SetPairs(pairs)
	if err := spectral.At(w); err != nil {
		return nil, err
	}
	problem, code := sparse.EmptyProblem(atoms, signals), sparse.NewCode(atoms, signals, m.Sparsity)
	spectral.Problem(problem)
	coder.Encode(problem, code)
	spectral.Refit(code)
	return fillIn(y, spectral, code), nil
}

// fillIn returns y with what is missing taken from the code.
func fillIn(y *mat.Dense, spectral *dictionary.Spectral, code *sparse.Code) *mat.Dense {
	filled := mat.DenseCopyOf(y)
	n, signals := y.Dims()
	said := make([]float64, n)
	for s := range signals {
		spectral.Synthesise(said, code, s)
		for i, v := range said {
			if math.IsNaN(y.At(i, s)) {
				filled.Set(i, s, v)
			}
		}
	}
	return filled
}
