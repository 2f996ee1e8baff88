package assess

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/run"
)

// An Apart is a model of signals of many vertices: each of them is regressed on its neighbours in a graph. What a
// [Gaussian] says of signals by their likelihood, it says by their pseudo-likelihood ([besag1975]), the product
// of the likelihoods of each vertex given its neighbours, which takes no matrix of all pairs.
type Apart struct {
	rows       []matrix.Row // of the signals it was fitted to
	neighbours [][]int
	beta       [][]float64 // of the neighbours, in units of standard deviations
	variance   []float64   // of what they leave
}

// FitApart fits the model of a graph to the columns of y. The weights of the graph do not matter. If ctx ends, what
// it and its methods return means nothing.
func FitApart(ctx context.Context, y *mat.Dense, g *graph.Graph, threads int) *Apart {
	n, _ := y.Dims()
	a := &Apart{rows: matrix.DescribeRows(y), neighbours: make([][]int, n), beta: make([][]float64, n), variance: make([]float64, n)}
	for _, e := range g.Edges() {
		a.neighbours[e.I], a.neighbours[e.J] = append(a.neighbours[e.I], e.J), append(a.neighbours[e.J], e.I)
	}
	x := a.standardised(y)
	workers := make([]apartWorker, max(threads, 1))
	linalg.ForEach(len(workers), n, func(worker, i int) {
		if ctx.Err() == nil {
			a.beta[i], a.variance[i] = workers[worker].fit(x, i, a.neighbours[i])
		}
	})
	return a
}

// LogDensity returns the log pseudo-likelihood of each column of y, without what does not depend on the model.
func (a *Apart) LogDensity(ctx context.Context, y *mat.Dense, threads int) []float64 {
	sums := a.held(ctx, y, threads)
	for t, energy := range sums.energy {
		sums.gain[t] -= energy / 2
	}
	return sums.gain
}

// standardised returns rows in units of their standard deviations. Those that did not vary are 0.
func (a *Apart) standardised(y *mat.Dense) linalg.Dense {
	n, m := y.Dims()
	x := linalg.NewDense(n, m)
	for i, of := range a.rows {
		matrix.Standardise(linalg.Row(x, i), y.RawRowView(i), of.Mean, of.SD)
	}
	return x
}

// An apartWorker has the memory of regressions of single vertices.
type apartWorker struct {
	near  linalg.Neighbourhood
	small linalg.SmallSolver
}

// fit returns the coefficients of the neighbours of vertex i, and the variance that they leave.
func (w *apartWorker) fit(x linalg.Dense, i int, on []int) (beta []float64, variance float64) {
	m := float64(x.Cols)
	free := m - 1 - float64(len(on))
	if len(on) == 0 || free < 1 { // there are too few signals
		return make([]float64, len(on)), 1
	}
	moments := w.near.Moments(x, slices.Concat(on, []int{i}))
	for p := range on {
		linalg.Row(moments, p)[p] *= 1 + 1e-10 // rounding errors
	}
	beta, covered := w.small.Regress(moments, len(on), matrix.Span(0, len(on)), nil)
	if math.IsInf(covered, 1) { // some follow each other exactly
		return make([]float64, len(on)), 1
	}
	return beta, min(max(m*(1-covered)/free, 1e-6), 1)
}

// apartSums are sums over the vertices for each signal: the gain in log pseudo-likelihood over vertices that do
// not depend on each other, the energy that neighbours leave, and all energy.
type apartSums struct{ gain, left, energy []float64 }

// held holds the model against signals.
func (a *Apart) held(ctx context.Context, y *mat.Dense, threads int) apartSums {
	n, m := y.Dims()
	z := a.standardised(y)
	// The sums are those of blocks of vertices, added in order: results do not depend on threads.
	const block = 64
	parts := make([]apartSums, (n+block-1)/block)
	linalg.ForEach(max(threads, 1), len(parts), func(_, b int) {
		if run.Ended(ctx) != nil {
			return
		}
		s := apartSums{make([]float64, m), make([]float64, m), make([]float64, m)}
		rest := make([]float64, m)
		for i := b * block; i < min((b+1)*block, n); i++ {
			copy(rest, linalg.Row(z, i))
			for p, j := range a.neighbours[i] {
				linalg.Axpy(-a.beta[i][p], linalg.Row(z, j), rest)
			}
			variance := a.variance[i]
			for t, v := range linalg.Row(z, i) {
				e := rest[t]
				s.energy[t] += v * v
				s.left[t] += e * e
				s.gain[t] += (v*v - e*e/variance - math.Log(variance)) / 2
			}
		}
		parts[b] = s
	})
	all := apartSums{make([]float64, m), make([]float64, m), make([]float64, m)}
	if ctx.Err() != nil {
		return all
	}
	for _, s := range parts {
		linalg.Axpy(1, s.gain, all.gain)
		linalg.Axpy(1, s.left, all.left)
		linalg.Axpy(1, s.energy, all.energy)
	}
	return all
}
