package assess

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/signals"
)

// mostHeldApart is how many signals the test of edges between many vertices looks at.
const mostHeldApart = 4000

// holdOutApart is [HoldOut] for more vertices than a Gaussian on their edges can be fitted to: each vertex
// is regressed on its neighbours, and the gain of a signal is that of its pseudo-likelihood, the sum of
// the log-likelihoods of each vertex given its neighbours ([besag1975]). That is what neighbours
// predict of held-out signals: it is no likelihood of these, but edges by chance gain nothing in the mean.
func holdOutApart(ctx context.Context, y *mat.Dense, learn Learner, threads int) (*HeldOut, error) {
	y, _, err := signals.FillMissing(ctx, y)
	if err != nil {
		return nil, err
	}
	y = withoutShared(y)
	n, m := y.Dims()
	if m > mostHeldApart { // consecutive ones, so that halves are of signals that follow each other
		m = mostHeldApart
		y = mat.DenseCopyOf(y.Slice(0, n, 0, m))
	}
	held := &HeldOut{}
	for f := range HalvesHeldOut {
		first, last := f*m/HalvesHeldOut, (f+1)*m/HalvesHeldOut
		train, test := without(y, first, last), mat.DenseCopyOf(y.Slice(0, n, first, last))
		g, _, err := learn(ctx, train)
		if err != nil {
			return nil, err
		}
		held.Edges += float64(g.EdgeCount()) / HalvesHeldOut
		held.addApart(ctx, train, test, g, threads)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return held, nil
}

// withoutShared returns signals less what all vertices share, if that has most of their energy: any two
// vertices predict each other by it, whether they have an edge or not.
func withoutShared(y *mat.Dense) *mat.Dense {
	if n, _ := y.Dims(); n > MostTestedVertices { // some of them tell, without a copy of all signals
		some := make([]int, MostTestedVertices)
		for k := range some {
			some[k] = k * n / len(some)
		}
		if part := matrix.Rows(y, some); withoutShared(part) == part {
			return y
		}
	}
	rest := rowsOf(y)
	standardiseRows(rest)
	if removeShared(rest) < mostlyShared {
		return y
	}
	return mat.NewDense(rest.Rows, rest.Cols, rest.Data)
}

// addApart puts the signals of a half on record. If ctx ends, that means nothing.
func (r *HeldOut) addApart(ctx context.Context, train, test *mat.Dense, g *graph.Graph, threads int) {
	n, m := test.Dims()
	x, z := standardisedLike(train, test)
	neighbours := make([][]int, n)
	for _, e := range g.Edges() {
		neighbours[e.I], neighbours[e.J] = append(neighbours[e.I], e.J), append(neighbours[e.J], e.I)
	}
	type sums struct{ gain, left, energy []float64 }
	// The sums are those of blocks of vertices, added in order: results do not depend on threads.
	const block = 64
	parts := make([]sums, (n+block-1)/block)
	workers := make([]apart, max(threads, 1))
	linalg.ForEach(len(workers), len(parts), func(worker, b int) {
		if ctx.Err() != nil {
			return
		}
		s := sums{make([]float64, m), make([]float64, m), make([]float64, m)}
		for i := b * block; i < min((b+1)*block, n); i++ {
			rest, variance := workers[worker].predict(x, z, i, neighbours[i])
			for t, v := range linalg.Row(z, i) {
				e := rest[t]
				s.energy[t] += v * v
				s.left[t] += e * e
				s.gain[t] += (v*v - e*e/variance - math.Log(variance)) / 2
			}
		}
		parts[b] = s
	})
	gain, left, energy := make([]float64, m), make([]float64, m), make([]float64, m)
	if ctx.Err() != nil {
		return
	}
	for _, s := range parts {
		linalg.Axpy(1, s.gain, gain)
		linalg.Axpy(1, s.left, left)
		linalg.Axpy(1, s.energy, energy)
	}
	r.Gain, r.Error, r.Energy = append(r.Gain, gain...), append(r.Error, left...), append(r.Energy, energy...)
}

// An apart has the memory of regressions of single vertices.
type apart struct {
	near  linalg.Neighbourhood
	small linalg.SmallSolver
}

// predict returns what neighbours leave of the held-out signals of vertex i, and of those that
// they learned from, the variance.
func (a *apart) predict(x, z linalg.Dense, i int, on []int) (rest []float64, variance float64) {
	m := float64(x.Cols)
	moments := a.near.Moments(x, slices.Concat(on, []int{i}))
	beta := slices.Clone(linalg.Row(moments, len(on))[:len(on)])
	covered := a.small.Solve(beta, func(p int, dst []float64) {
		copy(dst, linalg.Row(moments, p))
		dst[p] *= 1 + 1e-10 // rounding errors
	})
	rest = append(rest, linalg.Row(z, i)...)
	free := m - 1 - float64(len(on))
	if math.IsInf(covered, 1) || len(on) == 0 || free < 1 { // some follow each other exactly, or there are too few signals
		return rest, 1
	}
	for p, j := range on {
		linalg.Axpy(-beta[p], linalg.Row(z, j), rest)
	}
	return rest, min(max(m*(1-covered)/free, 1e-6), 1)
}

// standardisedLike returns the rows of train with mean 0 and variance 1, and those of test in the same units.
// Rows that do not vary in train are 0 in both.
func standardisedLike(train, test *mat.Dense) (x, z linalg.Dense) {
	n, m := train.Dims()
	_, k := test.Dims()
	x, z = linalg.NewDense(n, m), linalg.NewDense(n, k)
	for i := range n {
		row := matrix.Describe(train.RawRowView(i))
		if !row.Varies {
			continue
		}
		for t, v := range train.RawRowView(i) {
			linalg.Row(x, i)[t] = (v - row.Mean) / row.SD
		}
		for t, v := range test.RawRowView(i) {
			linalg.Row(z, i)[t] = (v - row.Mean) / row.SD
		}
	}
	return x, z
}
