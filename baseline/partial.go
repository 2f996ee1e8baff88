package baseline

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/method"
)

// Partial weighs each pair of vertices by its partial correlation, what the two have
// in common beyond all others: with S the correlation matrix of the vertices and
//
//	Θ = ((1 − δ)S + δI)⁻¹,
//
// it is −Θ_ij/√(Θ_ii Θ_jj). The share δ of the identity is that of [ledoit2004], so that
// there are partial correlations for any number of signals, and good ones for few.
// Positive ones are edges; with Absolute, negative ones too, by their absolute value.
//
// The method's own cut keeps the heaviest edges, as many as give the least extended
// BIC when a Gaussian model without shrinkage is fitted to them ([foygel2010]).
//
// If ctx ends, the graph without edges comes with the cause, or the weights if they
// are known.
type Partial struct {
	// Gamma is γ of the extended BIC that chooses the number of edges. For the plain
	// BIC give a tiny one.
	Gamma    float64 `param:"gamma" about:"how strongly eBIC favours few edges; 0 means 0.5"`
	Absolute bool    `param:"absolute" about:"1 to keep negative partial correlations as edges, 0 to drop them"`
}

var partialEntry = register(method.Entry{
	Default: Partial{}, Source: "ledoit2004",
	About: "partial correlations after Ledoit–Wolf shrinkage",
})

// Name returns "partial".
func (Partial) Name() string { return "partial" }

// Learn keeps the contract of [method.Method].
func (m Partial) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return partialEntry.Run(ctx, m, p, m.learn)
}

func (m Partial) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Gamma = cmp.Or(m.Gamma, defaultGamma)
	n, signals := p.Y.Dims()
	u := standardised(p.Y)
	s := secondMoments(u)
	r := &method.Result{Method: m, Status: method.Converged, Weights: fromPairs(n, shrunkPartials(u, s, m.Absolute))}
	if p.Cut == (graph.Cut{}) {
		var status method.Status
		r.Graph, status = m.cut(ctx, r.Weights, newSupportFit(s, signals, m.Gamma))
		r.Status = worse(r.Status, status)
	}
	return r, nil
}

// shrunkPartials returns the partial correlations over the pairs, the negative ones as
// 0 or, if absolute, as their absolute values.
func shrunkPartials(u, s linalg.Dense, absolute bool) []float64 {
	n, delta := s.Rows, shrinkage(u, s)
	shrunk := mat.NewSymDense(n, nil)
	for i := range n {
		shrunk.SetSym(i, i, 1)
		for j := range i {
			shrunk.SetSym(i, j, (1-max(delta, leastShrinkage))*s.Data[i*n+j])
		}
	}
	var chol mat.Cholesky
	theta := mat.NewSymDense(n, nil)
	if !chol.Factorize(shrunk) || chol.InverseTo(theta) != nil {
		panic("baseline: a matrix with a share of the identity is not positive definite") // a bug of ours
	}
	p := precision{s: s, theta: linalg.Dense{Rows: n, Cols: n, Stride: n, Data: theta.RawSymmetric().Data}}
	return p.edgeWeights(absolute)
}

// leastShrinkage is the share of the identity that there is in any case: vertices with
// the same signals have no precision matrix.
const leastShrinkage = 1e-6

// cut returns the heaviest edges that have the least extended BIC: numbers of edges
// grow by a tenth while the criterion falls, and a while longer.
func (m Partial) cut(ctx context.Context, weights *graph.Graph, fit *supportFit) (*graph.Graph, method.Status) {
	edges := slices.Clone(weights.Edges())
	slices.SortStableFunc(edges, func(a, b graph.Edge) int { return cmp.Compare(b.Weight, a.Weight) })
	best, least, waited := 0, fit.signals*float64(weights.Vertices()), 0
	for next, count := 0, 0; count < len(edges) && waited < cutPatience; {
		if ctx.Err() != nil {
			return weights.Strongest(best), method.Interrupted
		}
		count = min(max(count+1, count*11/10), len(edges))
		for ; next < count; next++ {
			fit.model.Join(edges[next].I, edges[next].J)
		}
		if fit.lowest(count) > least {
			break // more edges cannot pay for themselves
		}
		fit.model.Solve(refitTolerance, refitSweeps)
		waited++
		if score := fit.score(count); score < least {
			best, least, waited = count, score, 0
		}
	}
	return weights.Strongest(best), method.Converged
}

// cutPatience is how many numbers of edges may pass without a better one.
const cutPatience = 12

// shrinkage returns the share of the identity in (1 − δ)S + δI that brings it nearest
// to the true correlation matrix, as estimated from the signals alone ([ledoit2004]).
// The rows of u are standardised, and s is their second moments.
//
// δ is the variance of the entries of S over their distance from the identity: with x
// the columns of u, Σ‖xxᵀ − S‖² / (M² ‖S − I‖²), at most 1.
func shrinkage(u, s linalg.Dense) float64 {
	energy := make([]float64, u.Cols) // ‖x‖²
	for i := range u.Rows {
		for k, v := range linalg.Row(u, i) {
			energy[k] += v * v
		}
	}
	m, square := float64(u.Cols), portable.Dot(s.Data, s.Data)
	variance := (portable.Dot(energy, energy)/m - square) / m
	distance := square
	for i := range s.Rows {
		distance += 1 - 2*s.Data[i*s.Rows+i]
	}
	if variance >= distance {
		return 1
	}
	return variance / distance
}
