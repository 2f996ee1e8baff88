package job

import (
	"context"
	"errors"

	"github.com/nervure/nervure/graph"
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/internal/dictionary"
	"github.com/nervure/nervure/internal/optimise"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/method"
)

// How a run ends before its time, beside failures of the arithmetic.
var (
	// ErrStopped says that the caller left the loop over the steps: nobody waits
	// for an answer.
	ErrStopped = errors.New("the caller left the loop")
	// ErrInterrupted says that the context ended. What comes with it is the best so
	// far. A context stays ended, so whoever has something to go on with may do so:
	// the next report says it again.
	ErrInterrupted = errors.New("the context ended")
)

// Interrupted reports whether an error says that the context ended.
func Interrupted(err error) bool { return errors.Is(err, ErrInterrupted) }

// Failed reports whether an error leaves nothing to go on with.
func Failed(err error) bool { return err != nil && !Interrupted(err) }

// A Reporter shows steps to the caller and keeps them.
type Reporter[S any] struct {
	Ctx     context.Context
	Yield   func(S) bool
	History []S
}

// Report shows a step. It returns ErrStopped if the caller wants no more, and
// ErrInterrupted if the context has ended.
func (r *Reporter[S]) Report(step S) error {
	r.History = append(r.History, step)
	if !r.Yield(step) {
		return ErrStopped
	}
	return r.Ended()
}

// Ended returns ErrInterrupted if the context has ended.
func (r *Reporter[S]) Ended() error {
	if r.Ctx.Err() != nil {
		return ErrInterrupted
	}
	return nil
}

// The phases of a run.
const (
	Coding       method.Phase = "coding"  // new codes for the current graph
	GraphUpdate  method.Phase = "graph"   // new weights for the current codes
	KernelUpdate method.Phase = "kernels" // new kernels for the current codes, on a known graph
	Pruning      method.Phase = "prune"   // a graph on the pruning path
	Polishing    method.Phase = "polish"  // weights and codes on some edges only
)

// A Step is a look at a run in progress.
type Step struct {
	Phase     method.Phase
	Start     int     // from 1
	Round     int     // from 1, within the start
	Residual  float64 // ‖Y − DX‖²/‖Y‖²
	Objective float64 // what the phase minimises
	Edges     int     // pairs of positive weight
	Gradients int     // computed so far, all starts together

	Now *LiveWeights // the weights, as long as the step is the newest
}

// LiveWeights shows the weights of a run until it goes on.
type LiveWeights struct {
	weights func() *graph.Graph
}

// Graph returns the graph that the run has come to, before any cut; nil once it has gone
// on.
func (l *LiveWeights) Graph() *graph.Graph {
	if l == nil || l.weights == nil {
		return nil
	}
	return l.weights()
}

// Progress is how far a run has come.
type Progress struct {
	Reporter[Step]
	Embed     func(*graph.Graph) *graph.Graph // puts a graph among the vertices of the input
	Start     int                             // from 1
	Round     int                             // from 1, within the start
	Gradients int                             // computed so far
}

// NewProgress returns the progress of a run before it begins.
func NewProgress(embed func(*graph.Graph) *graph.Graph) *Progress { return &Progress{Embed: embed} }

// Begin makes the progress that of a run under ctx, whose steps yield is shown.
func (p *Progress) Begin(ctx context.Context, yield func(Step) bool) {
	p.Ctx, p.Yield = ctx, yield
}

// Step reports a step at the weights w over the pairs.
func (p *Progress) Step(phase method.Phase, residual, objective float64, pairs dictionary.Pairs, w []float64) error {
	now := &LiveWeights{func() *graph.Graph { return p.Embed(fitting.GraphOf(pairs, w)) }}
	err := p.Report(Step{
		Phase: phase, Start: p.Start, Round: p.Round, Residual: residual,
		Objective: objective, Edges: positive(w), Gradients: p.Gradients, Now: now,
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

// How a run goes on after its process has died; see package checkpoint. Pieces are
// searches, polishes, the pruning path, trials of kernels and the answer; their loops
// are kept round by round. Here is what of it is written down. Where an engine stands
// is not: every piece, and every round, places it again before it reads from it.

// Remember returns what work comes to, or came to before, with all that it changes: the
// progress, and the values given; see [checkpoint.Coder.All].
func Remember[T any](p *Progress, name string, work func() (T, error), changed ...any) (T, error) {
	outer, first := p.Ctx, len(p.History)
	defer func() { p.Ctx = outer }()
	return checkpoint.Piece(outer, name, func(c *checkpoint.Coder, v *T) {
		p.code(c, first)
		c.All(v)
		c.All(changed...)
	}, func(ctx context.Context) (T, error) {
		p.Ctx = ctx
		return work()
	})
}

// A Loop keeps the state of the loop that a piece consists of.
type Loop struct {
	p    *Progress
	code func(*checkpoint.Coder)
}

// RememberLoop returns the loop with its state, which may be one that was kept.
func RememberLoop(p *Progress, state ...any) (l Loop, restored bool, err error) {
	first := len(p.History)
	l = Loop{p, func(c *checkpoint.Coder) {
		p.code(c, first)
		c.All(state...)
	}}
	restored, err = checkpoint.Restore(p.Ctx, l.code)
	return l, restored, err
}

// Save keeps the state at the head of a round, if it is time to.
func (l Loop) Save() { checkpoint.Save(l.p.Ctx, l.code) }

// code codes how far a run has come since the first step.
func (p *Progress) code(c *checkpoint.Coder, first int) {
	since := p.History[first:]
	if c.All(&p.Start, &p.Round, &p.Gradients, &since); c.Reading() {
		p.History = append(p.History[:first:first], since...)
	}
}

// InPlace are numbers that others refer to: they are read back to where they are.
type InPlace []float64

// Code codes the numbers.
func (x InPlace) Code(c *checkpoint.Coder) {
	read := []float64(x)
	c.Floats(&read)
	copy(x, read)
}

// A Stall is a stop rule that remembers what it was told.
type Stall struct {
	optimise.Stall
	told []float64
}

// Done is that of [optimise.Stall].
func (s *Stall) Done(value float64) bool {
	s.told = append(s.told, value)
	return s.Stall.Done(value)
}

// NewStall returns a rule with that tolerance and patience.
func NewStall(tolerance float64, patience int) Stall {
	return Stall{Stall: optimise.Stall{Tolerance: tolerance, Patience: patience}}
}

// Code codes the rule by what it was told.
func (s *Stall) Code(c *checkpoint.Coder) {
	if c.All(&s.Tolerance, &s.Patience, &s.told); c.Reading() {
		rule := optimise.Stall{Tolerance: s.Tolerance, Patience: s.Patience}
		for _, v := range s.told {
			rule.Done(v)
		}
		s.Stall = rule
	}
}
