package large

import (
	"math"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
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
	// outlying is how many standard deviations of the residuals above their median one
	// tells that its code is wrong.
	outlying = 3
	// truncationWeight is the share of a typical weight that truncating atoms may give
	// an edge: it does the same in all signals, so that no test of noise sees it.
	truncationWeight = 0.1
)

// sureLevel is how many standard errors above zero the largest of as many weights as
// there are pairs of n vertices is about, if there is nothing but noise.
func sureLevel(n int) float64 { return math.Sqrt(2 * math.Log(float64(n)*float64(n-1)/2)) }

// wantsTest reports whether the cut that was made is a guess that testing the edges
// can better. Without noise it cannot: what is wrong is the codes. With noise, a large
// gap after which there is next to nothing says little.
func (l search) wantsTest(end tested, threshold job.Threshold) bool {
	if threshold.Rule != graph.CutAuto || l.fit.N < From || l.task.Side.Prior != nil { // which the test would forget
		return false
	}
	dropped := end.weights.EdgeCount() - end.kept.EdgeCount()
	noisy := l.fit.Relative(end.residuals) > TruncationShare
	return noisy && (!job.ClearGap(end.weights, end.kept, threshold.Gap) || 5*dropped < end.kept.EdgeCount())
}

// tested are weights, and what a cut or a test has left of them.
type tested struct {
	weights, kept *graph.Graph
	residuals     fitting.Residuals // of the codes there are
	path          []job.PathPoint
}

// test tests the edges of the weights, and fits those that are sure; twice, unless there
// is to be a single pass. The path begins with all of them.
func (l search) test(weights *graph.Graph, passes int) (t tested, err error) {
	v, w := l.fit.OnEdges(weights)
	if t.residuals, err = v.Recode(w, fitting.CoderSetting{Width: passes}); err != nil {
		return t, err
	}
	loss := fitting.WithoutOutliers(v, t.residuals, outlying)
	fitting.Minimise(l.task.Progress.Ctx, loss.Evaluate, w, v.N, fitting.StepsPerSharpening, 1e-3)
	t.weights, t.residuals = fitting.GraphOf(v.Pairs, w), loss.Residuals
	all := l.pathPoint(t.weights, t.residuals)
	t.path = []job.PathPoint{all}
	if err := l.task.Progress.Step(job.Pruning, all.CodeError, all.CodeError, v.Pairs, w); err != nil {
		return t, err
	}
	if t.kept, t.residuals, err = l.keepSure(loss, w); err != nil || t.kept.EdgeCount() == 0 || passes == 1 {
		return t, err
	}
	// With most of the wrong edges gone, more codes are right, and edges that only
	// wrong codes asked for no longer pass.
	v, w = l.fit.OnEdges(t.kept)
	residuals, err := v.Recode(w, fitting.CoderSetting{Width: passes})
	if err != nil {
		return t, err
	}
	t.kept, t.residuals, err = l.keepSure(fitting.WithoutOutliers(v, residuals, outlying), w)
	return t, err
}

// keepSure returns the edges that noise cannot have given their weights w, refitted,
// and what the codes then leave over.
func (l search) keepSure(loss *fitting.TrimmedLoss[*fitting.LocalEngine], w []float64) (*graph.Graph, fitting.Residuals, error) {
	scores, err := standardScores(loss, w, l.task.Settings.Seed)
	if err != nil {
		return nil, nil, err
	}
	level := sureLevel(loss.N)
	for e, score := range scores {
		if score <= level {
			w[e] = 0
		}
	}
	kept := fitting.GraphOf(loss.Pairs, w).AboveShare(truncationWeight)
	if kept.EdgeCount() == 0 {
		return kept, loss.Residuals, nil
	}
	return l.sharpen(kept, 1)
}

// pathPoint returns a graph as a point of the path. Nothing is held out: the codes
// are those of all signals.
func (l search) pathPoint(g *graph.Graph, residuals fitting.Residuals) job.PathPoint {
	return job.PathPoint{Edges: g.EdgeCount(), CodeError: l.fit.Relative(residuals), Prediction: math.NaN(), Graph: g}
}

// standardScores returns by how many standard errors each of the weights w is above
// zero, by the signals that the loss has not left out.
func standardScores(loss *fitting.TrimmedLoss[*fitting.LocalEngine], w []float64, seed uint64) ([]float64, error) {
	residuals, err := loss.RefitAt(w)
	if err != nil {
		return nil, err
	}
	var rest, spare float64
	used := make([]float64, loss.M)
	for m, weight := range loss.Weight {
		if weight > 0 {
			atoms, _ := loss.Code.Column(m)
			rest, spare = rest+residuals[m], spare+float64(loss.Seen(m)-len(atoms))
			used[m] = 1
		}
	}
	variance := rest / max(spare-float64(len(w)), 1)
	scores := make([]float64, len(w))
	loss.Engine.Information(scores, loss.Code, used, loss.Missing, informationProbes, seed)
	for e, info := range scores {
		scores[e] = w[e] * math.Sqrt(info/variance)
	}
	return scores, nil
}
