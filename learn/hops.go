package learn

import (
	"math"
	"slices"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/sparse"
	"github.com/nervure/nervure/solver"
)

// Hops are for signals that are exact but few, or of many atoms, so that the first
// start settles on wrong supports. Four things are different from it, each measured
// to matter:
//
//   - weights begin on few pairs, the candidates of candidate_pairs.go. On a dense
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
	settledSteps = 5 * stepsPerRound
	// settledGain is what such a round must gain to be followed by more than one other.
	settledGain = 0.02
	// chanceShare is what an atom costs (see sparse.Options) as a share of what the
	// best of all atoms takes from noise by chance.
	chanceShare = 0.75
	// At first, an atom costs up to mostDearer times as much, and as many times that
	// all atoms of a signal cost no more than so many of them do later.
	mostDearer, dearAtoms = 2.5, 20
	// How many rounds there are with either cost, and after a hop.
	hopRounds, shakenRounds = 20, 12
)

// A hopping search has come to the weights w.
type hopping struct {
	*attempt
	loss   *relativeLoss
	newton *quasiNewton
	w      []float64
	tried  float64 // the largest gap that was polished in vain
}

// hop searches from the candidates, and then from its best point, shaken, as long
// as that may lead to an exact fit and the edges are not clear. With many atoms per
// signal, these are long before all signals are explained.
func (a *attempt) hop(found outcome) (outcome, error) {
	return remembered(a.task.progress, "hop", a.codeOutcome, func() (outcome, error) { return a.hopAnew(found) })
}

func (a *attempt) hopAnew(found outcome) (outcome, error) {
	loss := newRelativeLoss(a.fit.overPairs(a.pairs))
	h := &hopping{a, loss, newQuasiNewton(a.pairs.Len(), loss.evaluate), a.candidateWeights(), 0}
	p := a.task.progress
	p.round = 0
	cost := chanceShare * 2 * math.Log(float64(a.fit.engine.atoms)) / float64(a.fit.n)
	dearer := min(max(dearAtoms/float64(a.fit.sparsity), 1), mostDearer)
	quick := sparse.Options{Method: sparse.OMP, AtomCost: dearer * cost}
	wide := sparse.Options{Method: sparse.Beam, AtomCost: cost}
	var reached float64
	best, value, k := make([]float64, len(h.w)), math.Inf(1), 1
	stall := rememberedStall{Stall: solver.Stall{Tolerance: hopGain, Patience: hopPatience}}
	loop, restored, err := rememberLoop(p, func(c *checkpoint.Coder) {
		c.Int(&k)
		c.Float(&reached)
		c.Float(&value)
		c.Floats(&best)
		stall.code(c)
		h.code(c, &found)
	})
	if !restored && err == nil {
		reached, found, err = h.descend(found, quick, hopRounds)
		if err == nil && !found.settled() {
			reached, found, err = h.descend(found, wide, hopRounds)
		}
	}
	for ; err == nil && !found.settled(); k++ {
		loop.save()
		if reached < value {
			value = reached
			copy(best, h.w)
			found, err = h.polishPresent(found)
			if err != nil || found.settled() || found.best.hasLargeGap() || !a.scattered(loss.residuals) {
				break
			}
		}
		if stall.Done(value) || k == hopsPerStart*(a.task.settings.Starts-1) {
			break
		}
		if k%hopsPerStart == 0 {
			p.start, p.round = p.start+1, 0
		}
		shake := rng.Stream(a.task.settings.Seed, "hop", k)
		for e, w := range best {
			h.w[e] = 2 * shake.Float64() * w
		}
		reached, found, err = h.descend(found, wide, shakenRounds)
	}
	return found, err
}

// mayBeExact says whether what is left of the signals at the best point looks like
// wrong supports, and not like noise or a wrong model: it is little, much of some
// signals and next to nothing of others. Noise leaves about as much of every signal,
// or about the same share.
func (a *attempt) mayBeExact(best candidate) bool {
	if best.weights == nil || best.residual > wrongSupports || a.kernels != nil || a.task.side.prior != nil || a.task.lowPass {
		return false
	}
	a.fit.code = best.code.Clone()
	v, w := a.fit.onEdges(best.weights)
	residuals, err := v.refitAt(w)
	if err != nil {
		return false
	}
	return a.scattered(residuals)
}

// scattered says whether residuals are too different from each other for noise.
func (a *attempt) scattered(residuals residualEnergies) bool {
	var amounts, shares []float64
	for m, r := range residuals {
		if energy := a.fit.engine.SignalEnergy(m); energy > 0 {
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
	size := make([]float64, a.fit.m)
	for m := range size {
		size[m] = 1
		if energy := a.fit.engine.SignalEnergy(m); energy > 0 {
			size[m] = math.Sqrt(energy)
		}
	}
	neighbours := candidateNeighbours(a.task.progress.ctx, a.fit.yt, size, a.task.settings.Threads, a.task.side.allowed.allows)
	for u := range neighbours {
		neighbours[u] = neighbours[u][:min(hopCandidates, len(neighbours[u]))]
	}
	some, scores := mergeNeighbours(neighbours)
	w := make([]float64, a.pairs.Len())
	if g := graphOf(some, scores); g.EdgeCount() > 0 {
		moveTowards(g, 1, a.pairs, w)
	}
	revive(a.pairs, w)
	return w
}

// hopCandidates is how many candidates each vertex has at first.
const hopCandidates = 8

// descend alternates codes and weights until supports settle. It returns the loss,
// unsmoothed.
func (h *hopping) descend(found outcome, o sparse.Options, rounds int) (float64, outcome, error) {
	reached, err := remembered(h.task.progress, "descend", func(c *checkpoint.Coder, reached *float64) {
		c.Float(reached)
		h.code(c, &found)
	}, func() (value float64, err error) {
		value, found, err = h.descendAnew(found, o, rounds)
		return value, err
	})
	return reached, found, err
}

// code codes what the search has come to.
func (h *hopping) code(c *checkpoint.Coder, found *outcome) {
	c.Floats(&h.w)
	c.Float(&h.tried)
	codeResiduals(c, &h.loss.residuals)
	h.newton.code(c)
	h.codeOutcome(c, found)
}

func (h *hopping) descendAnew(found outcome, o sparse.Options, rounds int) (float64, outcome, error) {
	p, v := h.task.progress, h.loss.denseView
	o.Sparsity = v.sparsity
	coder := v.engine.newCoder(o)
	var value float64
	var before *sparse.Code
	settled, round := 0, 0
	loop, _, err := rememberLoop(p, func(c *checkpoint.Coder) {
		c.Int(&round)
		c.Int(&settled)
		c.Float(&value)
		codeCodes(c, &before)
		h.code(c, &found)
	})
	if err != nil {
		return 0, found, err
	}
	for ; round < min(rounds, h.task.settings.Rounds); round++ {
		loop.save()
		p.round++
		if err := v.place(h.w); err != nil {
			return 0, found, err
		}
		v.engine.encode(coder, v.code, nil)
		residuals := v.refit()
		h.loss.smooth(residuals)
		if err := p.step(coding, v.relative(residuals), h.loss.of(residuals), h.pairs, h.w); err != nil {
			return 0, found, err
		}
		steps := settledSteps
		if settled++; before == nil || !sameSupports(before, v.code) {
			settled, steps = 0, stepsPerRound
			h.newton.forget()
		}
		before = v.code.Clone()
		last := value
		value = h.newton.minimise(p.ctx, h.w, limits{steps: steps, gain: 1e-6})
		normalise(h.w, v.n)
		if revive(h.pairs, h.w) {
			value = h.loss.evaluate(h.w, h.newton.grad)
		}
		residuals = h.loss.residuals
		g := graphOf(h.pairs, h.w)
		found.best = h.better(found.best, g, residuals)
		if err := p.step(graphUpdate, v.relative(residuals), value, h.pairs, h.w); err != nil {
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
	h.loss.smoothing = 0
	return h.loss.of(h.loss.residuals), found, nil
}

// polishPresent polishes all edges that are not next to nothing. Where few signals
// see an edge, its weight is among the last to settle, so that the gap shows only
// after the polish.
func (h *hopping) polishPresent(found outcome) (outcome, error) {
	p, err := h.polish(graphOf(h.pairs, h.w).AboveShare(presentShare))
	if err != nil || h.fit.relative(p.residuals) > nearlyExact {
		return found, err
	}
	if !p.exact {
		p.graph, _ = p.graph.CutAtGap()
	}
	return h.tryPolish(p.graph, found)
}

// presentShare is the share of the typical weight from which on an edge is present.
const presentShare = 0.02

// sameSupports says whether two codes have the same atoms.
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
