package dictionary

import (
	"math"

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
		floats.AddScaled(res, c, r.atoms[q*n:(q+1)*n])
	}
	return floats.Dot(res, res)
}

// solve sets coef to the least-squares coefficients of y in the atoms, by
// Cholesky on their Gram matrix. An atom that depends on those before it gets
// coefficient zero.
func (r *refitScratch) solve(coef, y []float64, n int) {
	t := len(coef)
	atom := func(q int) []float64 { return r.atoms[q*n : (q+1)*n] }
	for i := range t {
		norm := floats.Dot(atom(i), atom(i))
		for j := range i + 1 {
			sum := norm
			if j < i {
				sum = floats.Dot(atom(i), atom(j))
			}
			for k := range j {
				sum -= r.gram[i*t+k] * r.gram[j*t+k]
			}
			switch {
			case j < i && r.gram[j*t+j] > 0:
				r.gram[i*t+j] = sum / r.gram[j*t+j]
			case j < i:
				r.gram[i*t+j] = 0
			case sum > 1e-12*norm:
				r.gram[i*t+i] = math.Sqrt(sum)
			default:
				r.gram[i*t+i] = 0
			}
		}
	}
	for q := range coef {
		coef[q] = floats.Dot(atom(q), y)
	}
	for i := range t {
		for k := range i {
			coef[i] -= r.gram[i*t+k] * coef[k]
		}
		coef[i] = divide(coef[i], r.gram[i*t+i])
	}
	for i := t - 1; i >= 0; i-- {
		for k := i + 1; k < t; k++ {
			coef[i] -= r.gram[k*t+i] * coef[k]
		}
		coef[i] = divide(coef[i], r.gram[i*t+i])
	}
}

func divide(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
