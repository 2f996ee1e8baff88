package learn

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/kernel"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// The default recipe. Departures from [maretic2017], each measured to matter:
//
//   - it starts from |corr| instead of at random;
//   - the graph step is several bound-constrained quasi-Newton steps with the
//     coefficients eliminated (variable projection), instead of one gradient step;
//   - the graph step minimises the sum of the residuals' norms, not of their
//     squares, until the edges are found (see robust);
//   - coding goes from OMP to beams of growing width as rounds stall;
//   - as soon as the sorted weights show a gap, weights and codes are polished on
//     the edges before it; if that explains the signals to rounding, the answer
//     proves itself (see certificate.go) and the run ends;
//   - there is no penalty: the gap and the polish do what β is for.
//
// If no start certifies itself, the best one is cut, refitted and returned.

// A stage codes in one way until its rounds improve the loss by less than a share.
type stage struct {
	effort
	stall float64
}

func (r *run) stages() []stage {
	if m := r.options.Coder; m != "" {
		return []stage{{effort{m, 0}, 0.02}}
	}
	return []stage{{effort{sparse.OMP, 0}, 0.2}, {effort{sparse.Beam, 4}, 0.01}, {effort{sparse.Beam, 16}, 0.1}}
}

const (
	// stepsPerRound is how many quasi-Newton steps follow each coding.
	stepsPerRound = 8
	// patience is how many rounds in a row may gain too little: coding is not monotone.
	patience = 2
	// promising is the gap at which a polish is worth trying; a failed one is
	// tried again only when the gap has grown by regrown.
	promising = 2
	regrown   = 1.5
)

// candidate is the best point that no certificate was found for.
type candidate struct {
	weights  *graph.Graph
	code     *sparse.Code
	kernels  []kernel.Kernel
	residual float64
	score    float64 // see score
	polished bool    // weights are refitted on the edges before the gap
	rounds   int
}

func (r *run) byDefault() {
	if best, status := r.explore(false); best != nil {
		r.finalise(*best, status)
	}
}

// explore runs the starts and returns the best point that they come through, nil
// if r.answer is set or there is no point. If brief, it gives up after the first
// start without a clear gap.
func (r *run) explore(brief bool) (*candidate, solver.Status) {
	best := candidate{score: math.Inf(1)}
	var status solver.Status
	if r.recognise(&best); r.answer.graph != nil || r.left || r.err != nil {
		return nil, status
	}
	for r.start = 1; ; r.start++ {
		status = r.search(r.startWeights(r.start), &best)
		if r.answer.graph != nil || r.left || r.err != nil {
			return nil, status
		}
		// A polished answer that is all but exact will not be bettered.
		if r.ctx.Err() != nil || r.start == r.options.Starts || best.polished || brief && !best.clear() {
			break
		}
	}
	if best.weights == nil {
		r.err = errors.New("the residual is not a number: kernels or signals are too large or too small")
		return nil, status
	}
	return &best, status
}

// clear says whether the weights show a clear gap.
func (c candidate) clear() bool {
	if c.weights == nil {
		return false
	}
	kept, gap := c.weights.CutAtGap()
	return c.polished || clearGap(c.weights, kept, gap.Ratio)
}

// clearGap says whether a gap after the edges kept is clear: it is large, or there
// is a good part of the edges after it.
func clearGap(weights, kept *graph.Graph, ratio float64) bool {
	dropped := weights.EdgeCount() - kept.EdgeCount()
	return ratio >= unmistakable || ratio >= weakGap && 5*dropped >= kept.EdgeCount()
}

// unmistakable is the gap that is clear even where there is little after it.
const unmistakable = 5

// finalise makes the answer of the best point: cut, refitted and coded anew.
func (r *run) finalise(best candidate, status solver.Status) {
	r.code = best.code
	r.setKernels(best.kernels)
	kept, threshold := r.cut(best.weights)
	switch {
	case r.ctx.Err() != nil: // no time for more
		r.answer = answer{
			weights: best.weights, graph: kept, codes: best.code, residual: best.residual, objective: best.residual,
			threshold: threshold, rounds: best.rounds, status: solver.Interrupted, unexplained: r.m,
		}
		return
	case threshold.Rule == graph.CutAuto && best.polished:
		kept, threshold = best.weights, r.threshold(best.weights, best.weights)
	case threshold.Rule != graph.CutThreshold && kept.EdgeCount() > 0:
		kept = r.balance(r.settled(r.pruned(best.weights, kept, threshold)))
		threshold = r.threshold(best.weights, kept)
	}
	if r.ctx.Err() != nil {
		status = solver.Interrupted
	}
	r.conclude(best.weights, kept, threshold, status, best.rounds)
}

// search runs one start. It sets r.answer if the start certifies itself, and
// keeps the best point it comes through.
func (r *run) search(w []float64, best *candidate) solver.Status {
	lossAt := r.searched()
	newton := newQuasiNewton(len(w), lossAt)
	tried := 0.0
	r.round = 0
	for _, s := range r.stages() {
		stall := solver.Stall{Tolerance: s.stall, Patience: patience}
		for stalled := false; !stalled; {
			if r.round == r.options.Rounds {
				return solver.MaxRounds
			}
			r.round++
			if r.err = r.recode(w, s.effort); r.err != nil {
				return solver.Stalled
			}
			r.engine.Refit(r.code)
			r.smooth()
			if !r.report(Coding, r.residual(), r.robustLoss(), r.all, w) && (r.left || r.round > 1) {
				return solver.Stalled
			}
			newton.forget()
			loss := newton.minimise(r.ctx, w, limits{steps: stepsPerRound, gain: 1e-6})
			r.normalise(w)
			if r.revive(w) {
				loss = lossAt(w, newton.grad)
			}
			if r.way != nil {
				loss = r.moveKernels(kernelSteps)
			}
			g := r.graph(r.all, w)
			if score := r.score(g); !best.polished && score < best.score {
				*best = candidate{g, r.code.Clone(), r.kernels, r.residual(), score, false, r.round}
			}
			if !r.report(GraphUpdate, r.residual(), loss, r.all, w) {
				return solver.Stalled
			}
			if kept, gap := g.CutAtGap(); gap.Ratio >= max(promising, regrown*tried) {
				tried = gap.Ratio
				if r.tryPolish(kept, best) || !r.going() {
					return solver.Stalled
				}
			}
			stalled = stall.Done(loss)
		}
	}
	return solver.Stalled
}

// residual returns the relative residual as last computed.
func (r *run) residual() float64 { return floats.Sum(r.engine.Residuals()) / r.energy }
