package learn

import (
	"errors"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/signals"
	"github.com/nervure/nervure/solver"
)

// Reopening is for exact signals on a graph whose weights are of very different sizes.
// Sorted weights have no gap then, and atoms of vertices that a heavy edge joins are so
// alike that some supports are wrong: the pruned answer has the heavy edges and lacks
// light ones. From there it is not far to the exact weights. All pairs are opened with
// next to nothing, polished and, as long as this comes closer, shaken and polished again.

const (
	// reopenings bounds how often pairs are opened, and reopenPatience how often in a row
	// without coming closer.
	reopenings, reopenPatience = 64, 24
	// openShare is the weight that a pair is opened with at most, as a share of the mean
	// weight of the answer's edges, and closedShare that below which it is opened anew.
	openShare, closedShare = 0.005, 0.001
	// mostReopened is how many vertices there are at most: with more, polishing all pairs
	// takes longer than all that came before it.
	mostReopened = 64
	// numbersPerPair is how many numbers the signals have at least for each pair, beyond
	// those that their codes take up. With fewer, weights of all pairs explain anything.
	numbersPerPair = 4
)

// shakes are the shares by which the weights of edges may change, used in turn.
var shakes = []float64{0, 0.25, 1}

// mayReopen says whether an answer is worth opening again.
func (a *attempt) mayReopen(pruned *answer, best candidate) bool {
	return !best.polished && pruned.graph.EdgeCount() > 0 && a.usualStart() < a.task.settings.Starts &&
		a.fit.n <= mostReopened && a.fit.m*a.fit.spareEntries() >= numbersPerPair*a.pairs.Len() &&
		a.mayBeExact(candidate{weights: pruned.graph, code: pruned.codes, residual: pruned.residual})
}

// reopen looks for exact weights near an answer that is pruned, or weights that are exact
// but for a trace of noise. If it finds none, the answer is what it was.
func (a *attempt) reopen(pruned *answer, found outcome) (*answer, error) {
	if !a.mayReopen(pruned, found.best) {
		a.fit.code = pruned.codes
		return pruned, nil
	}
	near := candidate{weights: pruned.graph, code: pruned.codes, residual: pruned.residual}
	mean := float64(a.fit.n) / 2 / float64(pruned.graph.EdgeCount()) // degrees are 1 on average
	stall := rememberedStall{Stall: solver.Stall{Tolerance: hopGain, Patience: reopenPatience}}
	k, over := 0, false
	loop, _, err := rememberLoop(a.task.progress, func(c *checkpoint.Coder) {
		c.Int(&k)
		c.Graph(&near.weights)
		codeCodes(c, &near.code)
		c.Float(&near.residual)
		stall.code(c)
		a.code(c)
	})
	for ; err == nil && !over && k < reopenings; k++ {
		loop.save()
		a.fit.code = near.code.Clone()
		var p polished
		if p, err = a.polish(a.opened(near.weights, mean, k)); err != nil {
			break
		}
		residual := a.fit.relative(p.residuals)
		if residual < near.residual {
			near = candidate{weights: p.graph, code: a.fit.code.Clone(), residual: residual}
		}
		over = stall.Done(near.residual)
		if residual >= nearlyExact {
			continue
		}
		var tried outcome
		if tried, err = a.tryPolish(p.graph, found); tried.proved != nil {
			return tried.proved, err
		}
		if err == nil && tried.best.polished && a.leavesNoise(tried.best) {
			return a.finish(tried.best, tried.status)
		}
	}
	a.fit.code = pruned.codes
	switch {
	case interrupted(err):
		return pruned.endedBy(err)
	case errors.Is(err, errStopped) || errors.Is(err, checkpoint.ErrUnreadable):
		return nil, err
	}
	return pruned, nil // also where shaken weights have no dictionary
}

// leavesNoise says whether what is left of the signals is nothing but noise: about as much
// of every signal. Even one wrong support among many leaves far more of its signal.
func (a *attempt) leavesNoise(best candidate) bool {
	a.fit.code = best.code.Clone()
	v, w := a.fit.onEdges(best.weights)
	residuals, err := v.refitAt(w)
	if err != nil {
		return false
	}
	return portable.Mean(residuals) <= mostAboveMedian*signals.Quantile(slices.Clone(residuals), 0.5)
}

// mostAboveMedian is how many times their median the mean of residuals is at most that are
// noise, which has 1.1 where signals have eight more entries than atoms, and 2.2 with one.
const mostAboveMedian = 4

// opened returns g, shaken for the k-th time, with all pairs that it has no edge for. The
// mean weight is that of weights whose degrees are 1 on average.
func (a *attempt) opened(g *graph.Graph, mean float64, k int) *graph.Graph {
	w := make([]float64, a.pairs.Len())
	moveTowards(g, 1, a.pairs, w)
	revive(a.pairs, w)
	shake, r := shakes[k%len(shakes)], rng.Stream(a.task.settings.Seed, "reopen", k)
	for e := range w {
		if w[e] < closedShare*mean {
			w[e] = openShare * mean * r.Float64()
		} else {
			w[e] *= 1 + shake*(2*r.Float64()-1)
		}
	}
	return graphOf(a.pairs, w)
}
