package dense

import (
	"github.com/nervure/nervure/internal/checkpoint"
	"github.com/nervure/nervure/learn/internal/fitting"
	"github.com/nervure/nervure/learn/internal/job"
)

// codeOutcome codes an outcome.
func codeOutcome(c *checkpoint.Coder, o *outcome) {
	job.CodeAnswer(c, &o.proved)
	checkpoint.Text(c, &o.status)
	b := &o.best
	c.Graph(&b.weights)
	fitting.CodeCodes(c, &b.code)
	fitting.CodeKernels(c, &b.kernels)
	c.Float(&b.residual)
	c.Float(&b.score)
	c.Bool(&b.polished)
	c.Int(&b.rounds)
}

// code codes the codes and kernels that an attempt has come to.
func (a *attempt) code(c *checkpoint.Coder) {
	fitting.CodeCodes(c, &a.fit.Code)
	if a.kernels != nil {
		a.kernels.Code(c)
	}
}

// codeOutcome codes an outcome with what else a search changes.
func (a *attempt) codeOutcome(c *checkpoint.Coder, o *outcome) {
	codeOutcome(c, o)
	a.code(c)
}

// codeAnswer codes an answer with what else finding it changes.
func (a *attempt) codeAnswer(c *checkpoint.Coder, found **job.Answer) {
	job.CodeAnswer(c, found)
	a.code(c)
}

// codePolished codes what polishing comes to, with what else it changes.
func (a *attempt) codePolished(c *checkpoint.Coder, p *polished) {
	c.Graph(&p.graph)
	fitting.CodeResiduals(c, &p.residuals)
	c.Bool(&p.exact)
	a.code(c)
}
