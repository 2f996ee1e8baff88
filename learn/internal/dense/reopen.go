package dense

import (
	"errors"
	"slices"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/matrix"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
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
	// weight of the answer's edges, and closedShare that below which it is opened again.
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

// mayReopen reports whether an answer is worth opening again.
func (a *attempt) mayReopen(pruned *job.Answer, best candidate) bool {
	return !best.polished && pruned.Graph.EdgeCount() > 0 && a.usualStart() < a.task.Settings.Starts &&
		a.fit.N <= mostReopened && a.fit.M*a.fit.SpareEntries() >= numbersPerPair*a.pairs.Len() &&
		a.mayBeExact(candidate{weights: pruned.Graph, code: pruned.Codes, residual: pruned.Residual})
}

// reopen looks for exact weights near an answer that is pruned, or weights that are exact
// but for a trace of noise. If it finds none, the answer is what it was.
func (a *attempt) reopen(pruned *job.Answer, found outcome) (*job.Answer, error) {
	if !a.mayReopen(pruned, found.best) {
		a.fit.Code = pruned.Codes
		return pruned, nil
	}
	near := candidate{weights: pruned.Graph, code: pruned.Codes, residual: pruned.Residual}
	mean := float64(a.fit.N) / 2 / float64(pruned.Graph.EdgeCount()) // degrees are 1 on average
	stall := job.NewStall(hopGain, reopenPatience)
	k, over := 0, false
	loop, _, err := job.RememberLoop(a.task.Progress, &k, &near.weights, &near.code, &near.residual, &stall, a)
	for ; err == nil && !over && k < reopenings; k++ {
		loop.Save()
		a.fit.Code = near.code.Clone()
		var p polished
		if p, err = a.polish(a.withPairsOpened(near.weights, mean, k)); err != nil {
			break
		}
		residual := a.fit.Relative(p.residuals)
		if residual < near.residual {
			near = candidate{weights: p.graph, code: a.fit.Code.Clone(), residual: residual}
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
	a.fit.Code = pruned.Codes
	switch {
	case job.Interrupted(err):
		return pruned.EndedBy(err)
	case errors.Is(err, job.ErrStopped) || errors.Is(err, checkpoint.ErrUnreadable):
		return nil, err
	}
	return pruned, nil // also where shaken weights have no dictionary
}

// leavesNoise reports whether what is left of the signals is nothing but noise: about as much
// of every signal. Even one wrong support among many leaves far more of its signal.
func (a *attempt) leavesNoise(best candidate) bool {
	a.fit.Code = best.code.Clone()
	v, w := a.fit.OnEdges(best.weights)
	residuals, err := v.RefitAt(w)
	if err != nil {
		return false
	}
	return portable.Mean(residuals) <= mostAboveMedian*matrix.Quantile(slices.Clone(residuals), 0.5)
}

// mostAboveMedian is how many times their median the mean of residuals is at most that are
// noise, which has 1.1 where signals have eight more entries than atoms, and 2.2 with one.
const mostAboveMedian = 4

// withPairsOpened returns g, shaken for the k-th time, with all pairs that it has no edge for. The
// mean weight is that of weights whose degrees are 1 on average.
func (a *attempt) withPairsOpened(g *graph.Graph, mean float64, k int) *graph.Graph {
	w := make([]float64, a.pairs.Len())
	fitting.MoveTowards(g, 1, a.pairs, w)
	fitting.Revive(a.pairs, w)
	shake, r := shakes[k%len(shakes)], rng.Stream(a.task.Settings.Seed, "reopen", k)
	for e := range w {
		if w[e] < closedShare*mean {
			w[e] = openShare * mean * r.Float64()
		} else {
			w[e] *= 1 + shake*(2*r.Float64()-1)
		}
	}
	return fitting.GraphOf(a.pairs, w)
}
