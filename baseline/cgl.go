package baseline

import (
	"context"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// CGL learns the graph of a Gaussian model of the signals whose precision matrix is the
// graph's own Laplacian L: with S the correlation matrix of the vertices, it minimises
//
//	−log pdet L(w) + tr(S·L(w))   over connected graphs of weights w ≥ 0
//
// ([egilmez2017]), pdet the product of the eigenvalues that are not zero. So signals
// are smooth on the graph, and what all vertices share has no say. The minimum is unique
// and exists for any number of signals. S is that of [GGL].
//
// The weight of an edge is w: the graph's Laplacian can be used as a precision matrix
// as it is. The method's own cut is that of GGL, by partial correlations
// w_ij/√(d_i d_j), d the degrees, and depends on the order of the signals as there;
// parts that it leaves are graphs of their own.
//
// There is no penalty: that on Σ|L_ij| is one on w, and makes the graph denser rather
// than sparser ([ying2020]).
//
// The problem is solved by [pavez2019]'s steps along coordinates and Newton steps, until
// the duality gap is at most Tolerance for each vertex. The published software of
// the source does not reach the minimum. Rounds counts sweeps over all pairs for
// the weights before the cut. If ctx ends, the best graph so far comes with the cause.
type CGL struct {
	KeepCommonMode bool `param:"common-mode" about:"1 to keep what all vertices share in the signals, 0 to remove it where nearly all vertices move together and no tree explains it"`
	Folds          int  `param:"folds" about:"number of folds that choose the number of edges; 0 means 5"`

	Tolerance float64 // duality gap for each vertex at which to stop; 0 means 1e-10
	MaxSweeps int     // sweeps over all pairs; 0 means 1000
}

var cglEntry = registry.Add(method.Entry{
	Default: CGL{}, Source: "egilmez2017",
	About:        "combinatorial graph Laplacian: a Gaussian model whose precision matrix is the Laplacian of the graph, pruned as far as held-out signals allow",
	MostVertices: mostVertices,
})

// Name returns "cgl".
func (CGL) Name() string { return "cgl" }

// Capabilities keeps the contract of [method.Capable].
func (CGL) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder}
}

// Learn keeps the contract of [method.Method].
func (m CGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return cglEntry.Run(ctx, m, p, func(ctx context.Context, p method.Problem) (*method.Result, error) {
		f := laplacianFit{
			laplacianOptions: laplacianOptions{KeepCommonMode: m.KeepCommonMode, Folds: m.Folds, Tolerance: m.Tolerance, MaxSweeps: m.MaxSweeps},
			name:             m.Name(), model: func(k linalg.Dense) laplacianModel { return newResistance(k, false) },
		}
		r, err := f.learn(ctx, p, resistanceTolerance)
		if err == nil {
			r.Method = CGL{f.KeepCommonMode, f.Folds, f.Tolerance, f.MaxSweeps}
		}
		return r, err
	})
}
