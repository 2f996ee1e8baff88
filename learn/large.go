package learn

import (
	"cmp"
	"math"
	"slices"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/solver"
)

// The default recipe on large graphs, where neither all pairs of vertices nor
// whole atoms can be held. What differs from default.go:
//
//   - only candidate pairs have weights: at first the best partners of each
//     vertex (see seeds.go), later those left with a weight, and in every round a
//     few more whose derivative is most negative;
//   - atoms are cut off where they are small (see dictionary.Local);
//   - coding is a pursuit that works around each atom, with sweeps in place of beams;
//   - there is one start, and nothing proves the answer: with atoms cut off, no
//     fit is exact.

// DefaultLargeFrom is the number of vertices from which on the way of large
// graphs is the faster one.
const DefaultLargeFrom = 400

// largeFromMissing is the same where entries are missing: the dense way codes
// the entries observed exactly, this one imputes the others again and again.
const largeFromMissing = 1000

const (
	// How finely atoms are computed; see dictionary.Local. Ten times finer gave
	// the same edges and took several times as long.
	atomTolerance, atomMembers = 1e-3, 512
	// codeFloor ends the coding of a signal; see sparse.LocalOptions.
	codeFloor = 5e-3
	// cutOffShare is the share of the energy up to which a residual may come
	// from cutting atoms off.
	cutOffShare = 1e-3
	// searchStall is the share of the loss that a round must gain.
	searchStall = 0.05
	// sharpenings is how often weights and codes take turns in the end.
	sharpenings = 3
	// generous is how many edges are sharpened, over those before the gap.
	generous = 1.3
	// stepsPerSharpening bounds the quasi-Newton steps of one.
	stepsPerSharpening = 20
)

// admitted is how many pairs each vertex may bring in a round.
const admitted = 2

func (r *run) large() {
	r.start, r.round = 1, 0
	partners := seeds(r.ctx, r.y, r.threads, r.within.admits)
	if partners == nil {
		partners = make([][]partner, r.n)
	}
	w := r.candidates(r.acquainted(partners))
	r.normalise(w)
	r.inform(w)
	r.local.SetPrecision(atomTolerance, atomMembers)
	status := solver.Stalled
	stall := solver.Stall{Tolerance: searchStall, Patience: 1}
	for stalled := false; !stalled && r.going(); {
		if r.round == r.options.Rounds {
			status = solver.MaxRounds
			break
		}
		r.round++
		if stalled = stall.Done(r.largeRound(w)); r.going() && !stalled {
			w = r.regrow(w, partners)
		}
	}
	if r.left || r.err != nil {
		return
	}
	r.concludeLarge(w, status)
}

// largeRound codes and moves the weights w, in place. It returns the loss.
func (r *run) largeRound(w []float64) float64 {
	if r.err = r.recode(w, effort{}); r.err != nil {
		return math.Inf(1)
	}
	r.engine.Refit(r.code)
	r.smooth()
	if !r.report(Coding, r.residual(), r.robustLoss(), r.all, w) {
		return math.Inf(1)
	}
	loss := newQuasiNewton(len(w), r.pulled(r.all)).minimise(r.ctx, w, limits{steps: stepsPerRound, gain: 1e-6})
	r.normalise(w)
	r.report(GraphUpdate, r.residual(), loss, r.all, w)
	return loss
}

// candidates makes the partners' pairs the free ones and returns their scores
// as weights.
func (r *run) candidates(partners [][]partner) []float64 {
	var w []float64
	r.all, w = mergePartners(partners)
	r.engine.SetPairs(r.all)
	return w
}

// regrow drops the pairs that came to nothing and admits those that promise
// most. A vertex that has lost all its edges begins anew.
func (r *run) regrow(w []float64, first [][]partner) []float64 {
	r.robustLoss() // sets the weights of the signals
	partners := make([][]partner, r.n)
	degree := make([]float64, r.n)
	r.all.Degrees(degree, w)
	for e, v := range w {
		if i, j := r.all.I[e], r.all.J[e]; v > 0 {
			partners[i] = append(partners[i], partner{j, v})
		}
	}
	for u, list := range r.local.CandidatePairs(r.code, r.weight, admitted, r.within.admits) {
		for _, v := range list {
			partners[u] = append(partners[u], partner{v, 0})
		}
		if degree[u] == 0 {
			partners[u] = append(partners[u], first[u]...)
		}
	}
	return r.candidates(partners)
}

// concludeLarge sharpens, cuts and answers.
func (r *run) concludeLarge(w []float64, status solver.Status) {
	weights := r.graph(r.all, w)
	if gap, _ := weights.CutAtGap(); gap.EdgeCount() > 0 && r.going() {
		weights = r.sharpen(strongest(weights, int(generous*float64(gap.EdgeCount()))))
	}
	kept, threshold := r.cut(weights)
	if kept.EdgeCount() < weights.EdgeCount() && kept.EdgeCount() > 0 && r.going() {
		r.settle(kept) // codes belong to the graph that is answered
	}
	kept = r.balance(kept)
	threshold.Value = lightest(kept)
	if r.ctx.Err() != nil {
		status = solver.Interrupted
	}
	r.answer = answer{
		weights: weights, graph: kept, codes: r.code, residual: r.residual(), objective: r.residual(),
		threshold: threshold, rounds: r.round, status: status, unexplained: len(r.unexplained()),
	}
}

// strongest returns the graph of the k edges of largest normalised weight, by
// which gaps are found.
func strongest(g *graph.Graph, k int) *graph.Graph {
	edges, normalised := g.Edges(), g.NormalizedWeights()
	order := make([]int, len(edges))
	for e := range order {
		order[e] = e
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(normalised[b].Weight, normalised[a].Weight) })
	var some []graph.Edge
	for _, e := range order[:min(k, len(order))] {
		some = append(some, edges[e])
	}
	return mustGraph(g.Names(), some)
}

// settle codes all signals on the edges of g.
func (r *run) settle(g *graph.Graph) {
	var w []float64
	r.all, w = dictionary.EdgesOf(g)
	r.engine.SetPairs(r.all)
	if r.err = r.recode(w, effort{width: sharpenings}); r.err == nil {
		r.engine.Refit(r.code)
	}
}

// sharpen fits weights and codes on the edges of g alone, without the signals
// whose codes are still wrong: what the others do not need goes to zero.
func (r *run) sharpen(g *graph.Graph) *graph.Graph {
	var w []float64
	r.all, w = dictionary.EdgesOf(g)
	r.engine.SetPairs(r.all)
	for pass := range sharpenings {
		if r.err = r.recode(w, effort{width: pass}); r.err != nil {
			return g
		}
		r.engine.Refit(r.code)
		value := newQuasiNewton(len(w), r.sharpener(r.all)).minimise(r.ctx, w, limits{steps: stepsPerSharpening, gain: 1e-3})
		r.normalise(w)
		if !r.report(Polishing, r.residual(), value, r.all, w) {
			break
		}
	}
	return r.graph(r.all, w)
}
