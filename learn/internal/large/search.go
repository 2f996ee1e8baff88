// Package large searches for a graph among candidate pairs, with atoms that are cut off
// where they are small.
package large

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// The search on large graphs, where neither all pairs of vertices nor
// whole atoms can be held. What differs from package dense:
//
//   - only candidate pairs have weights: at first the best neighbours of each
//     vertex (see fitting.CandidateNeighbours), later those left with a weight, and in every
//     round a few more whose derivative is most negative;
//   - atoms are truncated where they are small (see dictionary.Local);
//   - coding is a pursuit that works around each atom, with sweeps in place of beams;
//   - where the weights show no gap, each edge is tested against the noise (see
//     significance.go);
//   - there is one start, and nothing proves the answer: with truncated atoms, no
//     fit is exact.

const (
	// TruncationShare is the share of the energy up to which a residual may come
	// from truncating atoms.
	TruncationShare = 1e-3
	// searchStall is the share of the loss that a round must gain.
	searchStall = 0.05
	// Sharpenings is how often weights and codes take turns in the end.
	Sharpenings = 3
	// sharpenedEdges is how many edges are sharpened, over those before the gap.
	sharpenedEdges = 1.3

	// From is from how many vertices on graphs are learned here unless told otherwise:
	// where the dense search takes as long. On smaller graphs, whoever asks for the large
	// one is after its speed: it neither tests edges nor chooses kernels.
	From = 240
	// newNeighbours is how many pairs each vertex may bring in a round.
	newNeighbours = 2
)

// A search learns a large graph.
type search struct {
	task   job.Task
	fit    *fitting.Fit[*fitting.LocalEngine]
	scales *fitting.KernelMover[*fitting.LocalEngine] // moves the scales of the kernels; nil if they stay
}

func newSearch(t job.Task) search {
	e := fitting.NewLocal(t.Progress.Ctx, t.Data, t.Model, t.Settings.Threads, t.Memory)
	return search{task: t, fit: fitting.New(t.Data, t.Model, e, &t.Progress.Gradients)}
}

// Learn does a task with candidate pairs and local atoms.
func Learn(t job.Task) (*job.Answer, error) { return newSearch(t).learn() }

// candidates returns a view on the pairs of the neighbours, and their scores as
// weights.
func (l search) candidates(neighbours [][]fitting.Neighbour) (fitting.LocalView, []float64) {
	pairs, w := fitting.MergeNeighbours(neighbours)
	return l.fit.OverPairs(pairs), w
}

func (l search) learn() (*job.Answer, error) {
	p, side := l.task.Progress, l.task.Side
	p.Start, p.Round = 1, 0
	if l.task.Settings.Kernels == job.KernelsScaled {
		l.scales = fitting.NewKernelMover(l.fit, fitting.Scales{})
	}
	first, err := job.Remember(p, "candidates", func() ([][]fitting.Neighbour, error) {
		return fitting.CandidateNeighbours(p.Ctx, l.fit.Rows, nil, l.task.Settings.Threads, side.Allowed.Allows), nil
	})
	if err != nil {
		return nil, err
	}
	v, w := l.candidates(side.AddEdges(first))
	fitting.Normalise(w, v.N)
	side.Apply(v.Pairs, w)
	found, err := l.explore(v, w, first)
	if err == nil && l.task.Settings.Kernels == job.KernelsAuto && l.fit.N >= From {
		l, found, err = l.chooseKernels(found, first)
	}
	if err == nil && l.task.ChooseSparsity && l.fit.N >= From && l.fit.Missing == nil {
		l, found, err = l.chooseSparsity(found, first)
	}
	if job.Failed(err) {
		return nil, err
	}
	if err != nil {
		return l.finishSoon(found)
	}
	return job.Remember(p, "finish", func() (*job.Answer, error) {
		before := l.fit.Code.Clone()
		answer, err := l.finish(found, Sharpenings)
		if job.Interrupted(err) {
			l.fit.Code = before
			return l.finishSoon(found)
		}
		return answer, err
	})
}

// explore takes rounds from the weights w on, until they gain too little. If the
// context ends, what it has come to comes with job.ErrInterrupted.
func (l search) explore(v fitting.LocalView, w []float64, first [][]fitting.Neighbour) (searchPoint, error) {
	return job.Remember(l.task.Progress, "search", func() (searchPoint, error) { return l.runRounds(v, w, first) }, l)
}

func (l search) runRounds(v fitting.LocalView, w []float64, first [][]fitting.Neighbour) (found searchPoint, err error) {
	p := l.task.Progress
	found.status = method.Stalled
	stall := job.NewStall(searchStall, 1)
	loop, _, err := job.RememberLoop(p, &v.Pairs, &w, &stall, &found, l)
	if err != nil {
		return found, err
	}
	for {
		loop.Save()
		if p.Round == l.task.Settings.Rounds {
			found.status = method.MaxRounds
			break
		}
		p.Round++
		var value float64
		var loss *fitting.LocalLoss
		if value, loss, err = l.round(v, w); job.Failed(err) {
			return found, err
		}
		found.residuals = loss.Residuals
		if err != nil || stall.Done(value) {
			break
		}
		v, w = l.regrow(loss, w, first)
	}
	found.weights = fitting.GraphOf(v.Pairs, w)
	return found, err
}

// round codes and moves the weights w, in place, and the scales if they move. It returns the loss and its value.
// If the context ends, these are of the codes or weights that it has come to.
func (l search) round(v fitting.LocalView, w []float64) (float64, *fitting.LocalLoss, error) {
	loss := fitting.NewRobustLoss(v)
	residuals, err := v.Recode(w, fitting.CoderSetting{})
	if err != nil {
		return 0, loss, err
	}
	value := loss.Smooth(residuals)
	if err := l.task.Progress.Step(job.Coding, v.Relative(residuals), value, v.Pairs, w); err != nil {
		return value, loss, err
	}
	objective := l.task.Side.Prior.Penalised(loss.Evaluate, v.Pairs)
	value = fitting.Minimise(l.task.Progress.Ctx, objective, w, v.N, fitting.StepsPerRound, 1e-6)
	if l.scales != nil {
		value, _ = l.scales.Minimise(l.task.Progress.Ctx, loss, fitting.KernelSteps)
	}
	return value, loss, l.task.Progress.Step(job.GraphUpdate, v.Relative(loss.Residuals), value, v.Pairs, w)
}

// regrow drops the pairs that came to nothing and takes in those that promise
// most. A vertex that has lost all its edges starts over.
func (l search) regrow(loss *fitting.LocalLoss, w []float64, first [][]fitting.Neighbour) (fitting.LocalView, []float64) {
	neighbours := make([][]fitting.Neighbour, loss.N)
	degree := make([]float64, loss.N)
	loss.Pairs.Degrees(degree, w)
	for e, v := range w {
		if i, j := loss.Pairs.I[e], loss.Pairs.J[e]; v > 0 {
			neighbours[i] = append(neighbours[i], fitting.Neighbour{Vertex: j, Score: v})
		}
	}
	for u, list := range loss.Engine.CandidatePairs(loss.Code, loss.Weight, newNeighbours, l.task.Side.Allowed.Allows) {
		for _, v := range list {
			neighbours[u] = append(neighbours[u], fitting.Neighbour{Vertex: v, Score: 0})
		}
		if degree[u] == 0 {
			neighbours[u] = append(neighbours[u], first[u]...)
		}
	}
	return l.candidates(neighbours)
}

// finishSoon makes the answer after the context has ended: in short, or, if there is no
// time for that, by the cut alone. A cut at a threshold needs nothing else.
func (l search) finishSoon(found searchPoint) (*job.Answer, error) {
	p, engine := l.task.Progress, l.fit.Engine
	outer := p.Ctx
	defer func() { p.Ctx, engine.Ctx = outer, outer }()
	p.Ctx = run.Grace(outer)
	engine.Ctx = p.Ctx
	before := l.fit.Code.Clone()
	if p.Ctx.Err() == nil && l.task.Settings.Cut.Rule != graph.CutThreshold {
		answer, err := l.finish(found, 1)
		switch {
		case err == nil:
			return answer.EndedBy(job.ErrInterrupted)
		case job.Failed(err):
			return nil, err
		}
	}
	l.fit.Code = before
	kept, threshold := job.Cut(found.weights, l.task.Settings.Cut)
	end := tested{weights: found.weights, kept: kept, residuals: found.residuals}
	return l.answer(found, end, threshold, found.weights).EndedBy(job.ErrInterrupted)
}

// finish sharpens the weights that were found, in that many passes, cuts them and
// answers. With a single pass, edges that are to be tested are not sharpened before.
// If the context ends, it returns job.ErrInterrupted.
func (l search) finish(found searchPoint, passes int) (*job.Answer, error) {
	f, end := l.fit, tested{weights: found.weights, residuals: found.residuals}
	var threshold job.Threshold
	end.kept, threshold = job.Cut(end.weights, l.task.Settings.Cut)
	var err error
	if gap, _ := end.weights.CutAtGap(); gap.EdgeCount() > 0 && (passes > 1 || !l.wantsTest(end, threshold)) {
		end.weights, end.residuals, err = l.sharpen(fitting.Strongest(end.weights, int(sharpenedEdges*float64(gap.EdgeCount()))), passes)
		if err != nil {
			return nil, err
		}
		end.kept, threshold = job.Cut(end.weights, l.task.Settings.Cut)
	}
	if l.wantsTest(end, threshold) {
		if end, err = l.test(found.weights, passes); err != nil {
			return nil, err
		}
		threshold = job.ThresholdOf(end.weights, end.kept, threshold.Rule)
	}
	codedOn := end.weights
	if end.kept.EdgeCount() < end.weights.EdgeCount() && end.kept.EdgeCount() > 0 { // codes belong to the graph that is answered
		v, w := f.OnEdges(end.kept)
		if end.residuals, err = v.Recode(w, fitting.CoderSetting{Width: passes}); err != nil {
			return nil, err
		}
		if err := l.task.Progress.Ended(); err != nil {
			return nil, err
		}
		if end.path != nil {
			end.path = append(end.path, l.pathPoint(end.kept, end.residuals))
		}
		codedOn = nil
	}
	end.kept = fitting.Balance(end.kept)
	if codedOn == nil {
		codedOn = end.kept
	}
	return l.answer(found, end, threshold, codedOn), nil
}

// answer makes the answer of a graph that was cut out of weights.
func (l search) answer(found searchPoint, end tested, threshold job.Threshold, codedOn *graph.Graph) *job.Answer {
	threshold.Value = fitting.Lightest(end.kept)
	a := job.AnswerOf(l.fit, end.residuals)
	a.Model = fitting.Model{Kernels: l.fit.Engine.Kernels(), Sparsity: l.fit.Sparsity}
	a.Weights, a.Graph, a.CodedOn = end.weights, end.kept, codedOn
	a.Threshold, a.Rounds, a.Status = threshold, l.task.Progress.Round, found.status
	a.Large, a.Path = true, end.path
	return a
}

// sharpen fits weights and codes on the edges of g alone, without the signals
// whose codes are still wrong: what the others do not need goes to zero. If the
// context ends, what it has come to comes with job.ErrInterrupted.
func (l search) sharpen(g *graph.Graph, passes int) (sharp *graph.Graph, residuals fitting.Residuals, err error) {
	sharp, err = job.Remember(l.task.Progress, "sharpen", func() (sharp *graph.Graph, err error) {
		sharp, residuals, err = l.runSharpening(g, passes)
		return sharp, err
	}, &residuals, l)
	return sharp, residuals, err
}

func (l search) runSharpening(g *graph.Graph, passes int) (*graph.Graph, fitting.Residuals, error) {
	v, w := l.fit.OnEdges(g)
	var residuals fitting.Residuals
	pass := 0
	loop, _, err := job.RememberLoop(l.task.Progress, &pass, &w, &residuals, l)
	if err != nil {
		return nil, nil, err
	}
	for ; pass < passes; pass++ {
		loop.Save()
		coded, err := v.Recode(w, fitting.CoderSetting{Width: pass})
		if err != nil {
			return nil, nil, err
		}
		loss, objective := fitting.Sharpening(v, l.task.Side.Prior, coded)
		value := fitting.Minimise(l.task.Progress.Ctx, objective, w, v.N, fitting.StepsPerSharpening, 1e-3)
		residuals = loss.Residuals
		if err := l.task.Progress.Step(job.Polishing, v.Relative(residuals), value, v.Pairs, w); err != nil {
			return fitting.GraphOf(v.Pairs, w), residuals, err
		}
	}
	return fitting.GraphOf(v.Pairs, w), residuals, nil
}

// Code codes the codes that a large search has come to, the values that stand for
// missing ones, and the kernels if they move.
func (l search) Code(c *checkpoint.Coder) {
	c.All(&l.fit.Code, l.scales)
	if l.fit.Missing != nil {
		values := l.fit.Engine.Imputed(l.fit.Missing)
		if c.Floats(&values); c.Reading() {
			l.fit.Engine.SetImputed(l.fit.Missing, values)
		}
	}
}
