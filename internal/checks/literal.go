// Package checks is for tests: slow and literal ways to an answer that the
// library finds faster, and measures of how far the two are apart.
package checks

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/sparse"
)

// GradientError compares grad with central differences of f at x and returns
//
//	‖grad − differences‖₂ / ‖differences‖₂
//
// using step h in every coordinate. x is restored before it returns.
func GradientError(f func(x []float64) float64, x, grad []float64, h float64) float64 {
	var diff, norm float64
	for i, xi := range x {
		x[i] = xi + h
		up := f(x)
		x[i] = xi - h
		down := f(x)
		x[i] = xi
		d := (up - down) / (2 * h)
		diff += (grad[i] - d) * (grad[i] - d)
		norm += d * d
	}
	return math.Sqrt(diff / norm)
}

// LiteralOMP is orthogonal matching pursuit step by step as [maretic2017]
// words it: scale the atoms of d to unit norm, pick the atom most correlated
// with the residual, refit all coefficients by least squares (QR), stop at
// sparsity atoms, and scale the coefficients back so that D·X is unchanged. A
// residual at [sparse.DefaultTolerance] of the signal's energy ends it early.
func LiteralOMP(d, y *mat.Dense, sparsity int) *sparse.Code {
	n, atoms := d.Dims()
	_, signals := y.Dims()
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
	code := sparse.NewCode(atoms, signals, sparsity)
	for m := range signals {
		signal := y.ColView(m)
		residual := mat.VecDenseCopyOf(signal)
		enough := math.Sqrt(sparse.DefaultTolerance) * mat.Norm(signal, 2)
		var chosen []int32
		var coef mat.VecDense
		for len(chosen) < sparsity && mat.Norm(residual, 2) > enough {
			var corr mat.VecDense
			corr.MulVec(unit.T(), residual)
			for _, j := range chosen {
				corr.SetVec(int(j), 0)
			}
			grown := append(slices.Clone(chosen), strongest(corr.RawVector().Data))
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
		column := make([]float64, len(chosen))
		for q, j := range chosen {
			column[q] = coef.AtVec(q) / norm[j]
		}
		code.SetColumn(m, chosen, column)
	}
	return code
}

// strongest returns the index of the entry of largest absolute value.
func strongest(x []float64) int32 {
	at, top := 0, 0.0
	for j, v := range x {
		if a := math.Abs(v); a > top {
			at, top = j, a
		}
	}
	return int32(at)
}
