package auto

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/run"
	"github.com/nervure/nervure/learn"
	"github.com/nervure/nervure/method"
)

// Exact first: the sparse method is asked before any other, on all signals. Where it proves
// its graph, or leaves next to nothing, no other method has anything to add, and what it has
// learned is the result. Signals of another kind are told within a few rounds: then the work
// is given up. The rule looks at one step at a time, so that a run that goes on
// from a checkpoint gives up where it would have without.

// mostLeft is the most that the sparse method may leave after the graph update of each round,
// from the first on, as a share of the energy: about twice what it leaves of exact signals.
var mostLeft = []float64{0.12, 0.06, 0.04, 0.03, 0.02, 0.01, 0.005, 0.003, 0.002, 0.001}

const (
	// mostLeftCoded is the same for the first codes, on a graph of correlations.
	mostLeftCoded = 0.25
	// nextToNothing is the share of the energy that truncated atoms may leave; such a graph
	// cannot prove itself.
	nextToNothing = 1e-3
	// atomsAtMost is the share of the vertices that a signal may have atoms, for a fit without
	// proof to be more than a description by many numbers.
	atomsAtMost = 0.25
)

// errInexact is the cause when the sparse method is given up.
var errInexact = fmt.Errorf("auto: the signals are not exact sums of few patterns: %w", run.ErrAbandoned)

// isInexact reports whether a step of the sparse method says that it will not prove its graph.
func isInexact(s method.Step) bool {
	switch s.Phase {
	case learn.Coding:
		return s.Round == 1 && s.Residual > mostLeftCoded
	case learn.GraphUpdate:
		return s.Residual > mostLeft[min(s.Round, len(mostLeft))-1]
	}
	return s.Phase == learn.Pruning // that is for weights without a gap
}

// leavesNothing reports whether a result of the sparse method proves itself or, as far as
// atoms are truncated, leaves next to nothing.
func leavesNothing(r *method.Result) bool {
	about := method.ExplainerOf(r).Explanation()
	return about.Certified ||
		about.Truncated > 0 && about.Residual < nextToNothing && float64(about.Sparsity) <= atomsAtMost*float64(r.Graph.Vertices())
}

// A proof is what the sparse method came to: a result that leaves nothing, or the best so far
// with the error that ended it, if its signals may be exact. Without both, it was given up.
type proof struct {
	result *method.Result
	err    error
	left   *method.Result // what there was when it was given up
}

// prove learns by the sparse method as long as it may be exact.
func prove(ctx context.Context, p method.Problem) proof {
	var found proof
	// An answer is a piece of its own within this one, and is kept as such.
	_, err := checkpoint.Piece(ctx, "proof", (*checkpoint.Coder).Bool, func(ctx context.Context) (bool, error) {
		var begun, promising atomic.Bool // codes leave little, and so does a graph that was fitted to them
		inner, giveUp := context.WithCancelCause(context.WithoutCancel(ctx))
		defer giveUp(nil)
		defer context.AfterFunc(ctx, func() {
			if begun.Load() || run.OutOfTime(ctx) {
				giveUp(context.Cause(ctx))
			} else { // whoever has stopped it does not wait for what is hardly begun to be finished
				giveUp(errInexact)
			}
		})()
		show := p.Progress
		p.Progress = func(s method.Step) {
			if show != nil {
				show(s)
			}
			switch {
			case isInexact(s):
				giveUp(errInexact)
			case s.Phase == learn.GraphUpdate:
				promising.Store(true)
			default:
				begun.Store(true)
			}
		}
		r, err := sparseMethod(p).Learn(inner, p)
		switch given := context.Cause(inner) == errInexact; { //nolint:errorlint // it is this very one
		case given, ctx.Err() != nil && !promising.Load(), ctx.Err() == nil && err == nil && !leavesNothing(r):
			found.left = r
			return false, nil
		case ctx.Err() != nil:
			found = proof{result: r, err: context.Cause(ctx)}
		default:
			found = proof{result: r, err: err}
		}
		return true, errKept
	})
	if err != nil && !errors.Is(err, errKept) {
		return proof{err: err}
	}
	return found
}

// errKept says that a piece is not to be put in the place of its parts.
var errKept = errors.New("auto: the answer is kept by itself")

// sparseMethod is the sparse method for a problem.
func sparseMethod(p method.Problem) learn.Sparse {
	return learn.Sparse{Model: learn.Model{Kernels: p.Kernels}}
}
