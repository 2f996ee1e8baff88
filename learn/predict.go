package learn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/sparse"
)

// Predict returns y with its missing entries, NaN, replaced by what the model
// says they are on the graph g, whose vertices are the rows of y: each signal is
// coded by the entries it has, and the codes tell the others. The model must have
// kernels and a sparsity.
func Predict(g *graph.Graph, m Model, y *mat.Dense, threads int) (*mat.Dense, error) {
	if err := checkFinite(y, g.Names()); err != nil {
		return nil, err
	}
	unit := unitOf(y)
	spectral, code, err := coded(g, m, inUnits(y, unit), threads)
	if err != nil {
		return nil, err
	}
	filled := mat.DenseCopyOf(y)
	n, signals := y.Dims()
	predicted := make([]float64, n)
	for s := range signals {
		spectral.Synthesise(predicted, code, s)
		for i, v := range predicted {
			if math.IsNaN(y.At(i, s)) {
				filled.Set(i, s, v*unit)
			}
		}
	}
	return filled, nil
}

// coded codes signals on a graph.
func coded(g *graph.Graph, m Model, y *mat.Dense, threads int) (*dictionary.Spectral, *sparse.Code, error) {
	_, signals := y.Dims()
	atoms := g.Vertices() * len(m.Kernels)
	coder, err := sparse.NewCoder(atoms, sparse.Options{Method: sparse.Beam, Sparsity: m.Sparsity, Threads: threads})
	if err != nil {
		return nil, nil, err
	}
	spectral := dictionary.NewSpectral(y, m.Kernels, threads)
	pairs, w := dictionary.EdgesOf(g)
	spectral.SetPairs(pairs)
	if err := spectral.At(w); err != nil {
		return nil, nil, err
	}
	problem, code := sparse.EmptyProblem(atoms, signals), sparse.NewCode(atoms, signals, m.Sparsity)
	spectral.Problem(problem)
	coder.Encode(problem, code)
	spectral.Refit(code)
	return spectral, code, nil
}

// Signals returns y, from which the result was learned, as its codes see it: if
// Options.RemoveCommonMode says so, with the mean of each signal, over the vertices that
// vary, taken out of these; else y itself.
func (r *Result) Signals(y *mat.Dense) *mat.Dense {
	screening, err := signals.Screen("learn", y, r.Options.Names)
	if !r.Options.RemoveCommonMode || err != nil {
		return y
	}
	data := prepare(y, screening.Vertices)
	rest := data.withoutCommonMode()
	out := mat.DenseCopyOf(y)
	for k, i := range data.vertices {
		for c, s := range data.signals {
			out.Set(i, s, rest.y.At(k, c)*data.unit)
		}
	}
	return out
}
