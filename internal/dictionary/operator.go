package dictionary

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/kernel"
)

// An Operator multiplies by D and Dᵀ without building D: K products of the
// sparse shifted Laplacian C = L − I = −A with its argument, in Chebyshev
// recurrences (T_{k+1} = 2C·T_k − T_{k−1}). Its memory is that of the edges.
type Operator struct {
	n       int
	shifted *linalg.CSR
	series  [][]float64 // c_sk, padded to one length
}

// NewOperator returns the dictionary of the kernels on g.
func NewOperator(g *graph.Graph, kernels []kernel.Kernel) (*Operator, error) {
	if err := input.Negative("dictionary.NewOperator", input.Graph, g.Negative(), "atoms need"); err != nil {
		return nil, err
	}
	pairs, w := EdgesOf(g)
	if pairs.N == 0 || len(kernels) == 0 {
		return nil, noAtoms("dictionary.NewOperator", pairs.N, len(kernels))
	}
	s := make([]float64, pairs.N)
	inverseRoots(s, g.Degrees())
	return &Operator{n: pairs.N, shifted: shiftedLaplacian(pairs, w, s), series: paddedSeries(kernels)}, nil
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

// paddedSeries returns the Chebyshev coefficients of the kernels, with zeros up
// to the highest degree.
func paddedSeries(kernels []kernel.Kernel) [][]float64 {
	degree := 1
	for _, k := range kernels {
		degree = max(degree, k.Degree())
	}
	series := make([][]float64, len(kernels))
	for s, k := range kernels {
		series[s] = make([]float64, degree+1)
		copy(series[s], k.Series())
	}
	return series
}

// Atoms returns the number of atoms J = S·N.
func (o *Operator) Atoms() int { return len(o.series) * o.n }

// Mul returns D·x for x of J rows.
func (o *Operator) Mul(x *mat.Dense) (*mat.Dense, error) {
	rows, cols := x.Dims()
	if rows != o.Atoms() {
		return nil, input.Errorf("dictionary.Mul", "rows of x", "got %d, want %d", rows, o.Atoms())
	}
	z := newRecurrence(o.n, cols, len(o.series[0]))
	raw := x.RawMatrix()
	z.clenshaw(o.shifted, func(dst linalg.Dense, k int) {
		for i := range o.n {
			row := linalg.Row(dst, i)
			for s, c := range o.series {
				floats.AddScaled(row, c[k], linalg.Row(raw, s*o.n+i))
			}
		}
	})
	return mat.NewDense(o.n, cols, z.sum.Data), nil
}

// MulTrans returns Dᵀ·r for r of N rows.
func (o *Operator) MulTrans(r *mat.Dense) (*mat.Dense, error) {
	rows, cols := r.Dims()
	if rows != o.n {
		return nil, input.Errorf("dictionary.MulTrans", "rows of r", "got %d, want %d", rows, o.n)
	}
	out := mat.NewDense(o.Atoms(), cols, nil)
	raw := out.RawMatrix()
	var t forward
	for k := range o.series[0] {
		term := t.next(o.shifted, r.RawMatrix())
		for s, c := range o.series {
			for i := range o.n {
				floats.AddScaled(linalg.Row(raw, s*o.n+i), c[k], linalg.Row(term, i))
			}
		}
	}
	return out, nil
}

// forward yields T_0(C)r, T_1(C)r, T_2(C)r, … one at a time.
type forward struct{ spare, last, now linalg.Dense }

func (f *forward) next(c *linalg.CSR, r linalg.Dense) linalg.Dense {
	if f.now.Data == nil {
		f.now = linalg.NewDense(r.Rows, r.Cols)
		for i := range r.Rows {
			copy(linalg.Row(f.now, i), linalg.Row(r, i))
		}
		return f.now
	}
	if f.last.Data == nil {
		f.last, f.now = f.now, linalg.NewDense(r.Rows, r.Cols)
		c.Mul(f.now, f.last)
		return f.now
	}
	if f.spare.Data == nil {
		f.spare = linalg.NewDense(r.Rows, r.Cols)
	}
	c.Mul(f.spare, f.now)
	for i, v := range f.last.Data {
		f.spare.Data[i] = 2*f.spare.Data[i] - v
	}
	f.spare, f.last, f.now = f.last, f.now, f.spare
	return f.now
}

// A recurrence holds the partial sums of Clenshaw's scheme for Σ_k T_k(C)·C_k:
//
//	Z_K = C_K,  Z_k = C_k + 2C·Z_{k+1} − Z_{k+2},  sum = C_0 + C·Z_1 − Z_2.
type recurrence struct {
	z   []linalg.Dense // z[k] = Z_k for k ≥ 1; z[K+1] = 0
	sum linalg.Dense
}

// newRecurrence returns room for K+1 = terms terms. Three matrices take turns,
// which is all that the sum needs.
func newRecurrence(n, cols, terms int) *recurrence {
	r := &recurrence{z: make([]linalg.Dense, terms+1), sum: linalg.NewDense(n, cols)}
	for k := 1; k < len(r.z); k++ {
		if k <= 3 {
			r.z[k] = linalg.NewDense(n, cols)
		} else {
			r.z[k] = r.z[k-3]
		}
	}
	return r
}

// clenshaw computes the Z_k and the sum; add must add C_k to its argument.
func (r *recurrence) clenshaw(c *linalg.CSR, add func(dst linalg.Dense, k int)) {
	top := len(r.z) - 2 // K
	clear(r.z[top+1].Data)
	for k := top; k >= 0; k-- {
		dst, factor := r.z[k], 2.0
		if k == 0 {
			dst, factor = r.sum, 1
		}
		c.Mul(dst, r.z[k+1])
		floats.Scale(factor, dst.Data)
		if k+2 <= top {
			floats.Sub(dst.Data, r.z[k+2].Data)
		}
		add(dst, k)
	}
}
