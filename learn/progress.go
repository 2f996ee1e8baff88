package learn

import (
	"context"
	"errors"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/method"
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

// A phaseName says what a step has just done.
type phaseName = method.Phase

// The phases of a run.
const (
	coding         phaseName = "coding"  // new codes for the current graph
	graphUpdate    phaseName = "graph"   // new weights for the current codes
	kernelsUpdated phaseName = "kernels" // new kernels for the current codes, on a known graph
	pruning        phaseName = "prune"   // a graph on the pruning path
	polishing      phaseName = "polish"  // weights and codes on some edges only
)

// An innerStep is a look at a run in progress.
type innerStep struct {
	Phase     phaseName
	Start     int     // from 1
	Round     int     // from 1, within the start
	Residual  float64 // ‖Y − DX‖²/‖Y‖²
	Objective float64 // what the phase minimises
	Edges     int     // pairs of positive weight
	Gradients int     // computed so far, all starts together

	Now *liveWeights // the weights, as long as the step is the newest
}

// liveWeights shows the weights of a run until it goes on.
type liveWeights struct {
	weights func() *graph.Graph
}

// Graph returns the graph that the run has come to, before any cut; nil once it has gone
// on.
func (l *liveWeights) Graph() *graph.Graph {
	if l == nil || l.weights == nil {
		return nil
	}
	return l.weights()
}

// progress is how far a run has come.
type progress struct {
	reporter[innerStep]
	embed     func(*graph.Graph) *graph.Graph // puts a graph among the vertices of the input
	start     int                             // from 1
	round     int                             // from 1, within the start
	gradients int                             // computed so far
}

// newProgress returns the progress of a run before it begins.
func newProgress(embed func(*graph.Graph) *graph.Graph) *progress { return &progress{embed: embed} }

// begin makes the progress that of a run under ctx, whose steps yield is shown.
func (p *progress) begin(ctx context.Context, yield func(innerStep) bool) {
	p.ctx, p.yield = ctx, yield
}

// step reports a step at the weights w over the pairs.
func (p *progress) step(phase phaseName, residual, objective float64, pairs dictionary.Pairs, w []float64) error {
	now := &liveWeights{func() *graph.Graph { return p.embed(graphOf(pairs, w)) }}
	err := p.report(innerStep{
		Phase: phase, Start: p.start, Round: p.round, Residual: residual,
		Objective: objective, Edges: positive(w), Gradients: p.gradients, Now: now,
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
