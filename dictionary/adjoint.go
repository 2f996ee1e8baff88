package dictionary

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// adjointBlock is how many signals are worked on at a time: it bounds the
// memory to K·N·adjointBlock numbers.
const adjointBlock = 256

// Adjoint returns f = ‖D(L(w))·X − Y‖²_F and writes ∂f/∂w over the pairs into
// grad, by running Clenshaw's recurrence for D·X forwards and its adjoint
// backwards:
//
//	G = sym( Σ_{k<K} ε_k T_k(C)(2R)·Z_{k+1}ᵀ ),   ε_0 = 1, ε_k = 2,
//
// with C = L − I. L stays sparse, no power of it is formed, and G is computed
// at the pairs only: O(K·M·(edges + pairs)) work. The result is the derivative
// that moves W_ij and W_ji together, twice the Frobenius gradient that
// [maretic2017] prints with the opposite sign.
func Adjoint(grad []float64, pairs Pairs, w []float64, kernels []kernel.Kernel, y *mat.Dense, x *sparse.Code) (float64, error) {
	n, signals := y.Dims()
	atoms, coded := x.Dims()
	for _, shape := range []solver.ShapeError{
		{What: "signal length", Got: n, Want: pairs.N},
		{What: "weights", Got: len(w), Want: pairs.Len()},
		{What: "gradient length", Got: len(grad), Want: pairs.Len()},
		{What: "atoms", Got: atoms, Want: n * len(kernels)},
		{What: "coded signals", Got: coded, Want: signals},
	} {
		if shape.Got != shape.Want {
			shape.Op = "dictionary.Adjoint"
			return 0, &shape
		}
	}
	d, s, c := make([]float64, n), make([]float64, n), make([]float64, n)
	pairs.Degrees(d, w)
	inverseRoots(s, d)
	shifted := shiftedLaplacian(pairs, w, s)
	series := paddedSeries(kernels)

	clear(grad)
	var f float64
	for lo := 0; lo < signals; lo += adjointBlock {
		hi := min(lo+adjointBlock, signals)
		z := newRecurrence(n, hi-lo, len(series[0]), true)
		z.clenshaw(shifted, func(dst linalg.Dense, k int) {
			for m := lo; m < hi; m++ {
				atom, coef := x.Column(m)
				for q, j := range atom {
					kernel, vertex := int(j)/n, int(j)%n
					dst.Data[vertex*dst.Stride+m-lo] += series[kernel][k] * coef[q]
				}
			}
		})
		r := z.sum
		for i := range n {
			row := linalg.Row(r, i)
			floats.Sub(row, y.RawRowView(i)[lo:hi])
			f += floats.Dot(row, row)
		}
		floats.Scale(2, r.Data)
		var t forward
		for k := range len(series[0]) - 1 {
			left, right := t.next(shifted, r), z.z[k+1]
			half := 1.0 // ε_k/2, the half from sym
			if k == 0 {
				half = 0.5
			}
			for e := range grad {
				i, j := int(pairs.I[e]), int(pairs.J[e])
				grad[e] += half * (floats.Dot(linalg.Row(left, i), linalg.Row(right, j)) +
					floats.Dot(linalg.Row(left, j), linalg.Row(right, i)))
			}
		}
	}
	pairs.chain(grad, w, d, s, c)
	return f, nil
}

// shiftedLaplacian returns C = L − I = −A, keeping only pairs of positive weight.
func shiftedLaplacian(pairs Pairs, w, s []float64) *linalg.CSR {
	var i, j []int32
	var v []float64
	for e, weight := range w {
		if weight > 0 {
			a, b := pairs.I[e], pairs.J[e]
			i, j, v = append(i, a), append(j, b), append(v, -weight*s[a]*s[b])
		}
	}
	return linalg.SymmetricCSR(pairs.N, i, j, v)
}
