package learn

import (
	"fmt"
	"os"
	"time"

	"github.com/nervure/nervure/dictionary"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/solver"
	"github.com/nervure/nervure/sparse"
)

// The default recipe on large graphs.
const (
	largeFrom        = 400
	atomTolerance    = 1e-3
	maxNeighbourhood = 512
	largeSteps       = 8
	admitted         = 2 // pairs a vertex may bring in a round
)

var Debug func(stage string, g *graph.Graph, code *sparse.Code)

func (r *run) debug(stage string, w []float64) {
	if Debug != nil {
		fmt.Fprintf(os.Stderr, "%s pairs %d residual %.3g robust %.4g t=%v\n", stage, r.all.Len(), r.residual(), r.robustLoss(), time.Now().Format("05.000"))
		Debug(stage, r.graph(r.all, w), r.code)
	}
}

func (r *run) large(w []float64) {
	r.start = 1
	r.engine.SetPairs(r.all)
	r.normalise(w)
	status := solver.MaxRounds
	stall := solver.Stall{Tolerance: 0.05, Patience: patience}
	for r.round = 1; r.round <= r.options.Rounds; r.round++ {
		if r.err = r.recode(w, effort{sparse.OMP, 0}); r.err != nil {
			return
		}
		r.engine.Refit(r.code)
		r.smooth()
		r.debug("coded", w)
		if !r.report(Coding, r.residual(), r.robustLoss(), positive(w)) {
			break
		}
		newton := newQuasiNewton(len(w), r.robust)
		loss := newton.minimise(r.ctx, w, limits{steps: largeSteps, gain: 1e-6})
		r.normalise(w)
		r.debug("moved", w)
		if !r.report(Weight, r.residual(), loss, positive(w)) {
			break
		}
		if stall.Done(loss) {
			status = solver.Stalled
			break
		}
		w = r.regrow(w)
	}
	if r.left {
		return
	}
	weights := r.graph(r.all, w)
	kept, threshold := r.cut(weights)
	if r.ctx.Err() != nil {
		status = solver.Interrupted
	}
	r.answer = answer{
		weights: weights, graph: kept, codes: r.code, residual: r.residual(), objective: r.residual(),
		threshold: threshold, rounds: min(r.round, r.options.Rounds), status: status, unexplained: len(r.unexplained()),
	}
}

// regrow drops the pairs that came to nothing and admits those that promise most.
func (r *run) regrow(w []float64) []float64 {
	r.robustLoss()
	fresh := r.local.Promising(r.code, r.weight, admitted)
	partners := make([][]partner, r.n)
	for e, v := range w {
		if v > 0 {
			partners[r.all.I[e]] = append(partners[r.all.I[e]], partner{r.all.J[e], v})
		}
	}
	for u, list := range fresh {
		for _, v := range list {
			partners[u] = append(partners[u], partner{v, 0})
		}
	}
	r.all, w = mergePartners(partners)
	r.engine.SetPairs(r.all)
	return w
}

var _ = dictionary.Pairs{}
