package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/solver"
)

// [Sparse] on large graphs, where neither all pairs of vertices nor
// whole atoms can be held. What differs from default.go:
//
//   - only candidate pairs have weights: at first the best neighbours of each
//     vertex (see candidate_pairs.go), later those left with a weight, and in every
//     round a few more whose derivative is most negative;
//   - atoms are truncated where they are small (see dictionary.Local);
//   - coding is a pursuit that works around each atom, with sweeps in place of beams;
//   - where the weights show no gap, each edge is tested against the noise (see
//     significance.go);
//   - there is one start, and nothing proves the answer: with truncated atoms, no
//     fit is exact.

const (
	// truncationShare is the share of the energy up to which a residual may come
	// from truncating atoms.
	truncationShare = 1e-3
	// searchStall is the share of the loss that a round must gain.
	searchStall = 0.05
	// sharpenings is how often weights and codes take turns in the end.
	sharpenings = 3
	// sharpenedEdges is how many edges are sharpened, over those before the gap.
	sharpenedEdges = 1.3

	// choosingVertices is from how many vertices on the large search tests edges and
	// chooses kernels. On smaller graphs, whoever asks for it is after its speed: what
	// needs more than the search is for the dense one.
	choosingVertices = 300
	// newNeighbours is how many pairs each vertex may bring in a round.
	newNeighbours = 2
)

// A largeSearch learns a large graph.
type largeSearch struct {
	task   task
	fit    *fit[*localEngine]
	scales *kernelMover[*localEngine] // moves the scales of the kernels; nil if they stay
}

func newLargeSearch(t task) largeSearch {
	e := newLocalEngine(t.progress.ctx, t.data, t.model, t.settings.Threads, t.memory)
	return largeSearch{task: t, fit: newFit(t.data, t.model, e, &t.progress.gradients)}
}

// learnLarge does a task with candidate pairs and local atoms.
func learnLarge(t task) (*answer, error) { return newLargeSearch(t).learn() }

// candidates returns a view on the pairs of the neighbours, and their scores as
// weights.
func (l largeSearch) candidates(neighbours [][]neighbour) (view[*localEngine], []float64) {
	pairs, w := mergeNeighbours(neighbours)
	return l.fit.overPairs(pairs), w
}

func (l largeSearch) learn() (*answer, error) {
	p, side := l.task.progress, l.task.side
	p.start, p.round = 1, 0
	if l.task.settings.Kernels == innerKernelsScaled {
		l.scales = newKernelUpdate(l.fit, kernelScales{})
	}
	first, err := remembered(p, "candidates", codeNeighbours, func() ([][]neighbour, error) {
		return candidateNeighbours(p.ctx, l.fit.yt, nil, l.task.settings.Threads, side.allowed.allows), nil
	})
	if err != nil {
		return nil, err
	}
	v, w := l.candidates(side.addEdges(first))
	normalise(w, v.n)
	side.apply(v.pairs, w)
	found, err := l.search(v, w, first)
	if err == nil && l.task.settings.Kernels == innerKernelsAuto && l.fit.n >= choosingVertices {
		l, found, err = l.chooseKernels(found, first)
	}
	if err == nil && l.task.chooseSparsity && l.fit.n >= choosingVertices && l.fit.missing == nil {
		l, found, err = l.chooseSparsity(found, first)
	}
	if failed(err) {
		return nil, err
	}
	if err != nil {
		return l.finishSoon(found)
	}
	return remembered(p, "finish", codeAnswer, func() (*answer, error) {
		before := l.fit.code.Clone()
		answer, err := l.finish(found, sharpenings)
		if interrupted(err) {
			l.fit.code = before
			return l.finishSoon(found)
		}
		return answer, err
	})
}

// search takes rounds from the weights w on, until they gain too little. If the
// context ends, what it has come to comes with errInterrupted.
func (l largeSearch) search(v view[*localEngine], w []float64, first [][]neighbour) (searchPoint, error) {
	return remembered(l.task.progress, "search", l.codePoint, func() (searchPoint, error) { return l.searchAnew(v, w, first) })
}

func (l largeSearch) searchAnew(v view[*localEngine], w []float64, first [][]neighbour) (found searchPoint, err error) {
	p := l.task.progress
	found.status = solver.Stalled
	stall := rememberedStall{Stall: solver.Stall{Tolerance: searchStall, Patience: 1}}
	loop, _, err := rememberLoop(p, func(c *checkpoint.Coder) {
		codePairs(c, &v.pairs)
		c.Floats(&w)
		stall.code(c)
		l.codePoint(c, &found)
	})
	if err != nil {
		return found, err
	}
	for {
		loop.save()
		if p.round == l.task.settings.Rounds {
			found.status = solver.MaxRounds
			break
		}
		p.round++
		var value float64
		var loss *robustLoss[*localEngine]
		if value, loss, err = l.round(v, w); failed(err) {
			return found, err
		}
		found.residuals = loss.residuals
		if err != nil || stall.Done(value) {
			break
		}
		v, w = l.regrow(loss, w, first)
	}
	found.weights = graphOf(v.pairs, w)
	return found, err
}

// round codes and moves the weights w, in place, and the scales if they move. It returns the loss and its value.
// If the context ends, these are of the codes or weights that it has come to.
func (l largeSearch) round(v view[*localEngine], w []float64) (float64, *robustLoss[*localEngine], error) {
	loss := newRobustLoss(v)
	residuals, err := v.recode(w, coderSetting{})
	if err != nil {
		return 0, loss, err
	}
	value := loss.smooth(residuals)
	if err := l.task.progress.step(coding, v.relative(residuals), value, v.pairs, w); err != nil {
		return value, loss, err
	}
	newton := newQuasiNewton(len(w), l.task.side.prior.penalised(loss.evaluate, v.pairs))
	value = newton.minimise(l.task.progress.ctx, w, limits{steps: stepsPerRound, gain: 1e-6})
	normalise(w, v.n)
	if l.scales != nil {
		value, _ = l.scales.minimise(l.task.progress.ctx, loss, kernelSteps)
	}
	return value, loss, l.task.progress.step(graphUpdate, v.relative(loss.residuals), value, v.pairs, w)
}

// regrow drops the pairs that came to nothing and takes in those that promise
// most. A vertex that has lost all its edges begins anew.
func (l largeSearch) regrow(loss *robustLoss[*localEngine], w []float64, first [][]neighbour) (view[*localEngine], []float64) {
	neighbours := make([][]neighbour, loss.n)
	degree := make([]float64, loss.n)
	loss.pairs.Degrees(degree, w)
	for e, v := range w {
		if i, j := loss.pairs.I[e], loss.pairs.J[e]; v > 0 {
			neighbours[i] = append(neighbours[i], neighbour{j, v})
		}
	}
	for u, list := range loss.engine.CandidatePairs(loss.code, loss.weight, newNeighbours, l.task.side.allowed.allows) {
		for _, v := range list {
			neighbours[u] = append(neighbours[u], neighbour{v, 0})
		}
		if degree[u] == 0 {
			neighbours[u] = append(neighbours[u], first[u]...)
		}
	}
	return l.candidates(neighbours)
}

// finishSoon makes the answer after the context has ended: in short, or, if there is no
// time for that, by the cut alone. A cut at a threshold needs nothing else.
func (l largeSearch) finishSoon(found searchPoint) (*answer, error) {
	p, engine := l.task.progress, l.fit.engine
	outer := p.ctx
	defer func() { p.ctx, engine.ctx = outer, outer }()
	p.ctx = solver.Grace(outer)
	engine.ctx = p.ctx
	before := l.fit.code.Clone()
	if p.ctx.Err() == nil && l.task.settings.Cut.Rule != graph.CutThreshold {
		answer, err := l.finish(found, 1)
		switch {
		case err == nil:
			return answer.endedBy(errInterrupted)
		case failed(err):
			return nil, err
		}
	}
	l.fit.code = before
	kept, threshold := cut(found.weights, l.task.settings.Cut)
	return l.answer(found, tested{weights: found.weights, kept: kept, residuals: found.residuals}, threshold, found.weights).endedBy(errInterrupted)
}

// finish sharpens the weights that were found, in so many passes, cuts them and
// answers. With a single pass, edges that are to be tested are not sharpened before.
// If the context ends, it returns errInterrupted.
func (l largeSearch) finish(found searchPoint, passes int) (*answer, error) {
	f, end := l.fit, tested{weights: found.weights, residuals: found.residuals}
	var threshold innerThreshold
	end.kept, threshold = cut(end.weights, l.task.settings.Cut)
	var err error
	if gap, _ := end.weights.CutAtGap(); gap.EdgeCount() > 0 && (passes > 1 || !l.wantsTest(end, threshold)) {
		end.weights, end.residuals, err = l.sharpen(strongest(end.weights, int(sharpenedEdges*float64(gap.EdgeCount()))), passes)
		if err != nil {
			return nil, err
		}
		end.kept, threshold = cut(end.weights, l.task.settings.Cut)
	}
	if l.wantsTest(end, threshold) {
		if end, err = l.test(found.weights, passes); err != nil {
			return nil, err
		}
		threshold = thresholdOf(end.weights, end.kept, threshold.Rule)
	}
	codedOn := end.weights
	if end.kept.EdgeCount() < end.weights.EdgeCount() && end.kept.EdgeCount() > 0 { // codes belong to the graph that is answered
		v, w := f.onEdges(end.kept)
		if end.residuals, err = v.recode(w, coderSetting{width: passes}); err != nil {
			return nil, err
		}
		if err := l.task.progress.ended(); err != nil {
			return nil, err
		}
		if end.path != nil {
			end.path = append(end.path, l.pathPoint(end.kept, end.residuals))
		}
		codedOn = nil
	}
	end.kept = balance(end.kept)
	if codedOn == nil {
		codedOn = end.kept
	}
	return l.answer(found, end, threshold, codedOn), nil
}

// answer makes the answer of a graph that was cut out of weights.
func (l largeSearch) answer(found searchPoint, end tested, threshold innerThreshold, codedOn *graph.Graph) *answer {
	f := l.fit
	threshold.Value = lightest(end.kept)
	return &answer{
		model: innerModel{Kernels: f.engine.Kernels(), Sparsity: f.sparsity}, weights: end.weights, graph: end.kept, codes: f.code, codedOn: codedOn, residuals: end.residuals,
		residual: f.relative(end.residuals), objective: f.relative(end.residuals), threshold: threshold, rounds: l.task.progress.round, status: found.status,
		unexplained: len(f.unexplained(end.residuals)), entries: f.spareEntries() + f.sparsity, large: true, path: end.path,
	}
}

// sharpen fits weights and codes on the edges of g alone, without the signals
// whose codes are still wrong: what the others do not need goes to zero. If the
// context ends, what it has come to comes with errInterrupted.
func (l largeSearch) sharpen(g *graph.Graph, passes int) (sharp *graph.Graph, residuals residualEnergies, err error) {
	sharp, err = remembered(l.task.progress, "sharpen", func(c *checkpoint.Coder, sharp **graph.Graph) {
		c.Graph(sharp)
		codeResiduals(c, &residuals)
		l.code(c)
	}, func() (sharp *graph.Graph, err error) {
		sharp, residuals, err = l.sharpenAnew(g, passes)
		return sharp, err
	})
	return sharp, residuals, err
}

func (l largeSearch) sharpenAnew(g *graph.Graph, passes int) (*graph.Graph, residualEnergies, error) {
	v, w := l.fit.onEdges(g)
	var residuals residualEnergies
	pass := 0
	loop, _, err := rememberLoop(l.task.progress, func(c *checkpoint.Coder) {
		c.Int(&pass)
		c.Floats(&w)
		codeResiduals(c, &residuals)
		l.code(c)
	})
	if err != nil {
		return nil, nil, err
	}
	for ; pass < passes; pass++ {
		loop.save()
		coded, err := v.recode(w, coderSetting{width: pass})
		if err != nil {
			return nil, nil, err
		}
		loss, objective := sharpening(v, l.task.side.prior, coded)
		value := newQuasiNewton(len(w), objective).minimise(l.task.progress.ctx, w, limits{steps: stepsPerSharpening, gain: 1e-3})
		normalise(w, v.n)
		residuals = loss.residuals
		if err := l.task.progress.step(polishing, v.relative(residuals), value, v.pairs, w); err != nil {
			return graphOf(v.pairs, w), residuals, err
		}
	}
	return graphOf(v.pairs, w), residuals, nil
}
