package metrics

import (
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/sparse"
)

// DenseSupport is [Support] of codes that are matrices, as in files. Matrices of
// different sizes are an [*input.Error].
func DenseSupport(found, truth mat.Matrix) (Score, error) {
	rows, cols := found.Dims()
	wantRows, wantCols := truth.Dims()
	if rows != wantRows || cols != wantCols {
		return Score{}, input.Completef("metrics.DenseSupport", "codes",
			"the codes are %d×%d, but the ground-truth codes are %d×%d: do they belong to the same signals, vertices and kernels?", rows, cols, wantRows, wantCols)
	}
	return Support(sparse.FromDense(found), sparse.FromDense(truth))
}

// Support scores the non-zeros of the codes found against those of truth,
// pooled over all signals: one entry, one vote, as in [maretic2017], section 4.
// Entries whose coefficient is exactly zero do not count. Atoms are matched by
// position, so both codes must belong to the same kernels and vertex order.
func Support(found, truth *sparse.Code) (Score, error) {
	atoms, signals := truth.Dims()
	gotAtoms, gotSignals := found.Dims()
	if gotAtoms != atoms {
		return Score{}, input.Errorf("metrics.Support", "atoms", "got %d, want %d", gotAtoms, atoms)
	}
	if gotSignals != signals {
		return Score{}, input.Errorf("metrics.Support", "signals", "got %d, want %d", gotSignals, signals)
	}
	var nFound, nTruth, correct int
	used := make([]bool, atoms) // by the true code of the signal at hand
	for m := range signals {
		trueAtom, trueCoef := truth.Column(m)
		for k, j := range trueAtom {
			if trueCoef[k] != 0 {
				used[j] = true
				nTruth++
			}
		}
		atom, coef := found.Column(m)
		for k, j := range atom {
			if coef[k] != 0 {
				nFound++
				if used[j] {
					correct++
				}
			}
		}
		for _, j := range trueAtom {
			used[j] = false
		}
	}
	return newScore(nFound, nTruth, correct), nil
}
