package gsp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
)

// joinShare is how strongly a graph that is not connected is tied together: every
// non-constant signal costs at least this share of the mean degree.
const joinShare = 0.01

// kernelOf returns the pseudo-inverse of D − W, scaled to trace N. Of a graph that
// is not connected, L gets ε(I − 11ᵀ/N) added, a weak edge between all pairs, so that
// only constants have kernel zero.
func kernelOf(g *graph.Graph, threads linalg.Threads) (kernel linalg.Dense, joined bool, err error) {
	n := g.Vertices()
	_, components := g.Components()
	joined = components > 1
	var meanDegree float64
	for _, d := range g.Degrees() {
		meanDegree += d / float64(n)
	}
	l, eigen := g.CombinatorialLaplacian(), linalg.NewEigen(n)
	eigen.Threads = threads
	for i := range n {
		for j := i; j < n; j++ {
			v := l.At(i, j) / meanDegree // in units that neither over- nor underflow
			if joined {
				v -= joinShare / float64(n)
				if i == j {
					v += joinShare
				}
			}
			eigen.Vectors.Data[i*n+j] = v
		}
	}
	if err := eigen.Factorize(); err != nil {
		return linalg.Dense{}, joined, fmt.Errorf("combine: %w", err)
	}
	var trace float64
	for _, e := range eigen.Values[1:] { // the first is that of constants
		trace += 1 / e
	}
	half := linalg.NewDense(n, n) // V·diag(√(N/(trace·e)))
	for k, e := range eigen.Values[1:] {
		scale := math.Sqrt(float64(n) / (trace * e))
		for i := range n {
			half.Data[i*n+k+1] = scale * eigen.Vectors.Data[i*n+k+1]
		}
	}
	kernel = linalg.NewDense(n, n)
	threads.MulTransB(kernel, half, half)
	return kernel, joined, nil
}

// A combineProblem is kernels of graphs and labels.
type combineProblem struct {
	threads linalg.Threads
	n       int
	kernels []linalg.Dense
	labels  *mat.Dense
}

// mixed returns Σ q_k K_k on some rows and columns.
func (p *combineProblem) mixed(q []float64, rows, columns []int) linalg.Dense {
	sum := linalg.NewDense(len(rows), len(columns))
	for k, weight := range q {
		if weight == 0 {
			continue
		}
		for a, i := range rows {
			from, into := linalg.Row(p.kernels[k], i), linalg.Row(sum, a)
			for b, j := range columns {
				into[b] += weight * from[j]
			}
		}
	}
	return sum
}

// part returns one kernel on some vertices.
func (p *combineProblem) part(k int, vertices []int) linalg.Dense {
	q := make([]float64, len(p.kernels))
	q[k] = 1
	return p.mixed(q, vertices, vertices)
}
