package dense

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// Hops are for signals that are exact but few, or of many atoms, so that the first
// start settles on wrong supports. Four things are different from it, each measured
// to matter:
//
//   - weights begin on few pairs, those of fitting.CandidateNeighbours. On a dense
//     graph, atoms of low-pass kernels are flat, and coding takes high-pass ones
//     instead, from which the neighbours come out wrong;
//   - an atom that takes from a signal no more than chance would is left out, so
//     that what is wrong about the graph shows in the residual, and is not made up
//     for by atoms that are wrong too;
//   - as long as no support changes, the quasi-Newton steps go on with what they
//     know of the curvature. Edges far from all centres show in the last digits of
//     the signals only, and take hundreds of steps;
//   - where all that comes to rest, the best weights so far are shaken and the
//     search goes on from there, again and again: a hop that finds the way to
//     better supports is kept.

const (
	// hopsPerStart is how many hops take the place of a start.
	hopsPerStart = 16
	// hopPatience is how many hops in a row may gain less than hopGain.
	hopPatience = 8
	hopGain     = 0.05
	// settledSteps bounds the quasi-Newton steps after a coding that changed nothing.
	settledSteps = 5 * fitting.StepsPerRound
	// settledGain is what such a round must gain to be followed by more than one other.
	settledGain = 0.02
	// chanceShare is what an atom costs (see sparse.Options) as a share of what the
	// best of all atoms takes from noise by chance.
	chanceShare = 0.75
	// At first, an atom costs up to mostDearer times as much, and as many times that
	// all atoms of a signal cost no more than that many of them do later.
	maxCostFactor, costAtoms = 2.5, 20
	// How many rounds there are with either cost, and after a hop.
	hopRounds, shakenRounds = 20, 12
)

// A hopSearch search has come to the weights w.
type hopSearch struct {
	*attempt
	loss   *fitting.RelativeLoss
	newton *optimise.QuasiNewton
	w      []float64
	tried  float64 // the largest gap that was polished in vain
}

// hop searches from the candidates, and then from its best point, shaken, as long
// as that may lead to an exact fit and the edges are not clear. With many atoms per
// signal, these are long before all signals are explained.
func (a *attempt) hop(found outcome) (outcome, error) {
	return job.Remember(a.task.Progress, "hop", func() (outcome, error) { return a.runHops(found) }, a)
}

func (a *attempt) runHops(found outcome) (outcome, error) {
	loss := fitting.NewRelativeLoss(a.fit.OverPairs(a.pairs))
	h := &hopSearch{a, loss, optimise.NewQuasiNewton(a.pairs.Len(), loss.Evaluate), a.candidateWeights(), 0}
	p := a.task.Progress
	p.Round = 0
	cost := chanceShare * 2 * math.Log(float64(a.fit.Engine.AtomCount)) / float64(a.fit.N)
	dearer := min(max(costAtoms/float64(a.fit.Sparsity), 1), maxCostFactor)
	quick := sparse.Options{Method: sparse.OMP, AtomCost: dearer * cost}
	wide := sparse.Options{Method: sparse.Beam, AtomCost: cost}
	var reached float64
	best, value, k := make([]float64, len(h.w)), math.Inf(1), 1
	stall := job.NewStall(hopGain, hopPatience)
	loop, restored, err := job.RememberLoop(p, &k, &reached, &value, &best, &stall, &found, h)
	if !restored && err == nil {
		reached, found, err = h.descend(found, quick, hopRounds)
		if err == nil && !found.settled() {
			reached, found, err = h.descend(found, wide, hopRounds)
		}
	}
	for ; err == nil && !found.settled(); k++ {
		loop.Save()
		if reached < value {
			value = reached
			copy(best, h.w)
			found, err = h.polishPresent(found)
			if err != nil || found.settled() || found.best.hasLargeGap() || !a.scattered(loss.Residuals) {
				break
			}
		}
		if stall.Done(value) || k == hopsPerStart*(a.task.Settings.Starts-1) {
			break
		}
		if k%hopsPerStart == 0 {
			p.Start, p.Round = p.Start+1, 0
		}
		shake := rng.Stream(a.task.Settings.Seed, "hop", k)
		for e, w := range best {
			h.w[e] = 2 * shake.Float64() * w
		}
		reached, found, err = h.descend(found, wide, shakenRounds)
	}
	return found, err
}

// mayBeExact reports whether what is left of the signals at the best point looks like
// wrong supports, and not like noise or a wrong model: it is little, much of some
// signals and next to nothing of others. Noise leaves about as much of every signal,
// or about the same share.
func (a *attempt) mayBeExact(best candidate) bool {
	if best.weights == nil || best.residual > wrongSupports || a.kernels != nil || a.task.Side.Prior != nil || a.task.lowPass {
		return false
	}
	a.fit.Code = best.code.Clone()
	v, w := a.fit.OnEdges(best.weights)
	residuals, err := v.RefitAt(w)
	if err != nil {
		return false
	}
	return a.scattered(residuals)
}

// scattered reports whether residuals are too different from each other for noise.
func (a *attempt) scattered(residuals fitting.Residuals) bool {
	var amounts, shares []float64
	for m, r := range residuals {
		if energy := a.fit.Engine.SignalEnergy(m); energy > 0 {
			amounts, shares = append(amounts, r), append(shares, r/energy)
		}
	}
	return min(spread(amounts), spread(shares)) > wideSpread
}

const (
	// wrongSupports is the most that wrong supports leave of the signals after a
	// start. In 83 searches on graphs of 100 vertices that came to nothing without
	// noise, they left up to 0.011.
	wrongSupports = 0.02
	// wideSpread is the spread of residuals from which on they are no noise. In those
	// searches it was 4.1 to 410; with noise of 5 % and more and 100 signals or more,
	// it was 1.5 to 4.3, with fewer up to 13.
	wideSpread = 4
)

// spread returns how many times the value that nine tenths do not exceed is the
// one that one tenth does not.
func spread(values []float64) float64 {
	if len(values) == 0 {
		return 1
	}
	slices.Sort(values)
	last := float64(len(values) - 1)
	return values[int(0.9*last)] / values[int(0.1*last)]
}

// candidateWeights returns weights on the candidates of each vertex. As in the
// loss, all signals count alike.
func (a *attempt) candidateWeights() []float64 {
	size := make([]float64, a.fit.M)
	for m := range size {
		size[m] = 1
		if energy := a.fit.Engine.SignalEnergy(m); energy > 0 {
			size[m] = math.Sqrt(energy)
		}
	}
	neighbours := fitting.CandidateNeighbours(a.task.Progress.Ctx, a.fit.Rows, size, a.task.Settings.Threads, a.task.Side.Allowed.Allows)
	for u := range neighbours {
		neighbours[u] = neighbours[u][:min(hopCandidates, len(neighbours[u]))]
	}
	some, scores := fitting.MergeNeighbours(neighbours)
	w := make([]float64, a.pairs.Len())
	if g := fitting.GraphOf(some, scores); g.EdgeCount() > 0 {
		fitting.MoveTowards(g, 1, a.pairs, w)
	}
	fitting.Revive(a.pairs, w)
	return w
}

// hopCandidates is how many candidates each vertex has at first.
const hopCandidates = 8

// descend alternates codes and weights until supports settle. It returns the loss,
// unsmoothed.
func (h *hopSearch) descend(found outcome, o sparse.Options, rounds int) (float64, outcome, error) {
	reached, err := job.Remember(h.task.Progress, "descend", func() (value float64, err error) {
		value, found, err = h.runDescent(found, o, rounds)
		return value, err
	}, &found, h)
	return reached, found, err
}

// Code codes what the search has come to.
func (h *hopSearch) Code(c *checkpoint.Coder) {
	c.All(&h.w, &h.tried, &h.loss.Residuals, h.newton, h.attempt)
}

func (h *hopSearch) runDescent(found outcome, o sparse.Options, rounds int) (float64, outcome, error) {
	p, v := h.task.Progress, h.loss.DenseView
	o.Sparsity = v.Sparsity
	coder := v.Engine.NewCoder(o)
	var value float64
	var before *sparse.Code
	settled, round := 0, 0
	loop, _, err := job.RememberLoop(p, &round, &settled, &value, &before, &found, h)
	if err != nil {
		return 0, found, err
	}
	for ; round < min(rounds, h.task.Settings.Rounds); round++ {
		loop.Save()
		p.Round++
		if err := v.Place(h.w); err != nil {
			return 0, found, err
		}
		v.Engine.EncodeWith(coder, v.Code, nil)
		residuals := v.Refit()
		h.loss.Smooth(residuals)
		if err := p.Step(job.Coding, v.Relative(residuals), h.loss.Of(residuals), h.pairs, h.w); err != nil {
			return 0, found, err
		}
		steps := settledSteps
		if settled++; before == nil || !sameSupports(before, v.Code) {
			settled, steps = 0, fitting.StepsPerRound
			h.newton.Forget()
		}
		before = v.Code.Clone()
		last := value
		value = h.newton.Minimise(p.Ctx, h.w, optimise.Limits{Steps: steps, Gain: 1e-6})
		fitting.Normalise(h.w, v.N)
		if fitting.Revive(h.pairs, h.w) {
			value = h.loss.Evaluate(h.w, h.newton.Grad)
		}
		residuals = h.loss.Residuals
		g := fitting.GraphOf(h.pairs, h.w)
		found.best = h.better(found.best, g, residuals)
		if err := p.Step(job.GraphUpdate, v.Relative(residuals), value, h.pairs, h.w); err != nil {
			return 0, found, err
		}
		if kept, gap := g.CutAtGap(); gap.Ratio >= max(promisingGap, gapGrowth*h.tried) {
			h.tried = gap.Ratio
			var err error
			if found, err = h.tryPolish(kept, found); found.settled() || err != nil {
				return 0, found, err
			}
		}
		if settled > 1 && value > (1-settledGain)*last {
			break
		}
	}
	h.loss.Smoothing = 0
	return h.loss.Of(h.loss.Residuals), found, nil
}

// polishPresent polishes all edges that are not next to nothing. Where few signals
// see an edge, its weight is among the last to settle, so that the gap shows only
// after the polish.
func (h *hopSearch) polishPresent(found outcome) (outcome, error) {
	p, err := h.polish(fitting.GraphOf(h.pairs, h.w).AboveShare(presentShare))
	if err != nil || h.fit.Relative(p.residuals) > nearlyExact {
		return found, err
	}
	if !p.exact {
		p.graph, _ = p.graph.CutAtGap()
	}
	return h.tryPolish(p.graph, found)
}

// presentShare is the share of the typical weight from which on an edge is present.
const presentShare = 0.02

// sameSupports reports whether two codes have the same atoms.
func sameSupports(a, b *sparse.Code) bool {
	_, signals := a.Dims()
	for m := range signals {
		p, _ := a.Column(m)
		q, _ := b.Column(m)
		if !slices.Equal(slices.Sorted(slices.Values(p)), slices.Sorted(slices.Values(q))) {
			return false
		}
	}
	return true
}
