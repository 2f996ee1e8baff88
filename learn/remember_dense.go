package learn

import "github.com/nervure/nervure/internal/checkpoint"

// codeOutcome codes an outcome.
func codeOutcome(c *checkpoint.Coder, o *outcome) {
	codeAnswer(c, &o.proved)
	checkpoint.Text(c, &o.status)
	b := &o.best
	c.Graph(&b.weights)
	codeCodes(c, &b.code)
	codeKernels(c, &b.kernels)
	c.Float(&b.residual)
	c.Float(&b.score)
	c.Bool(&b.polished)
	c.Int(&b.rounds)
}

// code codes the codes and kernels that an attempt has come to.
func (a *attempt) code(c *checkpoint.Coder) {
	codeCodes(c, &a.fit.code)
	if a.kernels != nil {
		a.kernels.code(c)
	}
}

// codeOutcome codes an outcome with what else a search changes.
func (a *attempt) codeOutcome(c *checkpoint.Coder, o *outcome) {
	codeOutcome(c, o)
	a.code(c)
}

// codeAnswer codes an answer with what else finding it changes.
func (a *attempt) codeAnswer(c *checkpoint.Coder, found **answer) {
	codeAnswer(c, found)
	a.code(c)
}

// codePolished codes what polishing comes to, with what else it changes.
func (a *attempt) codePolished(c *checkpoint.Coder, p *polished) {
	c.Graph(&p.graph)
	codeResiduals(c, &p.residuals)
	c.Bool(&p.exact)
	a.code(c)
}
