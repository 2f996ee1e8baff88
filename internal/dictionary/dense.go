package dictionary

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/kernel"
)

// Dense returns the atoms of the kernels on the graph with Laplacian lap, an
// N×SN matrix, through the eigendecomposition of lap.
func Dense(lap mat.Symmetric, kernels []kernel.Kernel) (*mat.Dense, error) {
	n := lap.SymmetricDim()
	if n == 0 || len(kernels) == 0 {
		return nil, noAtoms("dictionary.Dense", n, len(kernels))
	}
	eig := linalg.NewEigen(n)
	for i := range n {
		for j := i; j < n; j++ {
			eig.Vectors.Data[i*n+j] = lap.At(i, j)
		}
	}
	if err := eig.Factorize(); err != nil {
		return nil, fmt.Errorf("dictionary.Dense: %w", err)
	}
	d := mat.NewDense(n, len(kernels)*n, nil)
	scaled := linalg.NewDense(n, n)
	for s, k := range kernels {
		scaleColumns(scaled, eig.Vectors, evaluate(nil, k, eig.Values))
		block := d.Slice(0, n, s*n, (s+1)*n).(*mat.Dense).RawMatrix()
		linalg.MulTransB(block, scaled, eig.Vectors)
	}
	return d, nil
}

func noAtoms(op string, vertices, kernels int) error {
	return input.Errorf(op, "", "%d vertices and %d kernels make no atoms", vertices, kernels)
}

// evaluate appends p(λ) for each λ to dst.
func evaluate(dst []float64, k kernel.Kernel, lambda []float64) []float64 {
	for _, l := range lambda {
		dst = append(dst, k.Eval(l))
	}
	return dst
}

// scaleColumns sets dst = a·diag(factor).
func scaleColumns(dst, a linalg.Dense, factor []float64) {
	for i := range a.Rows {
		to, from := linalg.Row(dst, i), linalg.Row(a, i)
		for j, f := range factor {
			to[j] = from[j] * f
		}
	}
}
