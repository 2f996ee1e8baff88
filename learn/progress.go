package learn

import (
	"context"
	"errors"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
)

// How a run ends before its time, beside failures of the arithmetic.
var (
	// errStopped says that the caller left the loop over the steps: nobody waits
	// for an answer.
	errStopped = errors.New("the caller left the loop")
	// errInterrupted says that the context ended. What comes with it is the best so
	// far. A context stays ended, so whoever has something to go on with may do so:
	// the next report says it again.
	errInterrupted = errors.New("the context ended")
)

func interrupted(err error) bool { return errors.Is(err, errInterrupted) }

// failed says whether an error leaves nothing to go on with.
func failed(err error) bool { return err != nil && !interrupted(err) }

// A reporter shows steps to the caller and keeps them.
type reporter[S any] struct {
	ctx     context.Context
	yield   func(S) bool
	history []S
}

// report shows a step. It returns errStopped if the caller wants no more, and
// errInterrupted if the context has ended.
func (r *reporter[S]) report(step S) error {
	r.history = append(r.history, step)
	if !r.yield(step) {
		return errStopped
	}
	return r.ended()
}

// ended returns errInterrupted if the context has ended.
func (r *reporter[S]) ended() error {
	if r.ctx.Err() != nil {
		return errInterrupted
	}
	return nil
}

// progress is how far a run of Steps has come.
type progress struct {
	reporter[Step]
	embed     func(*graph.Graph) *graph.Graph // puts a graph among the vertices of the input
	start     int                             // from 1
	round     int                             // from 1, within the start
	gradients int                             // computed so far
}

// step reports a step at the weights w over the pairs.
func (p *progress) step(phase Phase, residual, objective float64, pairs dictionary.Pairs, w []float64) error {
	now := &liveWeights{func() *graph.Graph { return p.embed(graphOf(pairs, w)) }}
	err := p.report(Step{
		Phase: phase, Start: p.start, Round: p.round, Residual: residual,
		Objective: objective, Edges: positive(w), Gradients: p.gradients, now: now,
	})
	now.weights = nil // they move on
	return err
}

func positive(w []float64) int {
	count := 0
	for _, v := range w {
		if v > 0 {
			count++
		}
	}
	return count
}
