package dictionary

import (
	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/sparse"
)

// refitScratch is one worker's memory for least squares on small supports.
type refitScratch struct {
	atoms []float64 // the support's atoms in the eigenbasis, by rows
	gram  []float64
}

// fit computes the residual of signal m, which is y in the eigenbasis, into res and
// returns its energy, after solving for the coefficients if refit is set. res may be
// y.
func (r *refitScratch) fit(e *Spectral, x *sparse.Code, m int, y, res []float64, refit bool) float64 {
	atom, coef := x.Column(m)
	n := e.n
	r.room(len(atom), n)
	for q, j := range atom {
		floats.MulTo(r.atom(q, n), e.response[int(j)/n], linalg.Row(e.eig.Vectors, int(j)%n))
	}
	return r.residual(res, coef, y, refit)
}

// room makes room for t atoms of length n.
func (r *refitScratch) room(t, n int) {
	if len(r.atoms) < t*n {
		r.atoms, r.gram = make([]float64, t*n), make([]float64, t*t)
	}
}

func (r *refitScratch) atom(q, n int) []float64 { return r.atoms[q*n : (q+1)*n] }

// residual sets res = Σ coef·atom − y, after solving for the coefficients if
// refit is set, and returns its energy. res may be y.
func (r *refitScratch) residual(res, coef, y []float64, refit bool) float64 {
	n := len(y)
	if refit {
		r.solve(coef, y, n)
	}
	for i, v := range y {
		res[i] = -v
	}
	for q, c := range coef {
		linalg.Axpy(c, r.atom(q, n), res)
	}
	return linalg.Dot(res, res)
}

// solve sets coef to the least-squares coefficients of y in the atoms.
func (r *refitScratch) solve(coef, y []float64, n int) {
	t := len(coef)
	for i := range t {
		for j := range i + 1 {
			r.gram[i*t+j] = linalg.Dot(r.atom(i, n), r.atom(j, n))
		}
		coef[i] = linalg.Dot(r.atom(i, n), y)
	}
	sparse.SolveNormalEquations(r.gram, coef)
}
