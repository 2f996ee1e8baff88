package sparse

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/solver"
)

// LiteralOMP is orthogonal matching pursuit step by step as [maretic2017]
// words it: scale the atoms of d to unit norm, pick the atom most correlated
// with the residual, refit all coefficients by least squares (QR), stop at
// sparsity atoms, and scale the coefficients back so that D·X is unchanged. A
// residual at DefaultTolerance of the signal's energy ends it early.
//
// It is the yardstick for the method OMP, which gives the same codes many times
// faster from inner products.
func LiteralOMP(d, y *mat.Dense, sparsity int) (*Code, error) {
	n, atoms := d.Dims()
	rows, signals := y.Dims()
	if rows != n {
		return nil, &solver.ShapeError{Op: "sparse.LiteralOMP", What: "signal length", Got: rows, Want: n}
	}
	unit := mat.DenseCopyOf(d)
	norm := make([]float64, atoms)
	for j := range atoms {
		norm[j] = mat.Norm(unit.ColView(j), 2)
		if norm[j] > 0 {
			column := mat.Col(nil, j, unit)
			floats.Scale(1/norm[j], column)
			unit.SetCol(j, column)
		}
	}
	code := NewCode(atoms, signals, sparsity)
	for m := range signals {
		signal := y.ColView(m)
		residual := mat.VecDenseCopyOf(signal)
		enough := math.Sqrt(DefaultTolerance) * mat.Norm(signal, 2)
		var chosen []int32
		var coef mat.VecDense
		for len(chosen) < sparsity && mat.Norm(residual, 2) > enough {
			var corr mat.VecDense
			corr.MulVec(unit.T(), residual)
			for _, j := range chosen {
				corr.SetVec(int(j), 0)
			}
			grown := append(slices.Clone(chosen), int32(strongest(corr.RawVector().Data)))
			sub := mat.NewDense(n, len(grown), nil)
			for q, j := range grown {
				sub.SetCol(q, mat.Col(nil, int(j), unit))
			}
			var refit mat.VecDense
			if err := refit.SolveVec(sub, signal); err != nil {
				break // the newcomer depends on the others
			}
			chosen, coef = grown, refit
			residual.MulVec(sub, &coef)
			residual.SubVec(signal, residual)
		}
		for q, j := range chosen {
			code.append(m, int(j), coef.AtVec(q)/norm[j])
		}
	}
	return code, nil
}
