package learn

import (
	"math"
	"time"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/solver"
)

// finish makes the answer of the best point: cut, refitted and coded anew. If the
// context ends, that is done again in short.
func (a *attempt) finish(best candidate, status solver.Status) (*answer, error) {
	found, err := a.finishAtPace(best, status)
	if interrupted(err) {
		return a.finishSoon(best)
	}
	return found, err
}

// finishAtPace does so, or returns errInterrupted if the context ends.
func (a *attempt) finishAtPace(best candidate, status solver.Status) (*answer, error) {
	a.fit.code = best.code.Clone()
	a.fit.engine.SetKernels(best.kernels)
	o := a.task.settings
	kept, threshold := cut(best.weights, o.Cut)
	var path []innerPathPoint
	var err error
	switch {
	case o.Cut.Rule == graph.CutAuto && best.polished:
		kept, threshold = best.weights, thresholdOf(best.weights, best.weights, o.Cut.Rule)
	case o.Cut.Rule != graph.CutThreshold && kept.EdgeCount() > 0:
		if kept, path, err = a.prune(best.weights, kept, threshold); err == nil {
			kept, err = a.refitOn(kept)
		}
		if err != nil {
			return nil, err
		}
		kept = balance(kept)
		threshold = thresholdOf(best.weights, kept, o.Cut.Rule)
	}
	found, err := a.answer(best.weights, kept, threshold, status, best.rounds)
	if err == nil {
		found.path = path
	}
	return found, err
}

// finishSoon makes the answer after the context has ended: in short, but pruned and
// refitted like one that is finished. If there is no time for that, it is as it is.
// A cut at a threshold needs neither.
func (a *attempt) finishSoon(best candidate) (*answer, error) {
	p := a.task.progress
	outer, pace := p.ctx, a.pace
	defer func() { p.ctx, a.pace = outer, pace }()
	p.ctx, a.pace = solver.Grace(outer), shortPace(a.fit.n, a.fit.m)
	if end, ok := p.ctx.Deadline(); ok && time.Until(end) < littleTime {
		a.pace = inShort
	}
	if p.ctx.Err() != nil || a.task.settings.Cut.Rule == graph.CutThreshold {
		return a.unfinished(best)
	}
	best, err := a.goOn(best)
	if err != nil {
		return nil, err
	}
	found, err := a.finishAtPace(best, solver.Interrupted)
	switch {
	case interrupted(err):
		return a.unfinished(best)
	case err != nil:
		return nil, err
	}
	return found.endedBy(errInterrupted)
}

// goOn takes rounds from the best point on until there have been as many as edges need
// to show, if it was found before.
func (a *attempt) goOn(best candidate) (candidate, error) {
	p, v := a.task.progress, a.fit.overPairs(a.pairs)
	w := make([]float64, a.pairs.Len())
	moveTowards(best.weights, 1, a.pairs, w)
	revive(a.pairs, w)
	a.fit.code = best.code.Clone()
	a.fit.engine.SetKernels(best.kernels)
	loss := newRobustLoss(v)
	newton := newQuasiNewton(len(w), a.task.side.prior.penalised(loss.evaluate, a.pairs))
	for p.round = best.rounds; p.round < min(a.pace.rounds, a.task.settings.Rounds) && !best.polished && p.ctx.Err() == nil; {
		p.round++
		residuals, err := v.recode(w, coderSetting{sparse.Beam, pathWidth})
		if err != nil {
			return best, err
		}
		loss.smooth(residuals)
		value, residuals := a.updateGraph(newton, loss, w)
		best = a.better(best, graphOf(a.pairs, w), residuals)
		if err := p.step(graphUpdate, v.relative(residuals), value, a.pairs, w); failed(err) {
			return best, err
		}
	}
	return best, nil
}

// unfinished makes an answer of the best point that takes no time: its edges are
// cut, but its codes are those of all weights.
func (a *attempt) unfinished(best candidate) (*answer, error) {
	kept, threshold := cut(best.weights, a.task.settings.Cut)
	found := &answer{
		model: innerModel{Kernels: best.kernels, Sparsity: a.fit.sparsity}, weights: best.weights, graph: kept, codes: best.code, codedOn: best.weights,
		residual: best.residual, objective: best.residual, threshold: threshold, rounds: best.rounds,
		unexplained: a.fit.m, entries: a.fit.spareEntries() + a.fit.sparsity,
	}
	return found.endedBy(errInterrupted)
}

// lastWidth is the beam for signals that still resist when the weights are exact.
const lastWidth = 256

// answer codes all signals once more on the edges kept: with exact weights the
// coder sees where fewer atoms suffice, and signals that still resist get the
// widest beam.
func (a *attempt) answer(weights, kept *graph.Graph, threshold innerThreshold, status solver.Status, rounds int) (*answer, error) {
	v, w := a.fit.onEdges(kept)
	if err := v.place(w); err != nil {
		return nil, err
	}
	residuals := v.improve(coderSetting{sparse.Beam, polishWidths[0]}, v.everySignal())
	if resisting := v.unexplained(residuals); 10*len(resisting) <= v.m {
		residuals = v.improve(coderSetting{sparse.Beam, lastWidth}, resisting)
	}
	floor := 0.0
	// A few signals that resist where all others are exact are not noise, and what
	// low-pass kernels leave of a smooth field is none either.
	if v.relative(residuals) > noNoise && !a.task.lowPass && !v.mostlyExplained(residuals) {
		var err error
		if residuals, floor, err = stopAtNoise(a.fit, kept); err != nil {
			return nil, err
		}
	}
	return &answer{
		model: innerModel{v.engine.Kernels(), v.sparsity, math.Sqrt(floor) * a.task.data.unit}, weights: weights, graph: kept, codes: v.code, codedOn: kept, residuals: residuals,
		residual: v.relative(residuals), objective: v.relative(residuals), threshold: threshold, rounds: rounds, status: status,
		unexplained: len(v.unexplained(residuals)), entries: v.spareEntries() + v.sparsity,
	}, nil
}
