package learn

import (
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/solver"
)

// The search of [Sparse]. Departures from [maretic2017], each measured to matter:
//
//   - it starts from |corr| instead of at random;
//   - the graph step is several bound-constrained quasi-Newton steps with the
//     coefficients eliminated (variable projection), instead of one gradient step;
//   - the graph step minimises the sum of the residuals' norms, not of their
//     squares, until the edges are found (see loss_robust.go);
//   - coding goes from OMP to beams of growing width as rounds stall;
//   - as soon as the sorted weights show a gap, weights and codes are polished on
//     the edges before it; if that explains the signals to rounding, the answer
//     proves itself (see certificate.go) and the run ends;
//   - there is no penalty: the gap and the polish do what β is for.
//
// If the first start does not certify itself, and what is left of the signals looks
// like wrong supports, a longer search with a few ideas of its own follows (see
// hops.go); kernels that move start again from shaken weights. If nothing certifies
// itself, the best point is cut and refitted, and exact weights are looked for near it
// (see reopen.go).

func stagesOf(coder sparse.Method) []stage {
	if coder != "" {
		return []stage{{coderSetting{coder, 0}, 0.02}}
	}
	return []stage{{coderSetting{sparse.OMP, 0}, 0.2}, {coderSetting{sparse.Beam, 4}, 0.01}, {coderSetting{sparse.Beam, 16}, 0.1}}
}

const (

	// patience is how many rounds in a row may gain too little: coding is not monotone.
	patience = 2
	// promisingGap is the gap at which a polish is worth trying; a failed one is
	// tried again only when the gap has grown by gapGrowth.
	promisingGap = 2
	gapGrowth    = 1.5
)

// search runs one start, best being the best point so far. The prior pulls in the
// first start only: if the signals can prove a graph, a prior that is far from it
// must not stand in the way.
func (a *attempt) search(start int, best candidate) (outcome, error) {
	return remembered(a.task.progress, "search", a.codeOutcome, func() (outcome, error) { return a.searchAnew(start, best) })
}

func (a *attempt) searchAnew(start int, best candidate) (outcome, error) {
	found := outcome{best: best, status: solver.Stalled}
	p, v := a.task.progress, a.fit.overPairs(a.pairs)
	w := a.startWeights(start)
	loss := newRobustLoss(v)
	objective := loss.evaluate
	if start == 1 {
		objective = a.task.side.prior.penalised(objective, a.pairs)
	}
	newton := newQuasiNewton(len(w), objective)
	tried := 0.0 // the largest gap that was polished in vain
	p.round = 0
	stages, at := stagesOf(a.task.settings.Coder), 0
	var stall rememberedStall
	loop, restored, err := rememberLoop(p, func(c *checkpoint.Coder) {
		c.Int(&at)
		stall.Tolerance, stall.Patience = stages[at].stall, patience
		stall.code(c)
		c.Floats(&w)
		c.Float(&tried)
		a.codeOutcome(c, &found)
	})
	if err != nil {
		return found, err
	}
	for ; at < len(stages); at++ {
		s := stages[at]
		if !restored {
			stall = rememberedStall{Stall: solver.Stall{Tolerance: s.stall, Patience: patience}}
		}
		restored = false
		for stalled := false; !stalled; {
			loop.save()
			if p.round == a.task.settings.Rounds {
				found.status = solver.MaxRounds
				return found, nil
			}
			p.round++
			coded, err := v.recode(w, s.coderSetting)
			if err != nil {
				return found, err
			}
			// The first round is finished in any case, so that there is an answer.
			if err := p.step(coding, v.relative(coded), loss.smooth(coded), a.pairs, w); err != nil && (p.round > 1 || !interrupted(err)) {
				return found, err
			}
			value, residuals := a.updateGraph(newton, loss, w)
			g := graphOf(a.pairs, w)
			found.best = a.better(found.best, g, residuals)
			if err := p.step(graphUpdate, v.relative(residuals), value, a.pairs, w); err != nil {
				return found, err
			}
			if kept, gap := g.CutAtGap(); gap.Ratio >= max(promisingGap, gapGrowth*tried) {
				tried = gap.Ratio
				if found, err = a.tryPolish(kept, found); found.proved != nil || err != nil {
					return found, err
				}
			}
			stalled = stall.Done(value)
		}
	}
	return found, nil
}

// updateGraph moves the weights w, in place, and the kernels if they move, for the
// codes there are. It returns what the loss comes to, and the residuals.
func (a *attempt) updateGraph(newton *quasiNewton, loss *robustLoss[*denseEngine], w []float64) (float64, residualEnergies) {
	ctx := a.task.progress.ctx
	newton.forget()
	value := newton.minimise(ctx, w, limits{steps: stepsPerRound, gain: 1e-6})
	normalise(w, loss.n)
	if revive(a.pairs, w) {
		value = newton.evaluate(w, newton.grad)
	}
	if a.kernels != nil {
		return a.kernels.minimise(ctx, loss, kernelSteps)
	}
	return value, loss.residuals
}

// better returns the best point, or the one with the weights g and the present codes
// if that is better.
func (a *attempt) better(best candidate, g *graph.Graph, residuals residualEnergies) candidate {
	if score := score(a.fit, a.task.side.prior, g, residuals); !best.polished && score < best.score {
		return candidate{g, a.fit.code.Clone(), a.fit.engine.Kernels(), a.fit.relative(residuals), score, false, a.task.progress.round}
	}
	return best
}
