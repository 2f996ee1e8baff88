package dictionary

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/kernel"
)

// newLocal is [NewLocalRows] for the signals in the columns of y.
func newLocal(y *mat.Dense, kernels []kernel.Kernel, threads int) *Local {
	return NewLocalRows(mat.DenseCopyOf(y.T()), kernels, threads, nil)
}

// newSpectral is [NewSpectralRows] for the signals in the columns of y. Entries that are NaN
// are missing.
func newSpectral(y *mat.Dense, kernels []kernel.Kernel, threads int) *Spectral {
	yt := mat.DenseCopyOf(y.T())
	return NewSpectralRows(yt, missingIn(yt.RawMatrix()), kernels, threads, nil)
}

// missingIn lists the entries, NaN, that are missing from the signals in the rows of
// yt; nil if there are none.
func missingIn(yt linalg.Dense) [][]int32 {
	missing := make([][]int32, yt.Rows)
	none := true
	for m := range missing {
		for i, v := range linalg.Row(yt, m) {
			if math.IsNaN(v) {
				missing[m], none = append(missing[m], int32(i)), false
			}
		}
	}
	if none {
		return nil
	}
	return missing
}

// problem is the coding problem of all signals in the current dictionary.
func (e *Spectral) problem() *sparse.Problem {
	p := sparse.EmptyProblem(e.n*len(e.kernels), e.m)
	e.Atoms(p)
	e.Transform()
	e.Signals(p, matrix.Span(0, e.m))
	return p
}
