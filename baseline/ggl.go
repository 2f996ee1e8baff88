package baseline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
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
}

var gglEntry = register(method.Entry{
	Default: GGL{}, Source: "egilmez2017",
	About: "Gaussian graphical model whose precision matrix is a generalised graph Laplacian: no negative partial " +
		"correlations, pruned as far as held-out signals allow",
})

// Name returns "ggl".
func (GGL) Name() string { return "ggl" }

// Capabilities keeps the contract of [method.Capable].
func (GGL) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder, method.DirectOnly}
}

// Learn keeps the contract of [method.Method].
func (m GGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return m.fit().run(ctx, gglEntry, m, p, func(o laplacianOptions) method.Method { return GGL(o) })
}

// fit is how a graph is learned.
func (m GGL) fit() laplacianFit {
	return laplacianFit{
		laplacianOptions: laplacianOptions(m), name: m.Name(), tolerance: attractiveTolerance,
		model: func(k linalg.Dense) laplacianModel { return newAttractive(k) },
	}
}

// resistanceFit is how DDGL and CGL learn a graph.
func resistanceFit(name string, o laplacianOptions, loops bool) laplacianFit {
	return laplacianFit{
		laplacianOptions: o, name: name, tolerance: resistanceTolerance,
		model: func(k linalg.Dense) laplacianModel { return newResistance(k, loops) },
	}
}

// attractiveTolerance is that of entries of the covariance, unless another is given.
const attractiveTolerance = 1e-6

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
}

var ddglEntry = register(method.Entry{
	Default: DDGL{}, Source: "egilmez2017",
	About: "Gaussian graphical model whose precision matrix is the Laplacian of a graph with loops: diagonally " +
		"dominant, pruned as far as held-out signals allow",
})

// Name returns "ddgl".
func (DDGL) Name() string { return "ddgl" }

// Capabilities keeps the contract of [method.Capable].
func (DDGL) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder}
}

// Learn keeps the contract of [method.Method].
func (m DDGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return resistanceFit(m.Name(), laplacianOptions(m), true).run(ctx, ddglEntry, m, p,
		func(o laplacianOptions) method.Method { return DDGL(o) })
}

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
}

var cglEntry = register(method.Entry{
	Default: CGL{}, Source: "egilmez2017",
	About: "Gaussian graphical model whose precision matrix is the Laplacian of the graph: combinatorial, pruned " +
		"as far as held-out signals allow",
})

// Name returns "cgl".
func (CGL) Name() string { return "cgl" }

// Capabilities keeps the contract of [method.Capable].
func (CGL) Capabilities() []method.Capability {
	return []method.Capability{method.CutUsesOrder}
}

// Learn keeps the contract of [method.Method].
func (m CGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	o := laplacianOptions{KeepCommonMode: m.KeepCommonMode, Folds: m.Folds, Tolerance: m.Tolerance}
	return resistanceFit(m.Name(), o, false).run(ctx, cglEntry, m, p, func(o laplacianOptions) method.Method {
		return CGL{o.KeepCommonMode, o.Folds, o.Tolerance}
	})
}

// PruneTo fits the model of [GGL] to some pairs of vertices only and removes those of
// the least partial correlation, step by step, until at most count are left, as
// the method's own path does. So what GGL would find among them is found without
// learning from all pairs. The weights are partial correlations, negative ones only of a graph that
// is signed; signals (the columns of y) must be complete, and rows that do not vary have no edges.
//
// If ctx ends, PruneTo returns its cause.
func PruneTo(ctx context.Context, y *mat.Dense, pairs [][2]int, count int, signed bool) (*graph.Graph, error) {
	n, _ := y.Dims()
	k := attractiveMoments(standardised(y), 0)
	open := make([]graph.Edge, 0, len(pairs))
	for _, p := range pairs {
		if signed || k.Data[p[0]*n+p[1]] > 0 {
			open = append(open, graph.Edge{I: p[0], J: p[1]}) // of either sign, where these are soft
		}
	}
	model := newAttractive(k)
	if signed {
		model = newSoft(k, 0)
	}
	edges, ok := pruneTo(ctx, model, open, count)
	if !ok {
		return nil, context.Cause(ctx)
	}
	return graphOf(n, edges), nil
}

// pruneTo follows the path of a model from some pairs to at most count, and reports whether the
// context lasted so long.
func pruneTo(ctx context.Context, model laplacianModel, pairs []graph.Edge, count int) (edges []graph.Edge, ok bool) {
	for {
		model.restrict(pairs)
		if _, status := model.solve(ctx, pruneTolerance, pruneSweeps); status == method.Interrupted {
			return nil, false
		}
		edges = model.partials()
		if len(edges) <= count {
			return edges, true
		}
		pairs = heaviest(edges, max(count, int(pruneToKeeps*float64(len(edges)))))
	}
}

// pruneToKeeps is the share of the edges that a step keeps. Steps may be longer than
// those of the path that chooses a number of edges: it need not be met on the way.
const pruneToKeeps = 0.85

// Relearn keeps the contract of [method.Relearner]. It looks at the pairs of the largest
// correlations only, a few times as many as there are to be edges.
func (m GGL) Relearn(ctx context.Context, p method.Problem, edges int) (*graph.Graph, error) {
	return m.fit().relearn(ctx, p, edges)
}

// relearn keeps the contract of [method.Relearner].
func (f laplacianFit) relearn(ctx context.Context, p method.Problem, edges int) (*graph.Graph, error) {
	f.Folds = 0 // whether the common mode is removed has been decided
	y, err := f.withoutCommonMode(ctx, p.Y, max(p.Threads, 1))
	if err != nil {
		return nil, err
	}
	n, _ := y.Dims()
	correlated := f.correlated(attractiveMoments(standardised(y), f.Penalty))
	pairs := make([][2]int, min(len(correlated), relearnPairs*max(edges, n)))
	for k, e := range heaviest(correlated, len(pairs)) {
		pairs[k] = [2]int{e.I, e.J}
	}
	return PruneTo(ctx, y, pairs, edges, f.soft)
}

// relearnPairs is how many pairs for each edge, or vertex if these are more, Relearn looks at.
const relearnPairs = 4
