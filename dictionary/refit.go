package dictionary

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/sparse"
)

// refitScratch is one worker's memory for least squares on small supports.
type refitScratch struct {
	atoms []float64 // the support's atoms in the eigenbasis, by rows
	gram  []float64
}

// fit computes the residual of signal m into e.rhat and returns its energy,
// after solving for the coefficients if refit is set.
func (r *refitScratch) fit(e *Spectral, x *sparse.Code, m int, refit bool) float64 {
	atom, coef := x.Column(m)
	t, n := len(atom), e.n
	if len(r.atoms) < t*n {
		r.atoms, r.gram = make([]float64, t*n), make([]float64, t*t)
	}
	y := linalg.Row(e.yhat, m)
	for q, j := range atom {
		floats.MulTo(r.atoms[q*n:(q+1)*n], e.response[int(j)/n], linalg.Row(e.eig.Vectors, int(j)%n))
	}
	if refit {
		r.solve(coef, y, n)
	}
	res := linalg.Row(e.rhat, m)
	for i, v := range y {
		res[i] = -v
	}
	for q, c := range coef {
		linalg.Axpy(c, r.atoms[q*n:(q+1)*n], res)
	}
	return linalg.Dot(res, res)
}

// solve sets coef to the least-squares coefficients of y in the atoms.
func (r *refitScratch) solve(coef, y []float64, n int) {
	t := len(coef)
	atom := func(q int) []float64 { return r.atoms[q*n : (q+1)*n] }
	for i := range t {
		for j := range i + 1 {
			r.gram[i*t+j] = linalg.Dot(atom(i), atom(j))
		}
		coef[i] = linalg.Dot(atom(i), y)
	}
	sparse.SolveNormal(r.gram, coef)
}
