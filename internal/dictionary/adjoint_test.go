package dictionary

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
)

// adjoint returns f = ‖D(L(w))·X − Y‖²_F and ∂f/∂w over the pairs by running
// Clenshaw's recurrence for D·X forwards and its adjoint backwards:
//
//	G = sym( Σ_{k<K} ε_k T_k(C)(2R)·Z_{k+1}ᵀ ),   ε_0 = 1, ε_k = 2,
//
// with C = L − I. No eigenvector is computed: a route of its own to what Spectral
// finds. The result is the derivative that moves W_ij and W_ji together, twice the
// Frobenius gradient that [maretic2017] prints with the opposite sign.
func (in instance) adjoint(testing.TB) (float64, []float64) {
	n, signals := in.y.Dims()
	d, s, c := make([]float64, n), make([]float64, n), make([]float64, n)
	in.pairs.Degrees(d, in.w)
	inverseRoots(s, d)
	shifted := shiftedLaplacian(in.pairs, in.w, s)
	series := paddedSeries(in.kernels)

	z := recurrence{sum: linalg.NewDense(n, signals)}
	for range len(series[0]) + 1 { // all are needed on the way back
		z.z = append(z.z, linalg.NewDense(n, signals))
	}
	z.clenshaw(shifted, func(dst linalg.Dense, k int) {
		for m := range signals {
			atom, coef := in.x.Column(m)
			for q, j := range atom {
				kernel, vertex := int(j)/n, int(j)%n
				dst.Data[vertex*dst.Stride+m] += series[kernel][k] * coef[q]
			}
		}
	})
	r := z.sum
	for i := range n {
		floats.Sub(linalg.Row(r, i), in.y.RawRowView(i))
	}
	f := floats.Dot(r.Data, r.Data)
	floats.Scale(2, r.Data)
	grad := make([]float64, in.pairs.Len())
	var t forward
	for k := range len(series[0]) - 1 {
		left, right := t.next(shifted, r), z.z[k+1]
		half := 1.0 // ε_k/2, the half from sym
		if k == 0 {
			half = 0.5
		}
		for e := range grad {
			i, j := int(in.pairs.I[e]), int(in.pairs.J[e])
			grad[e] += half * (floats.Dot(linalg.Row(left, i), linalg.Row(right, j)) +
				floats.Dot(linalg.Row(left, j), linalg.Row(right, i)))
		}
	}
	in.pairs.chain(grad, in.w, d, s, c)
	return f, grad
}
