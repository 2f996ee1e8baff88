package baseline

import (
	"context"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// GGL learns the graph of a Gaussian model of the signals whose precision matrix Θ
// is a generalised graph Laplacian: with S the correlation matrix of the vertices,
// it minimises
//
//	−log det Θ + tr(SΘ) + α Σ_{i≠j} |Θ_ij|   over positive definite Θ with Θ_ij ≤ 0, i ≠ j
//
// ([slawski2015], [egilmez2017]). No partial correlation is negative. The signs alone make
// most entries of Θ zero, so that no penalty is needed, and the minimum exists for
// any number of signals ([lauritzen2019]). S is taken of the signals and of one more
// on which vertices do not depend on each other, so that no two vertices are the same.
//
// The weight of an edge is its partial correlation −Θ_ij/√(Θ_ii Θ_jj). The method's
// own cut follows a pruning path: edges are removed, those of the least partial
// correlation first, and the rest is refitted. Held out in turn, each fifth of the
// signals tells how well the vertices predict each other on graphs learned from the
// others. Kept is the sparsest graph within half a percent of the best, or within a
// standard error, or the spanning tree of the largest correlations if that is
// sparser and has 96 percent of it. About as many edges as a tree has are kept at
// least, unless none predicts anything. Parts of the graph are joined where vertices
// of both are correlated beyond chance. Of more edges than a tree has, those go whose
// partial correlation is below 0.1. With fewer than ten signals all edges are kept.
//
// Folds are of consecutive signals, so that signals alike because they follow each other
// are not on both sides, where edges that only repeat them would seem to predict.
// So the cut depends on the order of the signals, if little: in another order, those
// that do not follow each other in time may keep an edge more or less. The weights
// before the cut do not depend on it.
//
// Rounds counts sweeps over all vertices for the weights before the cut. If ctx
// ends, the best graph so far comes with the cause.
type GGL struct {
	Penalty float64 `param:"alpha" about:"penalty on the weights, on the scale of correlations; 0 means none"`
	// KeepCommonMode leaves what all vertices share in the signals. By default it is
	// removed where package prepare finds it, because edges would have to imitate it,
	// unless a spanning tree predicts nearly as much as any edges.
	KeepCommonMode bool `param:"common-mode" about:"1 to keep what all vertices share in the signals, 0 to remove it where nearly all vertices move together and no tree explains it"`
	Folds          int  `param:"folds" about:"number of folds that choose the number of edges; 0 means 5"`

	Tolerance float64 // of entries of the covariance at which to stop; 0 means 1e-6
	MaxSweeps int     // sweeps over all vertices; 0 means 1000
}

var gglEntry = registry.Add(method.Entry{
	Default: GGL{}, Source: "egilmez2017",
	About:        "generalised graph Laplacian: a Gaussian model without negative partial correlations, pruned as far as held-out signals allow",
	MostVertices: mostVertices,
})

// Name returns "ggl".
func (GGL) Name() string { return "ggl" }

// Capabilities keeps the contract of [method.Capable].
func (GGL) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder, method.DirectOnly}
}

// Learn keeps the contract of [method.Method].
func (m GGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return gglEntry.Run(ctx, m, p, func(ctx context.Context, p method.Problem) (*method.Result, error) {
		f := laplacianFit{laplacianOptions: laplacianOptions(m), name: m.Name(), model: func(k linalg.Dense) laplacianModel { return newAttractive(k) }}
		r, err := f.learn(ctx, p, 1e-6)
		if err == nil {
			r.Method = GGL(f.laplacianOptions)
		}
		return r, err
	})
}
