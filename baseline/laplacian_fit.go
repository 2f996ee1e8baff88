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
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/prepare"
)

// laplacianOptions are those of GGL and DDGL, which document them; CGL has no penalty.
type laplacianOptions struct {
	Penalty        float64
	KeepCommonMode bool
	Folds          int

	Tolerance float64
}

// A laplacianFit learns a graph by some model: GGL, DDGL and CGL differ in nothing
// but what the precision matrix may be.
type laplacianFit struct {
	laplacianOptions

	name      string
	tolerance float64 // unless another is given
	model     func(k linalg.Dense) laplacianModel
	soft      bool // partial correlations may be negative
	pace      prunePace
	// doubtful is the partial correlation below which no edge stays, not even one of a tree.
	doubtful float64
	tell     func(phase method.Phase, edges int) // what has been done
}

// The phases of GGL, DDGL and CGL, told when they are over. What follows is the same
// path for each fold of the signals.
const (
	WeightsLearned method.Phase = "weights"
	PathFollowed   method.Phase = "path"
)

// leastForFolds is the number of signals below which none is held out.
const leastForFolds = 10

// mostSweeps bounds the sweeps over all vertices, or pairs.
const mostSweeps = 1000

// run is the Learn of a method, which is as used by the options that it was run with.
func (f laplacianFit) run(ctx context.Context, e method.Entry, m method.Method, p method.Problem,
	used func(laplacianOptions) method.Method,
) (*method.Result, error) {
	return e.Run(ctx, m, p, func(ctx context.Context, p method.Problem) (*method.Result, error) {
		r, err := f.learn(ctx, p)
		if err == nil {
			r.Method = used(f.laplacianOptions)
		}
		return r, err
	})
}

// resolve fills in defaults.
func (f *laplacianFit) resolve(signals int) error {
	f.Tolerance, f.pace = cmp.Or(f.Tolerance, f.tolerance), pruneInFull
	switch {
	case !(f.Tolerance > 0) || math.IsInf(f.Tolerance, 0):
		return input.Errorf(f.name, "tolerance", "got %g, want a number of at least 0", f.Tolerance)
	case f.Folds == 1 || f.Folds > signals:
		return input.Errorf(f.name, input.Folds, "got %d, want 0 or 2 to %d, the number of signals", f.Folds, signals)
	case f.Folds == 0 && signals >= leastForFolds:
		f.Folds = pruneFolds
	}
	return nil
}

// learn learns a graph. The options are then as they were used.
func (f *laplacianFit) learn(ctx context.Context, p method.Problem) (*method.Result, error) {
	n, signals := p.Y.Dims()
	if err := f.resolve(signals); err != nil {
		return nil, err
	}
	y, err := f.withoutCommonMode(ctx, p.Y, max(p.Threads, 1))
	if err != nil {
		return nil, err
	}
	u := standardised(y)
	k := attractiveMoments(u, f.Penalty)
	model := f.model(k)
	r := &method.Result{}
	r.Rounds, r.Status = model.solve(ctx, f.Tolerance, mostSweeps)
	r.Weights = graphOf(n, model.weights())
	if r.Status == method.MaxRounds || r.Status == method.Stalled {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the weights are not exact after %d sweeps: signals of some "+
			"vertices all but determine those of others", r.Rounds))
	}
	if f.Folds == 0 || p.Cut != (graph.Cut{}) {
		return r, nil
	}
	f.tell = func(phase method.Phase, edges int) {
		if p.Progress != nil {
			p.Progress(method.Step{Phase: phase, Edges: edges, Weights: func() *graph.Graph { return nil }})
		}
	}
	f.tell(WeightsLearned, r.Weights.EdgeCount())
	found := foundEdges{edges: model.partials(), k: k, u: u, observations: prepare.EffectiveObservations(y)}
	if r.Status != method.Interrupted {
		if r.Graph = f.cutAndRefit(ctx, model, found, p.Threads); r.Graph != nil {
			return r, nil
		}
	}
	f.learnSoon(run.Grace(ctx), r, found, p.Threads)
	return r, nil
}

// learnSoon cuts what was found when the context ended, in short, if anybody waits for it.
func (f laplacianFit) learnSoon(ctx context.Context, r *method.Result, found foundEdges, threads int) {
	if ctx.Err() != nil {
		r.Status = method.Interrupted
		return
	}
	f.pace = pruneInShort
	solved := r.Status != method.Interrupted
	if !solved { // what has a weight by then says little
		found.edges = f.correlated(found.k)
	}
	model := f.amongFew(found)
	if !solved {
		model.solve(ctx, pruneTolerance, pruneSweeps)
		r.Weights, found.edges = graphOf(found.k.Rows, model.weights()), model.partials()
	}
	r.Status, r.Graph = method.Interrupted, f.cutAndRefit(ctx, model, found, threads)
}

// foundEdges are the edges of a model, and what it was fitted to.
type foundEdges struct {
	edges        []graph.Edge // with their partial correlations
	k, u         linalg.Dense // second moments and signals
	observations float64      // as many as the signals count for
}

// cutAndRefit returns the graph of the method's own cut, or nil if ctx ended before it
// was found.
func (f laplacianFit) cutAndRefit(ctx context.Context, model laplacianModel, found foundEdges, threads int) *graph.Graph {
	if ctx.Err() != nil {
		return nil
	}
	kept, status := f.cut(ctx, model, found, max(threads, 1))
	if status == method.Interrupted {
		return nil
	}
	if f.soft {
		kept = withMissed(ctx, found, kept)
	}
	g, status := f.refit(ctx, found.k, kept)
	if status == method.Interrupted {
		return nil
	}
	return g
}

// refit fits the model to the edges kept, without those that turn out to be
// negligible. Those of a tree stay: nothing else says what they say.
func (f laplacianFit) refit(ctx context.Context, k linalg.Dense, kept []graph.Edge) (*graph.Graph, method.Status) {
	final := f.model(k)
	for {
		final.restrict(kept)
		_, status := final.solve(ctx, f.Tolerance, mostSweeps)
		edges := final.partials()
		least := max(negligible, f.doubtful)
		strong := slices.DeleteFunc(slices.Clone(edges), func(e graph.Edge) bool { return math.Abs(e.Weight) < least })
		if len(strong) == len(edges) || len(kept) < k.Rows && f.doubtful == 0 || status == method.Interrupted {
			return graphOf(k.Rows, final.weights()), status
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
func (f *laplacianFit) withoutCommonMode(ctx context.Context, y *mat.Dense, threads int) (*mat.Dense, error) {
	if f.KeepCommonMode {
		return y, nil
	}
	// It takes next to no time, and belongs to every answer.
	rest, report, err := prepare.Signals(context.WithoutCancel(ctx), y,
		prepare.AsTheyAre(prepare.Options{Center: prepare.Yes, Scale: prepare.Yes}))
	if err != nil {
		return nil, err
	}
	f.KeepCommonMode = !report.CommonMode.Done || f.Folds > 0 && f.isTree(ctx, standardised(y), threads)
	if f.KeepCommonMode {
		return y, nil
	}
	return rest, nil
}

// amongFew returns a model on the strongest of the edges alone.
func (f laplacianFit) amongFew(found foundEdges) laplacianModel {
	model := f.model(found.k)
	model.restrict(f.few(found))
	return model
}

// few returns the edges that the path begins with; nil means all.
func (f laplacianFit) few(found foundEdges) []graph.Edge {
	if f.pace.mostEdges == 0 {
		return nil
	}
	return heaviest(found.edges, min(len(found.edges), f.pace.mostEdges*found.k.Rows))
}

// cut returns the pairs that the method's own cut keeps of those found.
func (f laplacianFit) cut(ctx context.Context, model laplacianModel, found foundEdges, threads int) ([]graph.Edge, method.Status) {
	k := found.k
	path, status := prune(ctx, model, k.Rows, linalg.Dense{}, f.pace.keeps)
	if status == method.Interrupted {
		return nil, status
	}
	f.tell(PathFollowed, len(path[len(path)-1].edges))
	gains, status := f.heldOutGains(ctx, found.u, path, f.few(found), threads)
	if status == method.Interrupted {
		return nil, status
	}
	at, treeIsEnough := sparsestAdequate(gains)
	if at == len(path) {
		return nil, status
	}
	for at > 0 && len(path[at].edges) < k.Rows-1 {
		at-- // fewer edges than a tree has would leave vertices alone, which most are not if any is not
	}
	kept := heaviest(path[at].edges, len(path[at].edges))
	if tree := f.tree(k); treeIsEnough && len(tree) < len(kept) {
		kept = tree
	}
	kept = append(kept, signedAs(connections(kept, k.Rows, f.sizes(k), found.observations), k)...)
	weighs := map[[2]int]bool{}
	for _, e := range found.edges {
		weighs[[2]int{e.I, e.J}] = true
	}
	// Some models have weights on no pair of the tree where correlations are small.
	return slices.DeleteFunc(kept, func(e graph.Edge) bool { return !weighs[[2]int{e.I, e.J}] }), status
}

// CommonMode keeps the contract of [method.CommonModeUser].
func (GGL) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }

// CommonMode keeps the contract of [method.CommonModeUser].
func (DDGL) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }

// CommonMode keeps the contract of [method.CommonModeUser].
func (CGL) CommonMode(*mat.Dense, []kernel.Kernel) method.CommonMode { return method.OwnCommonMode }
