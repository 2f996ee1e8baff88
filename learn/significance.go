package learn

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
)

// The cut of large graphs where the sorted weights show no gap. An edge stays if
// noise cannot have given it its weight: with H_e the information that the signals
// have about the weight w_e (see dictionary.Local.Information) and σ² the variance
// of what codes leave over, w_e·√H_e/σ is normal with variance 1 where there is no
// edge. The test comes while there are many edges too many: these take up what codes
// that are still wrong leave over. Once the weights are fitted to fewer edges, those
// left look surer than they are.

const (
	// informationProbes is how many draws of noise the information is estimated from:
	// a standard error is right to within a sixth or so.
	informationProbes = 16
	// testedVertices is from how many vertices on edges are tested. On smaller graphs,
	// noise is for the dense engine, and its pruning path.
	testedVertices = 300
)

// sureLevel is how many standard errors above zero the largest of as many weights as
// there are pairs of n vertices is about, if there is nothing but noise.
func sureLevel(n int) float64 { return math.Sqrt(2 * math.Log(float64(n)*float64(n-1)/2)) }

// wantsTest says whether the cut that was made is a guess that testing the edges
// can better.
func (l largeSearch) wantsTest(weights, kept *graph.Graph, threshold Threshold) bool {
	return threshold.Rule == graph.CutAuto && l.fit.n >= testedVertices &&
		l.task.side.prior == nil && // which the test would forget
		kept.EdgeCount() > 0 && !clearGap(weights, kept, threshold.Gap)
}

// tested are weights, and what a test has left of them.
type tested struct {
	weights, kept *graph.Graph
	residuals     residualEnergies // of the codes there are
	path          []PathPoint
}

// test tests the edges of the weights, after it has let in pairs that were
// overlooked, and fits what is left. The path begins with all of them.
func (l largeSearch) test(weights *graph.Graph, first [][]neighbour) (t tested, err error) {
	if t.weights, err = l.letIn(weights, first); err != nil {
		return t, err
	}
	if t.weights, _, err = l.sharpen(t.weights, 1); err != nil {
		return t, err
	}
	v, w := l.fit.onEdges(t.weights)
	if t.residuals, err = v.recode(w, coderSetting{width: sharpenings}); err != nil {
		return t, err
	}
	all := l.pathPoint(t.weights, t.residuals)
	t.path = []PathPoint{all}
	if err := l.task.progress.step(Pruning, all.CodeError, all.CodeError, v.pairs, w); err != nil {
		return t, err
	}
	level, sure := sureLevel(v.n), slices.Clone(w)
	for e, score := range standardScores(v, w, t.residuals, l.task.options.Seed) {
		if score <= level {
			sure[e] = 0
		}
	}
	if t.kept = graphOf(v.pairs, sure); t.kept.EdgeCount() > 0 {
		t.kept, t.residuals, err = l.sharpen(t.kept, 1)
	}
	return t, err
}

// pathPoint returns a graph as a point of the path. Nothing is held out: the codes
// are those of all signals.
func (l largeSearch) pathPoint(g *graph.Graph, residuals residualEnergies) PathPoint {
	return PathPoint{Edges: g.EdgeCount(), CodeError: l.fit.relative(residuals), Prediction: math.NaN(), Graph: g}
}

// letIn gives weights to pairs beside the edges of g that promise most, and to those
// that a vertex without an edge began with.
func (l largeSearch) letIn(g *graph.Graph, first [][]neighbour) (*graph.Graph, error) {
	v, w := l.fit.onEdges(g)
	residuals, err := v.refitAt(w)
	if err != nil {
		return nil, err
	}
	loss := newRobustLoss(v)
	loss.smooth(residuals)
	v, w = l.regrow(loss, w, first)
	_, _, err = l.round(v, w)
	return graphOf(v.pairs, w), err
}

// standardScores returns by how many standard errors each weight is above zero. The
// residuals must be those of the last refit, at the weights w.
func standardScores(v view[*localEngine], w []float64, residuals residualEnergies, seed uint64) []float64 {
	entries := float64(v.m * (v.spareEntries() + v.sparsity))
	variance := floats.Sum(residuals) / max(entries-float64(v.code.NonZeros()+len(w)), 1)
	scores := make([]float64, len(w))
	v.engine.Information(scores, v.code, v.missing, informationProbes, seed)
	for e, info := range scores {
		scores[e] = w[e] * math.Sqrt(info/variance)
	}
	return scores
}
