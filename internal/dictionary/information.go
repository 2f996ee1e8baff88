package dictionary

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/sparse"
)

// AddInformation adds to info, a symmetric matrix over the pairs, the information
// that the given signals carry about the logarithms of the weights: JᵀJ, where column
// e of J is the derivative of the residuals by log w_e, each signal's relative to its
// norm and with the coefficients eliminated. Where the fit is exact, the null space
// of J holds the changes of the weights that the signals cannot see.
//
// With directions, as KernelNormalEquations takes them, info continues over the
// parameters of the kernels; nil means none.
//
// At must have been called, and x must be the code of the current weights. Signals
// that are zero are skipped.
func (e *Spectral) AddInformation(info []float64, x *sparse.Code, signals []int, directions [][][]float64) {
	n, size := e.n, e.pairs.Len()
	for _, along := range directions {
		size += len(along)
	}
	shift := make([]float64, n) // eigenvalues of A = I − L
	for a, l := range e.eig.Values {
		shift[a] = 1 - l
	}
	phi := make([]linalg.Dense, len(e.kernels))
	for s, k := range e.kernels {
		phi[s] = linalg.NewDense(n, n)
		e.divided(k, e.response[s], func(a, c int, d float64) {
			phi[s].Data[a*n+c], phi[s].Data[c*n+a] = d, d
		})
	}
	into := linalg.Dense{Rows: size, Cols: size, Stride: size, Data: info}
	j := linalg.NewDense(size, n)
	for _, m := range signals {
		if e.energy[m] > 0 {
			e.jacobian(j, x, m, phi, shift)
			e.alongKernels(j, x, m, directions)
			e.threads.AddMulTransB(into, j, j)
		}
	}
}

// jacobian fills the rows of j with the derivatives of the residual of signal m,
// in the eigenbasis, by the logarithms of the weights. With v_a = V[a,:],
//
//	Vᵀ(∂L/∂w_ij)V = −s_i s_j (v_i v_jᵀ + v_j v_iᵀ) + t_i + t_j,
//	t_a = (μ∘v_a v_aᵀ + v_a (μ∘v_a)ᵀ)/(2d_a),   μ = 1 − λ,
//
// and (Φ∘(u zᵀ))·x = u∘(Φ(z∘x)): all of it follows from P_a = Φ(v_a∘x) and
// Q_a = Φ(μ∘v_a∘x), summed over the kernels.
func (e *Spectral) jacobian(j linalg.Dense, x *sparse.Code, m int, phi []linalg.Dense, shift []float64) {
	n, v := e.n, e.eig.Vectors
	atom, coef := x.Column(m)
	p, q := linalg.NewDense(n, n), linalg.NewDense(n, n)
	scaled := linalg.NewDense(n, n)
	for s := range e.kernels {
		xhat := make([]float64, n) // VᵀX_s
		for k, a := range atom {
			if int(a)/n == s {
				floats.AddScaled(xhat, coef[k], linalg.Row(v, int(a)%n))
			}
		}
		scaleColumns(scaled, v, xhat)
		e.threads.AddMul(p, scaled, phi[s])
		floats.Mul(xhat, shift)
		scaleColumns(scaled, v, xhat)
		e.threads.AddMul(q, scaled, phi[s])
	}
	// q becomes t_a·x.
	for a := range n {
		va, pa, qa := linalg.Row(v, a), linalg.Row(p, a), linalg.Row(q, a)
		half := 0.0
		if e.d[a] > 0 {
			half = 1 / (2 * e.d[a])
		}
		for k := range qa {
			qa[k] = half * va[k] * (shift[k]*pa[k] + qa[k])
		}
	}
	basis := e.supportBasis(atom, m)
	unit := 1 / math.Sqrt(e.energy[m])
	linalg.ForEach(int(e.threads), len(e.w), func(_, k int) {
		w := e.w[k]
		i, l := int(e.pairs.I[k]), int(e.pairs.J[k])
		vi, vl, pi, pl, ti, tl := linalg.Row(v, i), linalg.Row(v, l), linalg.Row(p, i), linalg.Row(p, l), linalg.Row(q, i), linalg.Row(q, l)
		row, ss := linalg.Row(j, k), e.s[i]*e.s[l]
		for a := range row {
			row[a] = w * unit * (ti[a] + tl[a] - ss*(vi[a]*pl[a]+vl[a]*pi[a]))
		}
		if e.missing != nil {
			e.missing.project(row, v, m)
		}
		for _, b := range basis {
			linalg.Axpy(-linalg.Dot(row, b), b, row)
		}
	})
}

// alongKernels fills the rows of j after those of the pairs with the derivatives
// by the parameters of the kernels.
func (e *Spectral) alongKernels(j linalg.Dense, x *sparse.Code, m int, directions [][][]float64) {
	if directions == nil {
		return
	}
	atom, _ := x.Column(m)
	basis := e.supportBasis(atom, m)
	unit, xhat := 1/math.Sqrt(e.energy[m]), make([]float64, e.n)
	row := e.pairs.Len()
	for s, along := range directions {
		e.share(xhat, x, m, s)
		for _, d := range along {
			to := linalg.Row(j, row)
			row++
			floats.MulTo(to, d, xhat)
			floats.Scale(unit, to)
			if e.missing != nil {
				e.missing.project(to, e.eig.Vectors, m)
			}
			for _, b := range basis {
				linalg.Axpy(-linalg.Dot(to, b), b, to)
			}
		}
	}
}

// supportBasis returns an orthonormal basis of the span of the atoms of signal
// m, in the eigenbasis of L or, if entries are missing, on those observed.
func (e *Spectral) supportBasis(atom []int32, m int) [][]float64 {
	var basis [][]float64
	for _, a := range atom {
		u := make([]float64, e.n)
		if e.missing != nil {
			e.missing.atom(u, int(a), m)
		} else {
			floats.MulTo(u, e.response[int(a)/e.n], linalg.Row(e.eig.Vectors, int(a)%e.n))
		}
		before := floats.Norm(u, 2)
		for range 2 { // the second pass removes what rounding left
			for _, b := range basis {
				floats.AddScaled(u, -portable.Dot(u, b), b)
			}
		}
		if norm := floats.Norm(u, 2); norm > 1e-10*before {
			floats.Scale(1/norm, u)
			basis = append(basis, u)
		}
	}
	return basis
}
