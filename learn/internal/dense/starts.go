package dense

import (
	"errors"

	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// errNotANumber reports that no point has a residual.
var errNotANumber = errors.New("the residual is not a number: kernels or signals are too large or too small")

// An effort says how long to search for a graph.
type effort int

const (
	once     effort = iota // the usual start alone
	brief                  // other starts only if there is a clear gap
	thorough               // other starts, and hops
)

// A move is what a search over starts does next.
type move int

const (
	stop    move = iota
	restart      // search from other weights
	hops         // search from candidates, and then from the best point, shaken; see hops.go
)

// explore searches from one start after another. If the context ends, what it has found
// comes with job.ErrInterrupted.
func (a *attempt) explore(most effort) (outcome, error) {
	return job.Remember(a.task.Progress, "explore", func() (outcome, error) { return a.runStarts(most) }, a)
}

// runStarts begins from the graph that is known, if there is one, and makes moves until
// nextMove stops it.
func (a *attempt) runStarts(most effort) (outcome, error) {
	found, err := a.polishInit()
	if found.proved != nil || job.Failed(err) {
		return found, err
	}
	p := a.task.Progress
	p.Start = 0
	for next := restart; next != stop; next = a.nextMove(next, most, found, err) {
		p.Start++
		if next == hops {
			found, err = a.hop(found)
		} else {
			found, err = a.search(p.Start, found.best)
		}
	}
	if found.proved == nil && found.best.weights == nil && !job.Failed(err) {
		return found, errNotANumber
	}
	return found, err
}

// nextMove returns what follows a move that has come to found and err. Starts other than
// the usual one are for kernels that move, which lead elsewhere from elsewhere; with
// kernels that stay, signals that may be exact are worth hops.
func (a *attempt) nextMove(last move, most effort, found outcome, err error) move {
	start := a.task.Progress.Start
	switch {
	case err != nil || found.settled() || last == hops || start == a.task.Settings.Starts:
		return stop
	case start < a.usualStart():
		return restart
	case a.kernels != nil && (most == thorough || most == brief && found.best.hasClearGap()):
		return restart
	case most == thorough && a.mayBeExact(found.best):
		return hops
	}
	return stop
}

// startWeights returns the weights that start number k begins from. The first
// is |corr|, which knows nothing of labels or seeds; later ones shake it. If a
// graph is known beforehand, a start from that comes before them. What a rival has found
// takes the place of all.
func (a *attempt) startWeights(k int) []float64 {
	if a.rival != nil {
		w := make([]float64, a.pairs.Len())
		fitting.MoveTowards(a.rival.best.weights, 1, a.pairs, w)
		fitting.Revive(a.pairs, w)
		return w
	}
	if a.task.Side.HasGraph() {
		k--
	}
	w := fitting.Correlations(a.fit.Rows, a.pairs)
	if k > 1 {
		shake := rng.Stream(a.task.Settings.Seed, "start", k)
		for e := range w {
			w[e] *= 2 * shake.Float64()
		}
	}
	fitting.Normalise(w, a.fit.N)
	if k == 0 {
		a.task.Side.Apply(a.pairs, w)
	}
	return w
}

// usualStart is the number of the start from |corr|.
func (a *attempt) usualStart() int {
	if a.task.Side.HasGraph() {
		return 2
	}
	return 1
}

// polishInit looks whether the initial graph, if there is one, is the answer
// already. A search would begin with quick codes, which are partly wrong, and
// leave it.
func (a *attempt) polishInit() (outcome, error) {
	found := outcome{best: noCandidate()}
	if a.task.Side.Init == nil {
		return found, nil
	}
	p, v := a.task.Progress, a.fit.OverPairs(a.pairs)
	p.Start, p.Round = 1, 1
	w := make([]float64, a.pairs.Len())
	fitting.MoveTowards(a.task.Side.Init, 1, a.pairs, w)
	residuals, err := v.Recode(w, fitting.Beams(polishWidths[0]))
	if err != nil {
		return found, err
	}
	loss := fitting.NewRobustLoss(v)
	if err := p.Step(job.Coding, v.Relative(residuals), loss.Of(residuals), a.pairs, w); err != nil {
		return found, err
	}
	return a.tryPolish(fitting.GraphOf(a.pairs, w), found)
}
