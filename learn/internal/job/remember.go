package job

import (
	"context"

	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/optimise"
)

// How a run goes on after its process has died; see package checkpoint. Pieces are
// searches, polishes, the pruning path, trials of kernels and the answer; their loops
// are kept round by round. Here is what of it is written down. Where an engine stands
// is not: every piece, and every round, places it again before it reads from it.

// Remember returns what work comes to, or came to before. code is about its value
// and all that it changes but the progress.
func Remember[T any](p *Progress, name string, code func(*checkpoint.Coder, *T), work func() (T, error)) (T, error) {
	outer, first := p.Ctx, len(p.History)
	defer func() { p.Ctx = outer }()
	return checkpoint.Piece(outer, name, func(c *checkpoint.Coder, v *T) {
		p.code(c, first)
		code(c, v)
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

// RememberLoop returns the loop, whose state code is about, and whether it goes on from
// a state that was kept.
func RememberLoop(p *Progress, code func(*checkpoint.Coder)) (Loop, bool, error) {
	first := len(p.History)
	l := Loop{p, func(c *checkpoint.Coder) {
		p.code(c, first)
		code(c)
	}}
	restored, err := checkpoint.Restore(p.Ctx, l.code)
	return l, restored, err
}

// Save keeps the state at the head of a round, if it is time to.
func (l Loop) Save() { checkpoint.Save(l.p.Ctx, l.code) }

// code codes how far a run has come since the first step.
func (p *Progress) code(c *checkpoint.Coder, first int) {
	c.Int(&p.Start)
	c.Int(&p.Round)
	c.Int(&p.Gradients)
	since := p.History[first:]
	checkpoint.Slice(c, &since, func(c *checkpoint.Coder, s *Step) {
		checkpoint.Text(c, &s.Phase)
		for _, v := range []*int{&s.Start, &s.Round, &s.Edges, &s.Gradients} {
			c.Int(v)
		}
		c.Float(&s.Residual)
		c.Float(&s.Objective)
	})
	if c.Reading() {
		p.History = append(p.History[:first:first], since...)
	}
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

// Code codes the rule by what it was told.
func (s *Stall) Code(c *checkpoint.Coder) {
	if c.Floats(&s.told); c.Reading() {
		rule := optimise.Stall{Tolerance: s.Tolerance, Patience: s.Patience}
		for _, v := range s.told {
			rule.Done(v)
		}
		s.Stall = rule
	}
}

// CodePath codes a pruning path.
func CodePath(c *checkpoint.Coder, path *[]PathPoint) {
	checkpoint.Slice(c, path, func(c *checkpoint.Coder, p *PathPoint) {
		c.Int(&p.Edges)
		c.Float(&p.CodeError)
		c.Float(&p.Prediction)
		c.Graph(&p.Graph)
	})
}

func codeScore(c *checkpoint.Coder, s *KernelScore) {
	checkpoint.Slice(c, &s.Kernels, (*checkpoint.Coder).String)
	c.Int(&s.Sparsity)
	c.Bool(&s.CommonModeRemoved)
	c.Float(&s.Prediction)
	fitting.CodeModel(c, &s.Model)
}

func codeThreshold(c *checkpoint.Coder, t *Threshold) {
	checkpoint.Text(c, &t.Rule)
	c.Float(&t.Value)
	c.Float(&t.Gap)
}

// CodeAnswer codes an answer, which may be nil.
func CodeAnswer(c *checkpoint.Coder, found **Answer) {
	there := *found != nil
	if c.Bool(&there); !there {
		*found = nil
		return
	}
	if c.Reading() {
		*found = &Answer{}
	}
	a := *found
	fitting.CodeModel(c, &a.Model)
	c.Graph(&a.Weights)
	c.Graph(&a.Graph)
	fitting.CodeCodes(c, &a.Codes)
	c.Graph(&a.CodedOn)
	fitting.CodeResiduals(c, &a.Residuals)
	c.Float(&a.Residual)
	c.Float(&a.Objective)
	codeThreshold(c, &a.Threshold)
	checkpoint.Text(c, &a.Status)
	for _, v := range []*int{&a.Rounds, &a.Unexplained, &a.Entries} {
		c.Int(v)
	}
	for _, v := range []*bool{&a.Certified, &a.Proved, &a.Large, &a.CommonModeRemoved} {
		c.Bool(v)
	}
	CodePath(c, &a.Path)
	checkpoint.Slice(c, &a.Scores, codeScore)
}
