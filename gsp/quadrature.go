package gsp

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/internal/linalg"
)

// lanczosSteps is enough for filters 1/(1 + τe) with τe up to some hundreds.
const lanczosSteps = 60

// A measure stands for the energy of a signal by frequency: vᵀf(L)v is about
// Σ weights·f(nodes), and exactly for polynomials f of a degree below twice the
// number of nodes.
type measure struct{ nodes, weights []float64 }

// mean returns the mean of vᵀf(L)v over the signals of the measures.
func mean(measures []measure, f func(frequency float64) float64) float64 {
	var sum float64
	for _, q := range measures {
		for k, node := range q.nodes {
			sum += q.weights[k] * f(node)
		}
	}
	return sum / float64(len(measures))
}

// measuresOf finds the measure of each signal by Lanczos' method: the nodes and
// weights of Gauss quadrature are those of the tridiagonal matrix that L is on the
// space of v, Lv, L²v, …. If ctx ends the result has no meaning.
func (l *Laplacian) measuresOf(ctx context.Context, y *mat.Dense) []measure {
	n, m := y.Dims()
	measures := make([]measure, m)
	steps := min(n, lanczosSteps)
	l.byColumns(m, func(columns columnRange) {
		diagonal, beside := l.tridiagonal(ctx, columns.of(y.RawMatrix()), steps)
		for k := range columns.count {
			measures[columns.first+k] = gauss(diagonal, beside, k)
		}
	})
	return measures
}

// tridiagonal runs Lanczos' recurrence on the columns of v. Entry [j][k] of the
// results belongs to step j and column k; beside[0] are the norms of v. A column whose
// space is exhausted has zeros from then on.
func (l *Laplacian) tridiagonal(ctx context.Context, v linalg.Dense, steps int) (diagonal, beside [][]float64) {
	last, next := linalg.NewDense(v.Rows, v.Cols), linalg.NewDense(v.Rows, v.Cols)
	least := make([]float64, v.Cols)
	beside = append(beside, normalize(v, least))
	for k := range least {
		least[k] = 1e-12 * l.bound
	}
	for j := range steps {
		if ctx.Err() != nil {
			break
		}
		l.mul(next, v)
		alpha := dots(v, next)
		for i := range v.Rows {
			row, now, before := linalg.Row(next, i), linalg.Row(v, i), linalg.Row(last, i)
			for k := range row {
				row[k] -= alpha[k] * now[k]
				if j > 0 {
					row[k] -= beside[j][k] * before[k]
				}
			}
		}
		diagonal, beside = append(diagonal, alpha), append(beside, normalize(next, least))
		last, v, next = v, next, last
	}
	return diagonal, beside
}

// normalize divides each column by its norm, and returns the norms. A column with a
// norm that is no more than the least becomes zero, and so does its norm.
func normalize(v linalg.Dense, least []float64) []float64 {
	sizes, inverse := norms(v), make([]float64, v.Cols)
	for k, size := range sizes {
		if size > least[k] {
			inverse[k] = 1 / size
		} else {
			sizes[k] = 0
		}
	}
	for i := range v.Rows {
		row := linalg.Row(v, i)
		for k := range row {
			row[k] *= inverse[k]
		}
	}
	return sizes
}

// gauss returns the nodes and weights of column k.
func gauss(diagonal, beside [][]float64, k int) measure {
	n := len(diagonal)
	eigen := linalg.NewEigen(n)
	for j := range n {
		row := linalg.Row(eigen.Vectors, j)
		row[j] = diagonal[j][k]
		if j+1 < n {
			row[j+1] = beside[j+1][k]
		}
	}
	if err := eigen.Factorize(); err != nil {
		panic(err) // of so small a matrix: a bug of ours
	}
	q := measure{eigen.Values, make([]float64, n)}
	for j, first := range linalg.Row(eigen.Vectors, 0) {
		q.nodes[j] = math.Max(q.nodes[j], 0) // but for rounding
		q.weights[j] = beside[0][k] * beside[0][k] * first * first
	}
	return q
}
