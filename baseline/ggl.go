package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
	"github.com/nervure/nervure/solver"
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
// sparser and has 96 percent of it. Parts of the graph are joined where vertices of
// both are correlated beyond chance. Of more edges than a tree has, those go whose
// partial correlation is below 0.1. No edge is kept if none predicts anything. Folds
// are of consecutive signals; with fewer than ten signals all edges are kept.
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

// leastForFolds is the number of signals below which none is held out.
const leastForFolds = 10

// Name returns "ggl".
func (GGL) Name() string { return "ggl" }

// Learn keeps the contract of [method.Method].
func (m GGL) Learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	return gglEntry.Run(ctx, m, p, m.learn)
}

// resolve fills in defaults.
func (m GGL) resolve(signals int) (GGL, error) {
	m.Tolerance, m.MaxSweeps = cmp.Or(m.Tolerance, 1e-6), cmp.Or(m.MaxSweeps, 1000)
	switch {
	case !(m.Tolerance > 0) || math.IsInf(m.Tolerance, 0):
		return m, input.Errorf(m.Name(), "tolerance", "got %g, want a number of at least 0", m.Tolerance)
	case m.MaxSweeps < 0:
		return m, input.Errorf(m.Name(), "sweeps", "got %d, want at least 0", m.MaxSweeps)
	case m.Folds == 1 || m.Folds > signals:
		return m, input.Errorf(m.Name(), input.Folds, "got %d, want 0 or 2 to %d, the number of signals", m.Folds, signals)
	case m.Folds == 0 && signals >= leastForFolds:
		m.Folds = pruneFolds
	}
	return m, nil
}

func (m GGL) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, signals := p.Y.Dims()
	m, err := m.resolve(signals)
	if err != nil {
		return nil, err
	}
	y, err := m.withoutCommonMode(ctx, p.Y, max(p.Threads, 1))
	if err != nil {
		return nil, err
	}
	u := standardised(y)
	k := attractiveMoments(u, m.Penalty)
	model := newAttractive(k)
	r := &method.Result{Method: m}
	r.Rounds, r.Status = model.solve(ctx, m.Tolerance, m.MaxSweeps)
	r.Weights = graphOf(n, model.partials())
	if r.Status == solver.MaxRounds {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the weights still moved after %d sweeps: signals of some vertices all but determine those of others", r.Rounds))
	}
	if r.Status == solver.Interrupted || m.Folds == 0 || p.Cut != (graph.Cut{}) {
		return r, nil
	}
	kept, status := m.cut(ctx, model, u, prepare.EffectiveObservations(y), max(p.Threads, 1))
	if status != solver.Interrupted {
		r.Graph, status = m.refit(ctx, k, kept)
	}
	if status == solver.Interrupted {
		r.Status = status
	}
	return r, nil
}

// refit fits the model to the edges kept, without those that turn out to be
// negligible. Those of a tree stay: nothing else says what they say.
func (m GGL) refit(ctx context.Context, k linalg.Dense, kept [][2]int) (*graph.Graph, solver.Status) {
	final := newAttractive(k)
	for {
		final.restrict(kept)
		_, status := final.solve(ctx, m.Tolerance, m.MaxSweeps)
		edges := final.partials()
		strong := slices.DeleteFunc(slices.Clone(edges), func(e weighedPair) bool { return e.weight < negligible })
		if len(strong) == len(edges) || len(kept) < k.Rows || status == solver.Interrupted {
			return graphOf(k.Rows, edges), status
		}
		kept = heaviest(strong, len(strong))
	}
}

// negligible is the partial correlation below which an edge is not worth being
// kept, however sure it is: it explains less than a hundredth of what the other
// vertices leave unexplained. Measured signals are rarely independent given the
// neighbours, and enough of them show dependence between any two vertices.
const negligible = 0.1

// withoutCommonMode returns the signals without what all vertices share, if there is
// such a thing, edges would have to imitate it, and it is not to be kept. A tree is no
// imitation: where its edges predict nearly all that any edges do, what vertices
// share comes to them along the tree, as in a river, and taking it away would make
// edges of other pairs.
func (m *GGL) withoutCommonMode(ctx context.Context, y *mat.Dense, threads int) (*mat.Dense, error) {
	if m.KeepCommonMode {
		return y, nil
	}
	rest, report, err := prepare.Signals(y, prepare.Options{Center: prepare.Yes, Scale: prepare.Yes})
	if err != nil {
		return nil, err
	}
	m.KeepCommonMode = !report.CommonMode.Done || m.Folds > 0 && isTree(ctx, standardised(y), m.Penalty, m.Folds, threads)
	if m.KeepCommonMode {
		return y, nil
	}
	return rest, nil
}

// cut returns the pairs that the method's own cut keeps of a model's. The signals count
// as so many independent observations.
func (m GGL) cut(ctx context.Context, model *attractive, u linalg.Dense, observations float64, threads int) ([][2]int, solver.Status) {
	path, status := model.prune(ctx, linalg.Dense{})
	if status == solver.Interrupted {
		return nil, status
	}
	gains, status := heldOutGains(ctx, u, m.Penalty, path, m.Folds, threads)
	if status == solver.Interrupted {
		return nil, status
	}
	at, treeIsEnough := sparsestAdequate(gains)
	if at == len(path) {
		return nil, status
	}
	kept := heaviest(path[at].edges, len(path[at].edges))
	if tree := positiveTree(model.k); treeIsEnough && len(tree) < len(kept) {
		kept = tree
	}
	return append(kept, connections(kept, model.k, observations)...), status
}

// graphOf returns the graph of weighed pairs.
func graphOf(n int, pairs []weighedPair) *graph.Graph {
	edges := make([]graph.Edge, 0, len(pairs))
	for _, p := range pairs {
		if p.weight > 0 {
			edges = append(edges, graph.Edge{I: p.i, J: p.j, Weight: p.weight})
		}
	}
	return mustGraph(graph.DefaultNames(n), edges)
}
