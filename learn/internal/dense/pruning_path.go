package dense

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// The pruning path: where the sorted weights show no gap, edges are removed step
// by step, the lightest first, and what is left is refitted each time. That
// ranks them better than the weights of one fit do: an edge that only stands in
// for others loses its weight when these are refitted. The cut is where the path
// bends: before it edges cost nothing to remove, after it every one does.

const (
	// pathFolds is how many parts the signals are cut into, of which some are held out.
	pathFolds = 4
	// pathWidth is the beam on the path.
	pathWidth = 4
	// fewSignals is the number of signals below which none is held out.
	fewSignals = 24
	// predictable is the prediction above which it, and not the error of the codes,
	// tells where the path bends. Signals of a smooth field, which neighbours
	// predict, can be coded on many graphs; signals of few scattered atoms are
	// predicted by nothing, but coded well on few.
	predictable = 0.15
)

// prune returns what the pruning path makes of weights, and the path, or kept if
// the gap after it is clear. If the context ends before the path does, kept comes
// with job.ErrInterrupted.
func (a *attempt) prune(weights, kept *graph.Graph, threshold job.Threshold) (*graph.Graph, []job.PathPoint, error) {
	if a.task.Side.Prior != nil {
		return kept, nil, nil // the path would forget it
	}
	if !a.task.lowPass && job.ClearGap(weights, kept, threshold.Gap) {
		return kept, nil, nil
	}
	edges := 0
	if threshold.Rule == graph.CutEdges {
		edges = kept.EdgeCount()
	}
	path, err := job.Remember(a.task.Progress, "path", func() ([]job.PathPoint, error) { return a.path(weights, edges) }, a)
	switch {
	case err != nil:
		return kept, path, err
	case edges > 0:
		return path[len(path)-1].Graph, path, nil
	}
	return atBend(path), path, nil
}

// path prunes the graph from to about half an edge per vertex, or to exactly the
// given number of edges if that is not zero. Its codes are left as those of the
// last graph.
func (a *attempt) path(from *graph.Graph, edges int) ([]job.PathPoint, error) {
	folds := foldsOf(a.fit.M, a.pace.pathSignals, a.task.Settings.Seed)
	folds = folds[:min(len(folds), a.pace.pathFits)]
	last := max(a.fit.N/2, 1)
	if edges > 0 {
		last = edges
	}
	var path []job.PathPoint
	g := from
	loop, _, err := job.RememberLoop(a.task.Progress, &path, &g, a)
	if err != nil {
		return nil, err
	}
	for {
		loop.Save()
		v, w := a.fit.OnEdges(g)
		point, residuals, err := a.crossFit(v, w, folds)
		if err != nil {
			return path, err
		}
		g = fitting.GraphOf(v.Pairs, w)
		point.Edges, point.Graph = g.EdgeCount(), g
		path = append(path, point)
		if err := a.task.Progress.Step(job.Pruning, v.Relative(residuals), point.CodeError, v.Pairs, w); err != nil {
			return path, err
		}
		next := max(int(a.pace.pathKeeps*float64(point.Edges)), last)
		if next >= point.Edges {
			return path, nil
		}
		g = fitting.Strongest(g, next)
	}
}

// A fold is a part of the signals, test, and the rest of them.
type fold struct{ train, test []int }

// foldsOf cuts m signals, or some of them if they are more than most, into parts; if
// they are few, there is one, of all.
func foldsOf(m, most int, seed uint64) []fold {
	if m < fewSignals {
		return []fold{{matrix.Span(0, m), matrix.Span(0, m)}}
	}
	folds := make([]fold, pathFolds)
	order := rng.Stream(seed, "path").Perm(m)
	for k, m := range order[:min(m, most)] {
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
// and scores the fits by that part. It leaves the mean of the weights in w, and
// returns the residuals of the last fit.
func (a *attempt) crossFit(v fitting.DenseView, w []float64, folds []fold) (point job.PathPoint, residuals fitting.Residuals, err error) {
	yt := a.fit.Rows.RawMatrix()
	var errors, meanErrors float64
	mean := make([]float64, len(w))
	for _, f := range folds {
		own := slices.Clone(w)
		if residuals, err = a.fitFold(v, own, f); err != nil {
			return point, nil, err
		}
		floats.AddScaled(mean, 1/float64(len(folds)), own)
		point.CodeError += v.RelativeOf(f.test, residuals) / float64(len(folds))
		e, meanError := fitting.PredictVertices(fitting.EigenOf(v.Engine.Spectral), v.Engine.Kernels(), yt, f.train, f.test)
		errors, meanErrors = errors+portable.Sum(e), meanErrors+portable.Sum(meanError)
	}
	copy(w, mean)
	point.Prediction = 1 - errors/meanErrors
	return point, residuals, nil
}

// fitFold fits the weights w, in place, to the signals of a fold, with fresh codes
// of these, and codes its other signals again.
func (a *attempt) fitFold(v fitting.DenseView, w []float64, f fold) (fitting.Residuals, error) {
	if _, err := v.RecodeSome(w, fitting.Beams(pathWidth), f.train); err != nil {
		return nil, err
	}
	loss := fitting.NewTrimmedLoss(v, f.train)
	fitting.Minimise(a.task.Progress.Ctx, loss.Evaluate, w, v.N, a.pace.pathSteps, 1e-4)
	return v.RecodeSome(w, fitting.Beams(pathWidth), f.test)
}

// atBend returns the graph where the path bends: of the graphs around the bend,
// the one before the largest step in the sorted weights, as they are when there
// are still some edges too many.
func atBend(path []job.PathPoint) *graph.Graph {
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
	return fitting.Strongest(g, best)
}

// bendFrom and bendUpto are how far from the bend the cut may be, as shares of
// its edges.
const bendFrom, bendUpto = 0.85, 1.3

// bend returns the index where the path bends.
func bend(path []job.PathPoint) int {
	edges, score := make([]float64, len(path)), make([]float64, len(path))
	var best float64
	for _, p := range path {
		best = max(best, p.Prediction)
	}
	for k, p := range path {
		edges[k], score[k] = float64(p.Edges), -math.Log(p.CodeError+1e-12)
		if best > predictable {
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
