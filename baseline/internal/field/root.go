package field

import (
	"cmp"
	"math"
	"slices"

	"github.com/nervure/nervure/internal/linalg"
)

// A Pair is two vertices that may have an edge.
type Pair struct{ I, J int }

// A root is what a covariance says of Θ if the field has some kernel: the matrix whose
// kernel has that covariance, entry by entry with its variance over samples of one
// observation, by the delta method. For order one it is the inverse, and the variance of an
// entry is that of a partial correlation.
type root struct {
	theta, variance linalg.Dense
}

// spectrum is the eigendecomposition of second moments.
type spectrum struct {
	values  []float64 // ascending, none below a share of the largest
	vectors linalg.Dense
}

// spectrumOf decomposes second moments. Values that rounding has made too small are
// raised.
func spectrumOf(s linalg.Dense, threads linalg.Threads) (*spectrum, error) {
	e := linalg.NewEigen(s.Rows)
	e.Threads = threads
	copyInto(e.Vectors, s)
	if err := e.Factorize(); err != nil {
		return nil, err
	}
	least := leastShare * e.Values[len(e.Values)-1]
	for k, v := range e.Values {
		e.Values[k] = max(v, least)
	}
	return &spectrum{e.Values, e.Vectors}, nil
}

// root returns the root of the moments for a kernel.
func (s *spectrum) root(k Kernel, threads linalg.Threads) root {
	n := len(s.values)
	f, g := make([]float64, n), make([]float64, n)
	for a, v := range s.values {
		f[a] = k.frequency(v)
		g[a] = k.frequencySlope(v, f[a])
	}
	weights, squares := linalg.NewDense(n, n), linalg.NewDense(n, n)
	for a := range n {
		row := linalg.Row(weights, a)
		differences(row, s.values, f, g, a)
		for b := range row {
			row[b] *= row[b] * s.values[a] * s.values[b]
		}
	}
	for k, v := range s.vectors.Data {
		squares.Data[k] = v * v
	}
	r := root{theta: compose(s.vectors, f, threads), variance: linalg.NewDense(n, n)}
	half := linalg.NewDense(n, n)
	threads.Mul(half, squares, weights)
	threads.MulTransB(r.variance, half, squares)
	return r
}

// candidates returns the pairs whose entry of the root is the furthest below zero in
// standard errors, at most that many, by their vertices.
func (r root) candidates(most int) []Pair {
	type scored struct {
		Pair
		score float64
	}
	var list []scored
	n := r.theta.Rows
	for i := range n {
		theta, variance := linalg.Row(r.theta, i), linalg.Row(r.variance, i)
		for j := i + 1; j < n; j++ {
			if theta[j] < 0 {
				list = append(list, scored{Pair{i, j}, theta[j] / math.Sqrt(variance[j])})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	list = list[:min(len(list), most)]
	pairs := make([]Pair, len(list))
	for k, s := range list {
		pairs[k] = s.Pair
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return pairs
}

// compose returns V·diag(f)·Vᵀ.
func compose(v linalg.Dense, f []float64, threads linalg.Threads) linalg.Dense {
	n := v.Rows
	scaled, c := linalg.NewDense(n, n), linalg.NewDense(n, n)
	for i := range n {
		from, to := linalg.Row(v, i), linalg.Row(scaled, i)
		for a, x := range from {
			to[a] = x * f[a]
		}
	}
	threads.MulTransB(c, scaled, v)
	return c
}

func copyInto(to, from linalg.Dense) {
	for i := range from.Rows {
		copy(linalg.Row(to, i), linalg.Row(from, i))
	}
}
