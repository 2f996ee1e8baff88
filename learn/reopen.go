package learn

import (
	"github.com/nervure/nervure/checkpoint"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/rng"
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
	reopenings, reopenPatience = 64, 32
	// mostReopened is how many vertices there are at most: with more, polishing all pairs
	// takes longer than all that came before it.
	mostReopened = 64
	// openShare is the weight that a pair is opened with at most, as a share of the mean
	// one, and closedShare that below which it is opened anew.
	openShare, closedShare = 0.005, 0.001
)

// shakes are by which share the weights that there are may change, in turns.
var shakes = []float64{0, 0.25, 1}

// reopen looks for exact weights near an answer that is pruned, if signals may be exact.
// If it finds none, the answer is what it was.
func (a *attempt) reopen(pruned *answer, found outcome) (*answer, error) {
	near := candidate{weights: pruned.graph, code: pruned.codes, residual: pruned.residual}
	if found.best.polished || pruned.graph.EdgeCount() == 0 || a.fit.n > mostReopened || a.usualStart() >= a.task.options.Starts || !a.mayBeExact(near) {
		return pruned, nil
	}
	stall := rememberedStall{Stall: solver.Stall{Tolerance: hopGain, Patience: reopenPatience}}
	k, over := 0, false
	loop, _, err := rememberLoop(a.task.progress, func(c *checkpoint.Coder) {
		c.Int(&k)
		c.Graph(&near.weights)
		codeCodes(c, &near.code)
		c.Float(&near.residual)
		stall.code(c)
		a.codeOutcome(c, &found)
	})
	for ; err == nil && !over && k < reopenings; k++ {
		loop.save()
		var p polished
		a.fit.code = near.code.Clone()
		if p, err = a.polish(a.opened(near.weights, k)); err != nil {
			break
		}
		residual := a.fit.relative(p.residuals)
		if residual < near.residual {
			near = candidate{weights: p.graph, code: a.fit.code.Clone(), residual: residual}
		}
		over = stall.Done(near.residual)
		if residual < nearlyExact {
			over = over || !a.scattered(p.residuals) // nothing but a trace of noise is left
			if found, err = a.tryPolish(p.graph, found); found.proved != nil {
				return found.proved, err
			}
		}
	}
	a.fit.code = pruned.codes
	switch {
	case interrupted(err):
		return pruned.endedBy(err)
	case err != nil:
		return nil, err
	case found.best.polished:
		return a.finish(found.best, found.status)
	}
	return pruned, nil
}

// opened returns g, shaken for the k-th time, with all pairs that it has no edge for.
func (a *attempt) opened(g *graph.Graph, k int) *graph.Graph {
	w := make([]float64, a.pairs.Len())
	moveTowards(g, 1, a.pairs, w)
	revive(a.pairs, w)
	mean := float64(a.pairs.N) / 2 / float64(g.EdgeCount()) // their degrees are 1 on average
	shake, r := shakes[k%len(shakes)], rng.Stream(a.task.options.Seed, "reopen", k)
	for e := range w {
		if w[e] < closedShare*mean {
			w[e] = openShare * mean * r.Float64()
		} else {
			w[e] *= 1 + shake*(2*r.Float64()-1)
		}
	}
	return graphOf(a.pairs, w)
}
