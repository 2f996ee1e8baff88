package baseline

import (
	"context"
	"math"

	"github.com/nervure/nervure/baseline/internal/field"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/linalg"
	"github.com/nervure/nervure/method"
)

const (
	// leastReach is the reach below which noise hides what tells neighbours apart, and
	// leastNoisyReach that of a power if noise is at least noisy as large as the signals, or
	// leastSmoothReach if its order is above two.
	leastReach, leastNoisyReach, leastSmoothReach, noisy = 0.8, 1.5, 2, 0.05
	// noiseFree is the noise below which there is none to speak of, over the signals.
	noiseFree = 0.005
	// freeReach is the reach above which noise does not matter, and freeHeatReach that of
	// diffusion, whose frequencies are logarithms.
	freeReach, freeHeatReach = 5, 2
)

// between are orders that are tried beside one that is in doubt.
var between = map[float64][]field.Kernel{2: {{Order: 2}, {Order: 1.5}, {Order: 3}}, 4: {{Order: 4}, {Order: 3}}}

// learnEdges learns the graph of a field of another order than one.
func (r *fieldRun) learnEdges(ctx context.Context) (*method.Result, error) {
	learned, err := r.fit(ctx)
	switch {
	case learned == nil && ctx.Err() != nil:
		r.OnlyOrderOne = "there was no time to learn another"
		return r.orderOne(ctx)
	case learned == nil:
		return nil, input.Errorf(Field{}.Name(), input.Signals, "%v", err)
	}
	r.Noise = math.Sqrt(learned.Noise)
	least, free := leastReach, float64(freeReach)
	switch {
	case r.kernel == field.Heat:
		free = freeHeatReach
	case r.Noise >= noisy && r.kernel.Order > 2:
		least = leastSmoothReach
	case r.Noise >= noisy:
		least = leastNoisyReach
	}
	blurred := (r.kernel == field.Heat || r.kernel.Order > 2) && r.Noise >= noiseFree && learned.Reach < free
	switch {
	case learned.Reach < least:
		r.Hidden = true
		return r.orderOne(ctx)
	case blurred && learned.Misfit <= field.GoodFit:
		return r.significant(ctx, learned), nil
	}
	return r.onRoot(ctx, learned)
}

// fit fits the field to all signals. Orders between those that were compared are tried where the
// chosen one does not describe the signals, or is four and finds noise: at high frequencies signals
// of order three have more than order four gives them, and that looks like noise. Where nothing
// describes the signals, order two stands for higher ones.
func (r *fieldRun) fit(ctx context.Context) (*field.Fitted, error) {
	fit := func(k field.Kernel) (*field.Fitted, error) {
		return field.Fit(ctx, r.y, k, r.models[k], r.observations, linalg.Threads(r.problem.Threads))
	}
	learned, err := fit(r.kernel)
	if err != nil || r.Trials == nil {
		return learned, err
	}
	take := func(k field.Kernel) {
		if k == r.kernel {
			return
		}
		if other, err := fit(k); err == nil {
			r.kernel, learned = k, other
		}
	}
	noise := r.kernel.Order == 4 && math.Sqrt(learned.Noise) >= noiseFree
	if others := between[r.kernel.Order]; others != nil && r.y.Cols <= mostBetween && (noise || learned.Misfit > field.GoodFit) {
		if best, err := r.compare(ctx, others, field.Clear); err == nil {
			take(best.Kernel)
		}
	}
	if learned.Misfit > field.GoodFit && (r.kernel == field.Heat || r.kernel.Order > 2) { // it only follows what no kernel describes
		r.Misfit = true
		take(field.Kernel{Order: 2})
	}
	return learned, nil
}

// significant returns the edges of the likelihood.
func (r *fieldRun) significant(ctx context.Context, learned *field.Fitted) *method.Result {
	n := r.y.Cols
	result := &method.Result{Status: method.Converged, Rounds: 1, Weights: graphOfField(n, &learned.Model)}
	if r.problem.Cut == (graph.Cut{}) {
		result.Graph = graphOfField(n, learned.Significant(ctx))
	}
	if ctx.Err() != nil {
		result.Status = method.Interrupted
	}
	return result
}

// onRoot learns and cuts the graph of the signals that the root makes of these.
func (r *fieldRun) onRoot(ctx context.Context, learned *field.Fitted) (*method.Result, error) {
	var err error
	if r.root, err = learned.Root(); err != nil {
		return nil, input.Errorf(Field{}.Name(), input.Signals, "%v", err)
	}
	p, cutter := r.problem, GGL{}
	p.Y = columnsOf(inTrialOrder(r.rooted(p.Y), r.observations)) // so that what is kept depends little on the order
	if r.y.Cols > manyVertices {
		cutter.Folds = fewFolds
	}
	signs := r.signs
	if learned.Misfit > field.GoodFit && signs == openSigns {
		signs = positiveOnly // what is left by the root of another model may be negative without an edge
	}
	result, err := r.cutEdges(ctx, p, cutter, signs)
	if err == nil && r.Trials != nil && edgesOf(result).EdgeCount() == 0 { // what seemed a kernel was none
		r.OnlyOrderOne, r.root = "no edge of a higher order predicts anything", linalg.Dense{}
		return r.orderOne(ctx)
	}
	return result, err
}

// graphOfField returns the edges of a field.
func graphOfField(n int, m *field.Model) *graph.Graph {
	var edges []graph.Edge
	for k, w := range m.Partial() {
		if w > 0 {
			edges = append(edges, graph.Edge{I: m.Pairs[k].I, J: m.Pairs[k].J, Weight: w})
		}
	}
	return graphOf(n, edges)
}
