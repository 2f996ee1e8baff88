package learn

import (
	"context"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/solver"
)

// How a run goes on after its process has died; see package checkpoint. Pieces are
// searches, polishes, the pruning path, trials of kernels and the answer; their loops
// are kept round by round. Here is what of it is written down. Where an engine stands
// is not: every piece, and every round, places it anew before it reads from it.

// remembered returns what work comes to, or came to before. code is about its value
// and all that it changes but the progress.
func remembered[T any](p *progress, name string, code func(*checkpoint.Coder, *T), work func() (T, error)) (T, error) {
	outer, first := p.ctx, len(p.history)
	defer func() { p.ctx = outer }()
	return checkpoint.Piece(outer, name, func(c *checkpoint.Coder, v *T) {
		p.code(c, first)
		code(c, v)
	}, func(ctx context.Context) (T, error) {
		p.ctx = ctx
		return work()
	})
}

// A rememberedLoop keeps the state of the loop that a piece consists of.
type rememberedLoop struct {
	p    *progress
	code func(*checkpoint.Coder)
}

// rememberLoop returns the loop, whose state code is about, and whether it goes on from
// a state that was kept.
func rememberLoop(p *progress, code func(*checkpoint.Coder)) (rememberedLoop, bool, error) {
	first := len(p.history)
	l := rememberedLoop{p, func(c *checkpoint.Coder) {
		p.code(c, first)
		code(c)
	}}
	restored, err := checkpoint.Restore(p.ctx, l.code)
	return l, restored, err
}

// save keeps the state at the head of a round, if it is time to.
func (l rememberedLoop) save() { checkpoint.Save(l.p.ctx, l.code) }

// code codes how far a run has come since the first step.
func (p *progress) code(c *checkpoint.Coder, first int) {
	c.Int(&p.start)
	c.Int(&p.round)
	c.Int(&p.gradients)
	since := p.history[first:]
	checkpoint.Slice(c, &since, func(c *checkpoint.Coder, s *innerStep) {
		checkpoint.Text(c, &s.Phase)
		for _, v := range []*int{&s.Start, &s.Round, &s.Edges, &s.Gradients} {
			c.Int(v)
		}
		c.Float(&s.Residual)
		c.Float(&s.Objective)
	})
	if c.Reading() {
		p.history = append(p.history[:first:first], since...)
	}
}

// A rememberedStall is a stop rule that remembers what it was told.
type rememberedStall struct {
	solver.Stall
	told []float64
}

// Done is that of [solver.Stall].
func (s *rememberedStall) Done(value float64) bool {
	s.told = append(s.told, value)
	return s.Stall.Done(value)
}

func (s *rememberedStall) code(c *checkpoint.Coder) {
	if c.Floats(&s.told); c.Reading() {
		rule := solver.Stall{Tolerance: s.Tolerance, Patience: s.Patience}
		for _, v := range s.told {
			rule.Done(v)
		}
		s.Stall = rule
	}
}

func codePath(c *checkpoint.Coder, path *[]innerPathPoint) {
	checkpoint.Slice(c, path, func(c *checkpoint.Coder, p *innerPathPoint) {
		c.Int(&p.Edges)
		c.Float(&p.CodeError)
		c.Float(&p.Prediction)
		c.Graph(&p.Graph)
	})
}

func codeScore(c *checkpoint.Coder, s *innerKernelScore) {
	checkpoint.Slice(c, &s.Kernels, (*checkpoint.Coder).String)
	c.Int(&s.Sparsity)
	c.Bool(&s.CommonModeRemoved)
	c.Float(&s.Prediction)
	codeModel(c, &s.model)
}

func codeThreshold(c *checkpoint.Coder, t *innerThreshold) {
	checkpoint.Text(c, &t.Rule)
	c.Float(&t.Value)
	c.Float(&t.Gap)
}

// codeAnswer codes an answer, which may be nil.
func codeAnswer(c *checkpoint.Coder, found **answer) {
	there := *found != nil
	if c.Bool(&there); !there {
		*found = nil
		return
	}
	if c.Reading() {
		*found = &answer{}
	}
	a := *found
	codeModel(c, &a.model)
	c.Graph(&a.weights)
	c.Graph(&a.graph)
	codeCodes(c, &a.codes)
	c.Graph(&a.codedOn)
	codeResiduals(c, &a.residuals)
	c.Float(&a.residual)
	c.Float(&a.objective)
	codeThreshold(c, &a.threshold)
	checkpoint.Text(c, &a.status)
	for _, v := range []*int{&a.rounds, &a.unexplained, &a.entries} {
		c.Int(v)
	}
	for _, v := range []*bool{&a.certified, &a.proved, &a.large, &a.commonModeRemoved} {
		c.Bool(v)
	}
	codePath(c, &a.path)
	checkpoint.Slice(c, &a.scores, codeScore)
}
