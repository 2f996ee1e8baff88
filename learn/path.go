package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/sparse"
)

// The pruning path: where the sorted weights show no gap, edges are taken away
// by and by, the lightest first, and what is left is fitted anew each time. That
// ranks them better than the weights of one fit do: an edge that only stands in
// for others loses its weight when these are refitted. The cut is where the path
// bends: before it edges cost nothing to take away, after it every one does.

// A PathPoint is a graph on the pruning path.
type PathPoint struct {
	Edges int
	// CodeError is ‖Y − DX‖²/‖Y‖² of signals that the weights were not fitted to.
	CodeError float64
	// Prediction is the share of the variance of a vertex, beyond the mean of the
	// others, that the others predict, in the same signals.
	Prediction float64
	Graph      *graph.Graph
}

const (
	// pathStep is the share of the edges that each step of the path keeps.
	pathStep = 0.92
	// pathSteps bounds the quasi-Newton steps of one fit on the path.
	pathSteps = 10
	// pathFolds is how many parts of the signals are held out in turn.
	pathFolds = 4
	// pathWidth is the beam on the path.
	pathWidth = 4
	// pathSignals is the most signals that the path looks at. With more, it takes
	// longer and bends at the same place.
	pathSignals = 800
	// fewSignals is the number of signals below which none is held out.
	fewSignals = 24
	// foretold is the prediction above which it, and not the error of the codes,
	// tells where the path bends. Signals of a field, which neighbours foretell,
	// can be coded on many graphs; signals of few scattered atoms are foretold by
	// nothing, but coded well on few.
	foretold = 0.15
)

// pruned returns what the pruning path makes of weights, or kept if the gap
// after it is clear.
func (r *run) pruned(weights, kept *graph.Graph, threshold Threshold) *graph.Graph {
	if r.prior != nil {
		return kept // the path would forget it
	}
	if !r.field && clearGap(weights, kept, threshold.Gap) {
		return kept
	}
	edges := 0
	if threshold.Rule == graph.CutEdges {
		edges = kept.EdgeCount()
	}
	r.pruning = r.path(weights, edges)
	switch {
	case len(r.pruning) == 0 || !r.going(): // the path did not come to its end
		return kept
	case edges > 0:
		return r.pruning[len(r.pruning)-1].Graph
	}
	return atBend(r.pruning)
}

// path prunes the graph from to about half an edge a vertex, or to exactly the
// given number of edges if that is not zero.
func (r *run) path(from *graph.Graph, edges int) []PathPoint {
	folds := r.folds()
	yt := linalg.Transposed(r.y)
	last := max(r.n/2, 1)
	if edges > 0 {
		last = edges
	}
	defer func() { r.engine.SetPairs(r.all) }()
	var path []PathPoint
	for g := from; r.going(); {
		pairs, w := dictionary.EdgesOf(g)
		r.engine.SetPairs(pairs)
		point := r.crossFit(w, yt, folds)
		if r.err != nil {
			break
		}
		g = r.graph(pairs, w)
		point.Edges, point.Graph = g.EdgeCount(), g
		path = append(path, point)
		next := max(int(pathStep*float64(point.Edges)), last)
		if !r.report(Pruning, r.residual(), point.CodeError, pairs, w) || next >= point.Edges {
			break
		}
		g = strongest(g, next)
	}
	return path
}

// A fold is a part of the signals, test, and the rest of them.
type fold struct{ train, test []int }

// folds cuts the signals into parts; if they are few, there is one, of all.
func (r *run) folds() []fold {
	if r.m < fewSignals {
		return []fold{{r.everySignal(), r.everySignal()}}
	}
	folds := make([]fold, pathFolds)
	order := rng.Stream(r.options.Seed, "path").Perm(r.m)
	for k, m := range order[:min(r.m, pathSignals)] {
		for f := range folds {
			if k%pathFolds == f {
				folds[f].test = append(folds[f].test, m)
			} else {
				folds[f].train = append(folds[f].train, m)
			}
		}
	}
	return folds
}

// crossFit fits the weights w to all but one part of the signals, for each part,
// and scores the fits by that part. It leaves the mean of the weights in w.
func (r *run) crossFit(w []float64, yt linalg.Dense, folds []fold) PathPoint {
	var point PathPoint
	var missed, rivals float64
	mean := make([]float64, len(w))
	for _, f := range folds {
		own := slices.Clone(w)
		r.refitOn(own, f.train, f.test)
		if r.err != nil {
			return point
		}
		floats.AddScaled(mean, 1/float64(len(folds)), own)
		point.CodeError += r.codeError(f.test) / float64(len(folds))
		errors, rival := neighbourly(eigenOf(r.dense.Spectral), r.kernels, yt, f.train, f.test)
		missed, rivals = missed+floats.Sum(errors), rivals+floats.Sum(rival)
	}
	copy(w, mean)
	point.Prediction = 1 - missed/rivals
	return point
}

// refitOn fits the weights w, in place, to some signals, with fresh codes of
// these, and leaves fresh codes of those to test.
func (r *run) refitOn(w []float64, signals, test []int) {
	if r.err = r.recodeSome(w, signals); r.err != nil {
		return
	}
	clear(r.weight)
	for _, m := range signals {
		r.weight[m] = 1 / r.energy
	}
	newQuasiNewton(len(w), r.trimmed).minimise(r.ctx, w, limits{steps: pathSteps, gain: 1e-4})
	r.normalise(w)
	if r.err = r.recodeSome(w, test); r.err == nil {
		r.engine.Refit(r.code)
	}
}

// recodeSome codes the given signals anew for the graph of w.
func (r *run) recodeSome(w []float64, signals []int) error {
	if err := r.engine.Place(w); err != nil {
		return err
	}
	r.engine.Encode(r.code, effort{sparse.Beam, pathWidth}, signals)
	return nil
}

// codeError returns the relative residual of some signals, as last computed.
func (r *run) codeError(signals []int) float64 {
	var left, energy float64
	for _, m := range signals {
		left += r.engine.Residuals()[m]
		energy += r.engine.SignalEnergy(m)
	}
	if energy == 0 {
		return 0
	}
	return left / energy
}

// atBend returns the graph where the path bends: of the graphs around the bend,
// the one before the largest step in the sorted weights, as they are when there
// are still some edges too many.
func atBend(path []PathPoint) *graph.Graph {
	at := bend(path)
	edges := path[at].Edges
	wide := at
	for wide > 0 && float64(path[wide].Edges) < bendUpto*float64(edges) {
		wide--
	}
	g, best, ratio := path[wide].Graph, edges, 1.0
	for k := int(bendFrom * float64(edges)); k <= int(bendUpto*float64(edges)) && k < g.EdgeCount(); k++ {
		if step := g.GapAfter(k); step > ratio {
			best, ratio = k, step
		}
	}
	return strongest(g, best)
}

// bendFrom and bendUpto are how far from the bend the cut may be, as shares of
// its edges.
const bendFrom, bendUpto = 0.85, 1.3

// bend returns the index where the path bends.
func bend(path []PathPoint) int {
	edges, score := make([]float64, len(path)), make([]float64, len(path))
	var best float64
	for _, p := range path {
		best = max(best, p.Prediction)
	}
	for k, p := range path {
		edges[k], score[k] = float64(p.Edges), -math.Log(p.CodeError+1e-12)
		if best > foretold {
			score[k] = p.Prediction
		}
	}
	return knee(edges, score)
}

// knee returns the index where y, which rises with x, stands highest above the
// straight line from its least to its greatest value ([satopaa2011]); the first
// of several.
func knee(x, y []float64) int {
	least, most := floats.Min(x), floats.Max(x)
	low, high := floats.Min(y), floats.Max(y)
	best, at := math.Inf(-1), 0
	for k := range x {
		above := 0.0
		if high > low {
			above = (y[k] - low) / (high - low)
		}
		if most > least {
			above -= (x[k] - least) / (most - least)
		}
		if above > best {
			best, at = above, k
		}
	}
	return at
}
