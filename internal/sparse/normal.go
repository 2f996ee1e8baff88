package sparse

import (
	"math"

	"github.com/nervure/nervure/internal/linalg"
)

// SolveNormalEquations finds least-squares coefficients: gram is the Gram matrix of atoms, of
// which the lower triangle is used and overwritten by its Cholesky factor; coef
// holds their products with the signal and receives the coefficients. An atom
// that depends on those before it gets coefficient zero.
func SolveNormalEquations(gram, coef []float64) {
	t := len(coef)
	for i := range t {
		factorRow(gram, t, i)
	}
	solveFactored(gram, t, coef)
}

// factorRow turns row i of a Gram matrix, whose rows are stride apart, into that
// of its Cholesky factor. The rows before it must be factored.
func factorRow(gram []float64, stride, i int) {
	row := gram[i*stride : i*stride+i+1]
	norm := row[i]
	for j := range i {
		other := gram[j*stride : j*stride+j+1]
		row[j] = divide(row[j]-linalg.Dot(row[:j], other[:j]), other[j])
	}
	rest := norm - linalg.Dot(row[:i], row[:i])
	row[i] = 0
	if rest > 1e-12*norm {
		row[i] = math.Sqrt(rest)
	}
}

// solveFactored solves with a Cholesky factor, in place.
func solveFactored(factor []float64, stride int, coef []float64) {
	for i := range coef {
		row := factor[i*stride : i*stride+i+1]
		coef[i] = divide(coef[i]-linalg.Dot(row[:i], coef[:i]), row[i])
	}
	for i := len(coef) - 1; i >= 0; i-- {
		row := factor[i*stride : i*stride+i+1]
		coef[i] = divide(coef[i], row[i])
		linalg.Axpy(-coef[i], row[:i], coef[:i])
	}
}

func divide(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
