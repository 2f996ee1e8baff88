package baseline

import (
	"context"

	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

// DDGL learns the graph of a Gaussian model of the signals whose precision matrix Θ is a
// diagonally dominant generalised Laplacian: that of a graph with weights w, and a
// loop v_i ≥ 0 at each vertex. With S the correlation matrix of the vertices, it minimises
//
//	−log det Θ + tr(SΘ) + α Σ_{i≠j} |Θ_ij|   over Θ = L(w) + diag(v), w ≥ 0, v ≥ 0
//
// ([egilmez2017]). It is [GGL] with one constraint more: no vertex is predicted to be
// larger than its neighbours. The minimum is unique and exists for any number of
// signals. S is that of GGL.
//
// The weight of an edge is w; the loops are not part of the graph. The method's own
// cut is that of GGL, by partial correlations, and depends on the order of the signals
// as there. The solver is that of [CGL], and so
// are Tolerance and Rounds; here, too, the published software of the source does not
// reach the minimum. If ctx ends, the best graph so far comes with the cause.
type DDGL struct {
	Penalty        float64 `param:"alpha" about:"penalty on the weights, on the scale of correlations; 0 means none"`
	KeepCommonMode bool    `param:"common-mode" about:"1 to keep what all vertices share in the signals, 0 to remove it where nearly all vertices move together and no tree explains it"`
	Folds          int     `param:"folds" about:"number of folds that choose the number of edges; 0 means 5"`

	Tolerance float64 // duality gap for each vertex at which to stop; 0 means 1e-10
	MaxSweeps int     // sweeps over all pairs; 0 means 1000
}

var ddglEntry = registry.Add(method.Entry{
	Default: DDGL{}, Source: "egilmez2017",
	About:        "diagonally dominant graph Laplacian: a Gaussian model whose precision matrix is the Laplacian of a graph with loops, pruned as far as held-out signals allow",
	MostVertices: mostVertices,
})

// Name returns "ddgl".
func (DDGL) Name() string { return "ddgl" }

// Capabilities keeps the contract of [method.Capable].
func (DDGL) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder}
}

// Learn keeps the contract of [method.Method].
func (m DDGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return ddglEntry.Run(ctx, m, p, func(ctx context.Context, p method.Problem) (*method.Result, error) {
		f := laplacianFit{laplacianOptions: laplacianOptions(m), name: m.Name(), model: func(k linalg.Dense) laplacianModel { return newResistance(k, true) }}
		r, err := f.learn(ctx, p, resistanceTolerance)
		if err == nil {
			r.Method = DDGL(f.laplacianOptions)
		}
		return r, err
	})
}
