package learn

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/sparse"
)

// Encode codes signals on a graph that is known or was learned, whose vertices are
// the rows of y: it returns the codes X and the signals D·X that they stand for,
// which are y without what few atoms cannot explain. Missing entries of y, NaN,
// have no part in its codes. The model must have kernels and a sparsity.
func Encode(g *graph.Graph, m Model, y *mat.Dense, threads int) (codes *sparse.Code, explained *mat.Dense, err error) {
	if err := m.check(g, y); err != nil {
		return nil, nil, err
	}
	unit := unitOf(y)
	engine, inUnit, err := coded(g, m, inUnits(y, unit), threads)
	if err != nil {
		return nil, nil, err
	}
	n, signals := y.Dims()
	atoms, _ := inUnit.Dims()
	codes, explained = sparse.NewCode(atoms, signals, m.Sparsity), mat.NewDense(n, signals, nil)
	column := make([]float64, n)
	for s := range signals {
		engine.Synthesise(column, inUnit, s)
		for i, v := range column {
			explained.Set(i, s, v*unit)
		}
		atom, coef := inUnit.Column(s)
		scaled := make([]float64, len(coef))
		for q, c := range coef {
			scaled[q] = c * unit
		}
		codes.SetColumn(s, atom, scaled)
	}
	return codes, explained, nil
}
