package baseline

import (
	"cmp"
	"context"

	"github.com/nervure/nervure/method"
)

// GGM learns the graph of a Gaussian model of the signals by a search over edges
// for the least extended BIC ([foygel2010])
//
//	M (tr(SΘ) − log det Θ) + E log M + 4γ E log N,
//
// where Θ is the most likely precision matrix with E edges ([dempster1972]) for M signals
// on N vertices, and S the correlation matrix of the vertices, shrunk as if there
// were one signal more on which the vertices do not depend on each other, so that Θ
// exists for any signals. The search begins with the spanning tree of the largest
// correlations ([chow1968]). By turns it takes away and adds the edges that lower the
// criterion most, judged by the likelihood of moving the entries of Θ on one pair of
// vertices; the model is fitted again after each change. Unlike the graphical lasso it
// does not shrink the edges that stay.
//
// The weight of an edge is the absolute value of its partial correlation
// −Θ_ij/√(Θ_ii Θ_jj). Rounds counts the changes tried. There is no other cut: the
// search has chosen the edges. If ctx ends, the edges so far come with the cause.
type GGM struct {
	// Gamma is γ. For the plain BIC give a tiny one.
	Gamma float64 `param:"gamma" about:"how strongly eBIC favours few edges; 0 means 0.5"`
}

var ggmEntry = registry.Add(method.Entry{
	Default: GGM{}, Source: "dempster1972",
	About:        "Gaussian graphical model by stepwise selection: edges are added and removed one at a time, starting from the maximum spanning tree",
	MostVertices: mostVertices,
})

// defaultGamma is γ of the extended BIC.
const defaultGamma = 0.5

// Name returns "ggm".
func (GGM) Name() string { return "ggm" }

// Learn keeps the contract of [method.Method].
func (m GGM) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return ggmEntry.Run(ctx, m, p, m.learn)
}

func (m GGM) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	m.Gamma = cmp.Or(m.Gamma, defaultGamma)
	n, signals := p.Y.Dims()
	s := newStepwise(secondMoments(standardised(p.Y)), signals, m.Gamma)
	for s.shrinkOnce(ctx) || s.growOnce(ctx) {
	}
	s.fit(finalTolerance)
	r := &method.Result{Method: m, Weights: fromPairs(n, s.weights()), Rounds: s.tried, Status: method.Converged}
	switch {
	case ctx.Err() != nil:
		r.Status = method.Interrupted
	case s.doubtful:
		r.Status = method.Stalled
		r.Warnings = []string{"a model could not be fitted exactly: signals of some vertices all but determine those of others"}
	}
	return r, nil
}
