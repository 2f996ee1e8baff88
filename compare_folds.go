package nervure

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/assess"
	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/portable"
	"github.com/nervure/nervure/internal/rng"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/method"
	"github.com/nervure/nervure/signals"
)

// Up to the size N²M of the first there are many folds, up to the second there are
// few, and beyond it one half of the signals is held out: then a method learns twice
// in all, and one that has its graph in half of the time is judged in the other half.
// So many signals tell methods apart by one half. The number is fixed by size and not
// by time, and is the same for all methods, so that a comparison is fair and can be
// repeated.
const (
	sizeForManyFolds = 10_000_000
	sizeForFewFolds  = 300_000_000
	manyFolds        = 5
	fewFolds         = 2
)

// size is N²M.
func (c *comparisonRun) size() float64 {
	n, m := c.y.Y.Dims()
	return float64(n) * float64(n) * float64(m)
}

// chooseFolds returns how many folds of signals are held out, 0 if there are too few
// signals or none are wanted.
func (c *comparisonRun) chooseFolds() int {
	_, m := c.y.Y.Dims()
	folds := manyFolds
	switch {
	case c.options.Unranked:
		return 0
	case c.options.Folds > 0:
		folds = c.options.Folds
	case c.size() > sizeForFewFolds:
		folds = 1
	case c.size() > sizeForManyFolds:
		folds = fewFolds
	}
	if m < 2*max(folds, 2) {
		return 0
	}
	return folds
}

// holdOut returns how a method, with what it chose from all signals as given, does
// on folds of signals that it has not learned from.
func (w *methodRun) holdOut(ctx context.Context, m method.Method) (*assess.HeldOut, error) {
	ctx, leave := run.AbandonedAfter(ctx)
	defer leave()
	return assess.HoldOut(ctx, w.y.Y, func(ctx context.Context, train *mat.Dense) (*graph.Graph, assess.SignalModel, error) {
		p := w.problem()
		p.Y = train
		r, err := runMethod(ctx, m, p)
		switch {
		case ctx.Err() != nil:
			return nil, nil, context.Cause(ctx)
		case err != nil:
			return nil, nil, err
		}
		explainer := method.ExplainerOf(r)
		if explainer == nil || signals.Missing(train) > 0 {
			return r.Graph, nil, nil // no model of the signals, or not of all of them
		}
		about := explainer.Explanation()
		if about.CommonModeRemoved {
			return r.Graph, nil, nil
		}
		own, err := assess.CodeModel(train, r.Graph, about.Kernels, about.Sparsity, p.Threads)
		return r.Graph, own, err
	}, assess.HeldOutOptions{Folds: w.folds, Seed: w.options.Seed})
}

// heldOutError learns by a method with codes from four fifths of the signals, drawn
// at random, codes the others on the graph, and returns ‖Y − DX‖²/‖Y‖² of those
// and how many they are. There is no error, nil, if the signals are too few, do
// not suffice for learning, or ctx ends.
func (w *methodRun) heldOutError(ctx context.Context, m method.Method) (*float64, int, error) {
	p := w.problem()
	_, count := p.Y.Dims()
	order := rng.Stream(w.options.Seed, "held-out").Perm(count)
	held, used := order[:count/5], order[count/5:]
	if len(held) == 0 {
		return nil, 0, nil
	}
	slices.Sort(held)
	slices.Sort(used)
	test := signals.Columns(p.Y, held)
	p.Y = signals.Columns(p.Y, used)
	r, err := runMethod(ctx, m, p)
	if ctx.Err() != nil || input.Find(err) != nil {
		r, err = nil, nil
	}
	if r == nil {
		return nil, 0, err
	}
	left, energy, err := method.ExplainerOf(r).Residuals(p.Y, test, p.Threads)
	if err != nil || portable.Sum(energy) == 0 {
		return nil, 0, err
	}
	share := portable.Sum(left) / portable.Sum(energy)
	return &share, len(held), nil
}

// holdOut takes in the error of held-out signals and returns how many these are.
// That there is none does not make the graph any worse: it is a warning.
func (r *Compared) holdOut(share *float64, held int, err error) int {
	if err != nil {
		r.warn("the held-out error was not computed: %s", input.Sentence(err))
		return 0
	}
	r.HeldOutError = share
	return held
}
