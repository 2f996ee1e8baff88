package dense

import (
	"slices"
	"time"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
	"github.com/nervure/nervure/method"
)

// The search from one start. Departures from [maretic2017], each measured to matter:
//
//   - it starts from |corr| instead of at random;
//   - the graph step is several bound-constrained quasi-Newton steps with the
//     coefficients eliminated (variable projection), instead of one gradient step;
//   - the graph step minimises the sum of the residuals' norms, not of their
//     squares, until the edges are found (see fitting.RobustLoss);
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

func stagesOf(coder sparse.Method) []fitting.Stage {
	if coder != "" {
		return []fitting.Stage{{CoderSetting: fitting.CoderSetting{Method: coder}, Stall: 0.02}}
	}
	return []fitting.Stage{
		{CoderSetting: fitting.CoderSetting{Method: sparse.OMP}, Stall: 0.2},
		{CoderSetting: fitting.Beams(4), Stall: 0.01},
		{CoderSetting: fitting.Beams(16), Stall: 0.1},
	}
}

const (

	// patience is how many rounds in a row may gain too little: coding is not monotone.
	patience = 2
	// promisingGap is the gap at which a polish is worth trying; a failed one is
	// tried again only when the gap has grown by gapGrowth.
	promisingGap = 2
	gapGrowth    = 1.5
	// farBehind is how many times as much as its rival a search may leave before it is given up;
	// see isFarBehind.
	farBehind = 3
	// slowVertices is from how many vertices on a search leaves out what promises nothing, so that
	// noisy signals do not take longer than with the search on large graphs.
	slowVertices = 200
	// surelyNotExact is the residual from which on noise is not mistaken for a fit that a polish
	// makes all but exact.
	surelyNotExact = 10 * nearlyExact
)

// search runs one start, best being the best point so far. The prior pulls in the
// first start only: if the signals can prove a graph, a prior that is far from it
// must not stand in the way.
func (a *attempt) search(start int, best candidate) (outcome, error) {
	return job.Remember(a.task.Progress, "search", func() (outcome, error) { return a.runSearch(start, best) }, a)
}

func (a *attempt) runSearch(start int, best candidate) (outcome, error) {
	found := outcome{best: best, status: method.Stalled}
	p, v := a.task.Progress, a.fit.OverPairs(a.pairs)
	w := a.startWeights(start)
	loss := fitting.NewRobustLoss(v)
	objective := loss.Evaluate
	if start == 1 {
		objective = a.task.Side.Prior.Penalised(objective, a.pairs)
	}
	newton := optimise.NewQuasiNewton(len(w), objective)
	tried := 0.0             // the largest gap that was polished in vain
	before := a.rivalEdges() // what a clear gap left in the round before
	p.Round = 0
	stages, at := stagesOf(a.task.Settings.Coder), 0
	var stall job.Stall
	loop, restored, err := job.RememberLoop(p, &at, &stall, &w, &tried, &before, &found, a)
	if err != nil {
		return found, err
	}
	for ; at < len(stages); at++ {
		s := stages[at]
		if !restored {
			stall = job.NewStall(s.Stall, patience)
		}
		restored = false
		for stalled := false; !stalled; {
			loop.Save()
			if p.Round == a.task.Settings.Rounds {
				found.status = method.MaxRounds
				return found, nil
			}
			p.Round++
			coded, err := v.Recode(w, s.CoderSetting)
			if err != nil {
				return found, err
			}
			// The first round is finished in any case, so that there is an answer.
			err = p.Step(job.Coding, v.Relative(coded), loss.Smooth(coded), a.pairs, w)
			if err != nil && (p.Round > 1 || !job.Interrupted(err)) {
				return found, err
			}
			value, residuals := a.updateGraph(newton, loss, w)
			g := fitting.GraphOf(a.pairs, w)
			found.best = a.better(found.best, g, residuals)
			if err := p.Step(job.GraphUpdate, v.Relative(residuals), value, a.pairs, w); err != nil {
				return found, err
			}
			kept, gap := g.CutAtGap()
			if gap.Ratio >= max(promisingGap, gapGrowth*tried) && !(a.isSlow() && a.isNoise(residuals)) {
				tried = gap.Ratio
				if found, err = a.tryPolish(kept, found); found.proved != nil || err != nil {
					return found, err
				}
			}
			found.noise = a.isNoise(residuals)
			if a.isFarBehind(&found, v.Relative(residuals)) {
				return found, nil
			}
			if !job.ClearGap(g, kept, gap.Ratio) || a.scattered(residuals) {
				kept = nil
			}
			if kept != nil && before != nil && sameEdges(kept, before) && a.isDone(v.Relative(residuals)) {
				return found, nil
			}
			before = kept
			stalled = stall.Done(value)
		}
	}
	return found, nil
}

// isFarBehind notes what a round has left, and reports whether that is far more than the rival left
// after as many, or, where rounds are slow and that looks like noise, than it left in the end.
func (a *attempt) isFarBehind(found *outcome, residual float64) bool {
	found.left = append(found.left, residual)
	round := len(found.left)
	switch {
	case a.rival == nil:
		return false
	case a.isSlow() && a.rival.noise:
		return residual > farBehind*a.rival.best.residual
	}
	return round > 1 && residual > farBehind*a.rival.left[min(round, len(a.rival.left))-1]
}

// isSlow reports whether rounds and polishes take so long that those that promise nothing are left
// out.
func (a *attempt) isSlow() bool { return a.fit.N >= slowVertices }

// isNoise reports whether residuals look like noise, of which a polish leaves all.
func (a *attempt) isNoise(residuals fitting.Residuals) bool {
	return a.fit.Relative(residuals) > surelyNotExact && !a.scattered(residuals)
}

// rivalEdges returns the edges that a search begins with where rounds are slow: if a first round
// changes none of its rival's, another will not either. It returns nil if there are none.
func (a *attempt) rivalEdges() *graph.Graph {
	if a.rival == nil || !a.isSlow() {
		return nil
	}
	kept, _ := a.rival.best.weights.CutAtGap()
	return kept
}

// isDone reports whether more rounds are of no use once they change no edge and noise is all that
// is left: kernels that move go on, unless their rival does as well.
func (a *attempt) isDone(residual float64) bool {
	return a.kernels == nil || a.rival != nil && residual >= job.ExplainsBetter*a.rival.best.residual
}

// sameEdges reports whether two graphs have the same edges, whatever their weights.
func sameEdges(a, b *graph.Graph) bool {
	return slices.EqualFunc(a.Edges(), b.Edges(), func(e, f graph.Edge) bool { return e.I == f.I && e.J == f.J })
}

// updateGraph moves the weights w, in place, and the kernels if they move, for the
// codes there are. It returns what the loss comes to, and the residuals.
func (a *attempt) updateGraph(newton *optimise.QuasiNewton, loss *fitting.DenseLoss, w []float64) (float64, fitting.Residuals) {
	ctx := a.task.Progress.Ctx
	newton.Forget()
	value := newton.Minimise(ctx, w, optimise.Limits{Steps: fitting.StepsPerRound, Gain: 1e-6})
	fitting.Normalise(w, loss.N)
	if fitting.Revive(a.pairs, w) {
		value = newton.Evaluate(w, newton.Grad)
	}
	if a.kernels != nil {
		return a.kernels.Minimise(ctx, loss, fitting.KernelSteps)
	}
	return value, loss.Residuals
}

// better returns the best point, or the one with the weights g and the present codes
// if that is better.
func (a *attempt) better(best candidate, g *graph.Graph, residuals fitting.Residuals) candidate {
	if score := fitting.Score(a.fit, a.task.Side.Prior, g, residuals); !best.polished && score < best.score {
		return candidate{g, a.fit.Code.Clone(), a.fit.Engine.Kernels(), a.fit.Relative(residuals), score, false, a.task.Progress.Round}
	}
	return best
}

// A pace says how much work goes into the last part of learning, from the best point
// to the answer.
type pace struct {
	// rounds is how many rounds of coding and graph update there are at least, before
	// the weights are pruned.
	rounds int

	// pathKeeps is the share of the edges that each step of the pruning path keeps.
	pathKeeps float64
	// pathSteps bounds the quasi-Newton steps of one fit on the path.
	pathSteps int
	// pathFits is how many parts of the signals are held out in turn.
	pathFits int
	// pathSignals is the most signals that the path looks at. With more, it takes
	// longer and bends at the same place.
	pathSignals int

	// polishes bounds the passes of a polish, and polishSteps the quasi-Newton steps of
	// one pass.
	polishes, polishSteps int
}

// inFull is the pace of a run that comes to its end.
var inFull = pace{pathKeeps: 0.92, pathSteps: 10, pathFits: pathFolds, pathSignals: 800, polishes: len(polishWidths), polishSteps: 400}

// The paces of a run that was stopped. Its answer is to come within a second or two, and
// its edges are to be about those of a run that came to its end: the larger the
// problem, the coarser the steps.
var (
	smallInShort  = pace{rounds: 10, pathKeeps: 0.92, pathSteps: 10, pathFits: pathFolds, pathSignals: 400, polishes: 4, polishSteps: 100}
	mediumInShort = pace{rounds: 5, pathKeeps: 0.85, pathSteps: 10, pathFits: 2, pathSignals: 800, polishes: 2, polishSteps: 50}
	inShort       = pace{rounds: 3, pathKeeps: 0.8, pathSteps: 10, pathFits: 1, pathSignals: 400, polishes: 1, polishSteps: 20}
)

// Up to how many vertices and values a problem is small or medium: the path factorises
// a matrix of all vertices in every step, and codes all values.
const (
	smallVertices, smallValues   = 60, 10_000
	mediumVertices, mediumValues = 120, 60_000
)

// shortPace returns the pace of a run that was stopped, by its vertices and signals.
func shortPace(n, m int) pace {
	switch {
	case n <= smallVertices && n*m <= smallValues:
		return smallInShort
	case n <= mediumVertices && n*m <= mediumValues:
		return mediumInShort
	}
	return inShort
}

// littleTime is how much time there must be for more than the coarsest steps.
const littleTime = 2 * time.Second
